// Facts reported by a trial's own process besides the history: facts.json in the trial's folder.
//
//   const TrialFacts facts = read_trial_facts(InputFile::in(folder, "facts.json"));   // BadInput names the place
//
// These are not verdicts: `errors` are the harness's own and make the trial an error whatever its history shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artifact/input_file.hpp"
#include "artifact/json_fields.hpp"

namespace holdfast {

// A lock's request to its server, if a trial counted requests.
struct SentRequest {
  std::int64_t client = 0;
  std::string of;           // the operation: "acquire"
  std::int64_t number = 0;  // in its operation, from 1
  std::int64_t time_ns = 0;

  friend bool operator==(const SentRequest&, const SentRequest&) = default;
  static const JsonForm<SentRequest>& form();
};

struct TrialFacts {
  std::string server;  // name and version reported by the server
  std::vector<std::string> errors;
  std::int64_t stalls = 0;
  std::vector<std::string> time_doubts = {};  // reasons to distrust its clock, in skipped time
  std::vector<SentRequest> requests = {};     // the first ones, ordered by time

  static const JsonForm<TrialFacts>& form();
};

TrialFacts read_trial_facts(const InputFile& file);                           // throws BadInput
TrialFacts trial_facts_of(const std::string& text, const std::string& file);  // throws BadInput

}  // namespace holdfast
