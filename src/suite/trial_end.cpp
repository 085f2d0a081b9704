#include "suite/trial_end.hpp"

#include <exception>

#include "artifact/error.hpp"
#include "artifact/facts.hpp"
#include "virtual_time/time_record.hpp"

namespace holdfast {
namespace {

bool is_refusal_of_time(const LabEnd& ended) {
  return ended.exit_code != 0 && ended.last_words.rfind(kNoVirtualTime, 0) == 0;
}

}  // namespace

LabEnd launch_trial(const LabOrder& order, std::int64_t limit_ms, const std::atomic<bool>& interrupted) {
  LabEnd out = launch_lab(order, {.interrupted = &interrupted, .limit_ms = limit_ms});
  if (out.late) out.last_words = "the trial took longer than " + std::to_string(limit_ms / 1000) + " s";
  return out;
}

void refuse_others(const RunDirectory& run, const std::string& trial, LabEnd& ended) {
  const auto others = run.remove_all_but_files(trial);
  if (others.empty()) return;
  const bool more = others.size() > 1;
  const std::string before = ended.exit_code == 0 ? "" : "; " + ended.last_words;
  ended.exit_code = kExitHarness;
  ended.last_words = "a process of the trial replaced a file; the replacement was removed: " + others.front() +
                     (more ? ", and " + std::to_string(others.size() - 1) + " more" : "") + before;
}

std::string doubt_of_time(const std::string& folder, const LabEnd& ended) {
  if (ended.late || is_refusal_of_time(ended)) return ended.last_words;
  if (ended.exit_code != 0) return "";
  const std::vector<std::string> kept = read_time_record(InputFile::in(folder, kTimeRecordFile)).doubts;
  if (!kept.empty()) return kept.front();
  const auto facts = read_trial_facts(InputFile::in(folder, "facts.json"));
  return facts.time_doubts.empty() ? "" : facts.time_doubts.front();
}

LabEnd end_of(const std::function<LabEnd()>& launched) {
  LabEnd out;
  try {
    return launched();
  } catch (const Unavailable& refused) {
    out.exit_code = kExitUnavailable;
    out.last_words = refused.what();
  } catch (const std::exception& failed) {
    out.exit_code = kExitHarness;
    out.last_words = text_of(failed);
  }
  return out;
}

void end_on_target(Sandbox& place, const Target& there, LabEnd& ended) {
  try {
    place.end_trial(there);
  } catch (const std::exception& failed) {
    ended.last_words += (ended.exit_code == 0 ? "" : "; ") + text_of(failed);
    ended.exit_code = kExitHarness;
  }
}

}  // namespace holdfast
