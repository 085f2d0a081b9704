// Starts an object store for a trial.
#pragma once

#include <string>

#include "lab/process.hpp"
#include "lab/readiness_probe.hpp"

namespace holdfast {

inline constexpr int kS3Port = 7070;
inline constexpr const char* kS3User = "holdfast";
inline constexpr const char* kS3Secret = "holdfast-secret";

// Programs in the order in which an installed one is preferred; one that --server names comes first.
struct S3Program {
  const char* name;
  const char* title;
  bool keeps;  // acknowledged writes survive a kill
};

struct S3Spec {
  std::string data;  // created if missing; an existing one is continued
  std::string log;   // in the run folder: the lab's memory dies with the lab
  int network = -1;  // the node's network namespace
};

const S3Program& s3_program();         // throws Unavailable if none is installed
Process start_s3(const S3Spec& spec);  // the same

// Answers anything by HTTP, perhaps that the request is not signed.
inline constexpr ReadinessProbe kS3Probe{
    kS3Port, "GET / HTTP/1.1\r\nHost: s3\r\nConnection: close\r\n\r\n", 10, [](std::string_view answer) {
      return answer.substr(0, 10) == "HTTP/1.1 4" || answer.substr(0, 10) == "HTTP/1.1 2";
    }};

}  // namespace holdfast
