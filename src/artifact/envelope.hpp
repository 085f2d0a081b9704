// A safety envelope: the largest amount of a fault under which a lock keeps its promise. Plain data and its JSON
// (docs/envelope.schema.json).
//
// An amount is the value of a fault's setting: a duration (for_ms), an offset (step_ms), a strength (percent). Each
// amount gets n trials. It `holds` only if all n were judged and held, and each had the dangerous moment (coverage).
// One violation makes it `violated`; every other result is `undecided`, which does not count as safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "artifact/json_fields.hpp"

namespace holdfast {

enum class AtAmount : std::uint8_t { holds, violated, undecided };
const char* to_text(AtAmount);
bool from_text(const std::string& word, AtAmount& out);

struct EnvelopePoint {
  std::int64_t amount = 0;  // 0: without the fault
  AtAmount answer = AtAmount::undecided;
  std::int64_t held = 0;  // number of `trials`
  std::int64_t violated = 0;
  std::int64_t trials = 0;
  std::int64_t errors = 0;                         // number of `trials`: the harness failed
  std::int64_t unavailable = 0;                    // number of `trials`: this machine cannot run them
  std::map<std::string, std::int64_t> violations;  // "mutual_exclusion overrun" -> trials
  std::string reason;                              // reason of the first trial that did not hold
  std::string measured;                            // the fault as measured in the first trial
  std::vector<std::string> folders;                // folders of the trials, relative to the result's folder

  static const JsonForm<EnvelopePoint>& form();
};

// Amounts as given to the fault; negative for a clock that is behind.
struct EnvelopeBracket {
  std::optional<std::int64_t> holds_at;     // the largest below the first violation
  std::optional<std::int64_t> violated_at;  // the smallest
  std::vector<std::int64_t> undecided;      // between the two, or beyond the largest that holds
  std::vector<std::int64_t> holds_beyond;   // amounts beyond the first violation that held again
};

struct Envelope {
  std::string lock;
  std::string fault;
  std::string key;  // "for_ms"
  int direction = 1;
  std::int64_t lease_ms = 0;
  std::int64_t most = 0;  // largest amount to try
  std::int64_t step = 0;
  EnvelopeBracket bracket;
  std::vector<EnvelopePoint> points;  // sorted by size of the amount

  static const JsonForm<Envelope>& form();
};

struct EnvelopeRun {
  std::string version;
  std::string started_utc;
  std::string command;
  std::string server;
  std::uint64_t seed = 0;
  int repeat = 1;
  double seconds = 0;
  bool interrupted = false;
  int exit_code = 0;
  std::vector<std::string> judged_by;  // properties
  std::string dangerous_moment;        // in words: the fault's target and time
  std::vector<std::string> notes;      // notes that the locks' manifests want shown with every result
  std::vector<Envelope> envelopes;

  static const JsonForm<EnvelopeRun>& form();
};

}  // namespace holdfast
