// A curve: how often a lock broke when a fault struck at each point of its life: before and after each request of an
// acquire, along a hold, and in its renewals and releases. Plain data and its JSON (docs/curve.schema.json).
//
// Only trials count in which the fault struck a client that was granted the lock, and which were judged. A point
// without such a trial is not measured: it has no share of violations, and no interval.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "artifact/json_fields.hpp"

namespace holdfast {

// Part of a lock's life. `no_fault`: the same load without the fault.
enum class CurvePart : std::uint8_t { no_fault, acquire, hold, renew, release };
const char* to_text(CurvePart);
bool from_text(const std::string& word, CurvePart& out);

struct CurvePoint {
  CurvePart part = CurvePart::hold;
  std::string scenario;                    // name of its cell, LOCK/SCENARIO
  std::string moment;                      // "after acquire", "write at 25 % of the lease"
  std::string tick;                        // the same as a label of the axis: "after", "25 %"
  std::optional<std::int64_t> elapsed_ms;  // planned time from the grant to the fault
  std::int64_t planned = 0;
  std::int64_t trials = 0;       // finished trials
  std::int64_t acted = 0;        // number of `trials`: the fault struck a granted client there
  std::int64_t counted = 0;      // number of `acted`: judged
  std::int64_t violated = 0;     // number of `counted`
  std::int64_t lapsed = 0;       // number of `counted`: two holders at once, the data is safe
  std::int64_t undecided = 0;    // number of `acted`
  std::int64_t errors = 0;       // number of `trials`: the harness failed
  std::int64_t unavailable = 0;  // number of `trials`: this machine cannot run them
  std::optional<double> low;     // 95 % interval of the share of violations, 0 to 1
  std::optional<double> high;
  std::map<std::string, std::int64_t> violations;  // "mutual_exclusion overrun" -> trials
  std::string seen;                                // the first violation in words
  std::string reason;                              // why the first trial that did not count did not
  std::int64_t violating_trial = 0;                // number of the first violated trial; 0: none
  std::string replay;                              // command that repeats it; empty: none

  bool measured() const { return counted > 0; }

  static const JsonForm<CurvePoint>& form();
};

// A point that was not tried.
struct CurveLeftOut {
  std::string moment;
  std::string why;

  static const JsonForm<CurveLeftOut>& form();
};

struct CurveRun {
  std::string version;
  std::string started_utc;
  std::string command;
  std::string server;
  std::uint64_t seed = 0;
  int plans = 0;
  double seconds = 0;
  bool interrupted = false;
  int exit_code = 0;
  std::string lock;
  std::string fault;
  std::int64_t for_ms = 0;               // duration of the fault; 0: it ends by itself
  std::optional<std::int64_t> lease_ms;  // empty: the lock has no lease
  bool fenced = false;                   // its grants carry tokens that the data checks
  std::vector<std::string> judged_by;    // properties
  std::vector<std::string> notes;        // notes that the lock's manifest wants shown with every result
  std::vector<CurvePoint> points;        // in the order of a lock's life
  std::vector<CurveLeftOut> left_out;

  static const JsonForm<CurveRun>& form();
};

}  // namespace holdfast
