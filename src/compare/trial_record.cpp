#include "compare/trial_record.hpp"

#include <exception>

#include "artifact/json_reader.hpp"
#include "compare/numbers.hpp"

namespace holdfast {
namespace {

void read_trial(const std::string& folder, TrialRecord& out) {
  const TrialVerdict verdict = read_json_file(folder + "/verdict.json", trial_verdict_from_json);
  out.service = measure_service(folder + "/history.jsonl");
  ComparedTrial& shown = out.shown;
  shown.properties = compared_properties(verdict);
  shown.service = numbers_of({&out.service});
  shown.end_ns = verdict.timeline.end_ns;
  shown.faults = verdict.timeline.faults;
  for (const Window& gap : out.service.gaps) shown.gaps.push_back({gap.from_ns, gap.to_ns});
  shown.grants_by_bin = by_bin(out.service.granted_ns, out.service.load_ns);
}

}  // namespace

TrialRecord record_of(const TrialResult& result, const std::string& root, const std::string& prefix) {
  TrialRecord out;
  out.shown.number = result.number;
  out.shown.seed = result.seed;
  out.shown.folder = prefix + result.folder;
  out.shown.error = result.error;
  if (result.outcome == Outcome::unavailable) out.shown.state = TrialState::unavailable;
  if (result.outcome == Outcome::harness_error) out.shown.state = TrialState::harness_error;
  if (out.shown.state != TrialState::judged) return out;
  try {
    read_trial(root + "/" + result.folder, out);
  } catch (const std::exception& broken) {
    out = {};
    out.shown.number = result.number;
    out.shown.seed = result.seed;
    out.shown.folder = prefix + result.folder;
    out.shown.state = TrialState::harness_error;
    out.shown.error = broken.what();
  }
  return out;
}

}  // namespace holdfast
