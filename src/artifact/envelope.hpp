// A safety envelope: how much of a fault a lock bears before it no longer keeps its promise. Plain data and its JSON
// (docs/envelope.schema.json).
//
// An amount is what a fault's settings call it: how long (for_ms), how far (step_ms), how fast (percent). At each
// amount n trials were run. It `holds` only when all n could be judged and held, and the dangerous moment came in each
// (coverage); one violation makes it `violated`; all else is `undecided`, and not safe.
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
  std::int64_t held = 0;  // of `trials`
  std::int64_t violated = 0;
  std::int64_t trials = 0;
  std::int64_t errors = 0;                         // of `trials`: the harness failed
  std::int64_t unavailable = 0;                    // of `trials`: this machine cannot do it
  std::map<std::string, std::int64_t> violations;  // "mutual_exclusion overrun" -> trials
  std::string reason;                              // of the first trial that did not hold, in words
  std::string measured;                            // what the nemesis measured of the fault, in the first trial
  std::vector<std::string> folders;                // of the trials, relative to the result's folder

  static const JsonForm<EnvelopePoint>& form();
};

// Amounts as they were given to the fault; a clock that is behind has negative ones.
struct EnvelopeBracket {
  std::optional<std::int64_t> holds_at;     // the largest below the first violation
  std::optional<std::int64_t> violated_at;  // the smallest
  std::vector<std::int64_t> undecided;      // between the two, or beyond what holds
  std::vector<std::int64_t> holds_beyond;   // amounts beyond the first violation at which it held again
};

struct Envelope {
  std::string lock;
  std::string fault;
  std::string key;  // "for_ms"
  int direction = 1;
  std::int64_t lease_ms = 0;
  std::int64_t most = 0;  // the largest amount that was to be tried
  std::int64_t step = 0;
  EnvelopeBracket bracket;
  std::vector<EnvelopePoint> points;  // by amount's size

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
  std::string dangerous_moment;        // in words: whom the fault strikes, and when
  std::vector<std::string> notes;      // what the locks' manifests want to be told with every result
  std::vector<Envelope> envelopes;

  static const JsonForm<EnvelopeRun>& form();
};

}  // namespace holdfast
