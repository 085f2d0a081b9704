// Assertions that a lock's program reports, counted so that a program that asserts a million times fills no history.
//
//   AssertionReports reports([](const AssertionReport& one) { ... });
//   reports.announce(manifest.assertions);      // known, and not yet reached
//   reports.hear(said);                         // called by the program's reader
//   reports.finish();                           // passes the last counts on
//
// Passed on are the first evaluation with each result and then each time that their number has doubled, with the number
// so far. So a killed client's counts are at least half of the true ones, and no result is missing. Throws BadMessage
// for a name with two kinds, and for too many names.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "adapter/adapter_program.hpp"
#include "artifact/assertion.hpp"

namespace holdfast {

enum class AssertionResult : std::uint8_t { announced, held, failed };

struct AssertionReport {
  AssertionKind kind = AssertionKind::always;
  std::string name;
  AssertionResult result = AssertionResult::announced;
  std::int64_t count = 0;  // evaluations with this result so far
  std::string why;         // of the last one; may be empty
  std::int64_t read_ns = 0;
};

class AssertionReports {
 public:
  using Pass = std::function<void(const AssertionReport&)>;

  explicit AssertionReports(Pass pass) : pass_(std::move(pass)) {}

  void announce(const std::vector<AssertionName>& names, std::int64_t now_ns);
  void hear(const AdapterSaid& said);
  void finish(std::int64_t now_ns);

 private:
  struct Counted {
    std::int64_t all = 0;
    std::int64_t passed = 0;  // when it was last passed on
  };
  struct Asserted {
    AssertionKind kind = AssertionKind::always;
    Counted held;
    Counted failed;
  };

  Asserted& of(AssertionKind kind, const std::string& name, std::int64_t now_ns);
  void pass(const std::string& name, const Asserted& asserted, Counted& counted, const std::string& why,
            std::int64_t now_ns);

  const Pass pass_;
  std::mutex mutex_;
  std::map<std::string, Asserted> all_;
};

}  // namespace holdfast
