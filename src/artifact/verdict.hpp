// A verdict: the checker's result for one history, one entry per property. Plain data and its field tables
// (json_fields.hpp): to_json(verdict), from_json<TrialVerdict>(json).
//
// Times are nanoseconds since the trial began, as in the history. `kind` names what made the violation possible:
// `algorithm` (nothing did), `overrun` (the earlier holder's lease had lapsed), `late_grant`, or the cause of a fault
// that acted (`client_skew`, `server_clock`, ...). If there are several kinds, `kind` is the most severe and `kinds`
// counts each.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "artifact/assertion.hpp"
#include "artifact/json_fields.hpp"
#include "artifact/lease_doubts.hpp"

namespace holdfast {

enum class Judgement : std::uint8_t { holds, violated, undecided, not_exercised, not_applicable };
const char* to_text(Judgement);
bool from_text(const std::string& word, Judgement& out);

// Times outside this range are refused, so that differences of two times always fit.
inline constexpr Bounds kAnyInstant{-4'000'000'000'000'000'000, 4'000'000'000'000'000'000};

// The smallest part of the history that shows the violation: whole holds, never partial ones.
struct Witness {
  std::string key;
  std::string kind;
  std::vector<std::uint64_t> indices;  // events of the history, ascending
  std::vector<std::uint32_t> clients;  // clients involved, the earlier holder first
  std::int64_t from_ns = 0;            // the violation itself, e.g. the overlap
  std::int64_t to_ns = 0;
  std::string text;  // what happened and why it is impossible for a correct lock

  static const JsonForm<Witness>& form();
};

// The evaluations of one assertion: in a trial, or by all trials of a lock.
struct AssertionCount {
  AssertionKind kind = AssertionKind::always;
  std::string name;
  std::int64_t held = 0;    // evaluations that were true, or times that a place was reached
  std::int64_t failed = 0;  // evaluations that were false

  static const JsonForm<AssertionCount>& form();
};

// True if it was exercised: `always` was evaluated, `sometimes` was true, the place was reached.
bool is_reached(const AssertionCount&);

struct PropertyVerdict {
  std::string property;
  Judgement judgement = Judgement::not_applicable;
  std::string kind;                           // violated only
  std::map<std::string, std::int64_t> kinds;  // only if violated: count by kind
  std::string reason;                         // why undecided, not exercised or not applicable
  std::int64_t count = 0;                     // violations in all
  std::int64_t total_ns = 0;                  // total duration, if the violations have one
  std::vector<Witness> witnesses;             // the first few, the first one first
  std::map<std::string, std::int64_t> coverage;
  std::vector<AssertionCount> assertions = {};  // of the lock's author; only of the property that judges them

  static const JsonForm<PropertyVerdict>& form();
};

// For diagrams: what each client believed and when, and what the nemesis did. For a long history it is cut to the
// neighbourhood of the first violation, and `cut` is true.
struct Span {
  std::uint32_t client = 0;
  std::string key;
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::int64_t lease_end_ns = 0;  // end of the last validity promised; 0: no lease
  std::uint64_t grant_index = 0;
  std::uint64_t end_index = 0;
  LeaseDoubts doubts = {};  // reasons why it may have lasted longer

  static const JsonForm<Span>& form();
};
// Outcomes of the acquires struck by a fault that is aimed at a grant (checker/struck_acquires.hpp).
struct StruckCounts {
  std::int64_t granted = 0;
  std::int64_t refused = 0;
  std::int64_t unanswered = 0;  // they may have been granted
  std::int64_t given_up = 0;    // refused, although no other client kept them out: likewise
  std::int64_t kept_out = 0;    // unanswered, while another client held the key

  bool any() const { return granted + refused + unanswered + given_up + kept_out > 0; }
  bool no_grant() const { return any() && granted + unanswered + given_up == 0; }
  void add(const StruckCounts& more);
  void take_away(const StruckCounts& part);
  bool operator==(const StruckCounts&) const = default;

  static const JsonForm<StruckCounts>& form();
};

// "2 granted, 1 refused"; empty: none was struck.
std::string struck_text(const StruckCounts&);
// "the pause struck 3 refused attempts and no grant"; empty if it struck nothing, or possibly a grant.
std::string no_grant_text(const std::string& fault, const StruckCounts&);

inline constexpr const char* kAboutHolders =
    "clients that held a key when it struck, or whose acquire the server had granted";

struct FaultSpan {
  std::string fault;
  std::vector<std::uint32_t> clients;  // clients affected; empty: no particular one
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::string detail;
  std::string cause = {};  // the kind that it may give to a violation; empty: it excuses nothing
  StruckCounts struck = {};
  std::int64_t holders = 0;  // clients that it struck as holders (checker/struck_acquires.hpp)

  static const JsonForm<FaultSpan>& form();
};
struct WriteMark {
  std::uint32_t client = 0;
  std::string key;
  std::int64_t time_ns = 0;
  std::string result;  // ok | fail | info
  std::uint64_t index = 0;

  static const JsonForm<WriteMark>& form();
};
struct Timeline {
  std::int64_t end_ns = 0;
  bool cut = false;
  std::vector<Span> spans;
  std::vector<FaultSpan> faults;
  std::vector<WriteMark> writes;

  static const JsonForm<Timeline>& form();
};

// Numbers that are measured but not judged.
struct Measures {
  std::int64_t operations = 0;
  std::int64_t grants = 0;
  std::int64_t refusals = 0;
  std::int64_t spurious_refusals = 0;  // refusals of a lock that was provably free; at least as many as progress judges
  std::int64_t conflicts = 0;          // 1205, 1213, 3572
  std::int64_t indeterminate = 0;
  std::int64_t wait_p50_ns = 0;  // from the first attempt of a wait to its grant
  std::int64_t wait_p99_ns = 0;
  std::int64_t wait_max_ns = 0;
  // Overtaking among acquires, from call to answer: how often later requests for the key were granted first, for the
  // acquire that was passed most often; and how many acquires were passed and never answered.
  std::int64_t most_overtaken = 0;
  std::int64_t starved = 0;
  // Holders whose lock was granted to another client: their number, how many ended their belief without knowing, and
  // how long the others took to learn of it.
  std::int64_t former_holders = 0;
  std::int64_t never_told = 0;
  std::int64_t loss_notice_p50_ns = 0;
  std::int64_t loss_notice_max_ns = 0;

  static const JsonForm<Measures>& form();
};

struct TrialVerdict {
  std::string lock;
  std::string scenario;
  std::uint64_t seed = 0;
  std::string model;
  std::uint32_t clients = 0;
  Judgement judgement = Judgement::holds;  // first present of violated, undecided, not_exercised, holds
  std::vector<PropertyVerdict> properties;
  Measures measures;
  Timeline timeline;
  // only of foreign histories: events no property looked at; not stored in files
  std::vector<std::string> not_judged = {};
  // only of foreign histories: reasons for doubt (docs/history.md); not stored in files
  std::vector<std::string> warnings = {};

  const PropertyVerdict* find(const std::string& property) const;

  static const JsonForm<TrialVerdict>& form();
};

}  // namespace holdfast
