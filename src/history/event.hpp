// One event of a history, with its time on one clock: an action of a client or of the nemesis, a write that the
// resource accepted, a leader that an observer saw, or an assertion of the lock's author.
//
// Times are nanoseconds of the host's CLOCK_MONOTONIC since the trial began; no fault changes this clock. Processes and
// keys are small dense numbers; `Names` has their names. An operation is one attempt: an `invoke` and at most one
// completion (`ok`: took effect, `fail`: surely did not, `info`: may have), in Jepsen's terms.
//
// Events do not say which process held the lock; the checker derives that.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/assertion.hpp"

namespace holdfast {

// Limit of a time and of a lease: less than half the range of 64 bits, so that their sum fits. As a time since 1970 it
// is in the year 2096.
constexpr std::int64_t kMaxTimeNs = 4'000'000'000'000'000'000;
constexpr std::int64_t kMaxClients = 1'000'000;

// `observer`: a client whose lock reports the leader, as locks for elections do. `assertion`: a client whose lock
// evaluated an assertion, during a call or not.
enum class Actor : std::uint8_t { client, nemesis, resource, observer, assertion };
enum class EventType : std::uint8_t { invoke, ok, fail, info };
enum class Op : std::uint8_t { acquire, renew, release, leave, write };

// Reason why an operation failed or is uncertain. `cancelled`: the caller had given up before the answer came; a grant
// with this reason, or with `timeout`, is unwanted and released immediately. Only `busy` and `not_held` reveal
// something about the lock's holder.
enum class Reason : std::uint8_t {
  none,
  busy,
  not_held,
  conflict,
  timeout,
  unavailable,
  killed,
  deadline,
  other,
  cancelled
};

// Evidence from the session: one statement executed by an operation.
struct Statement {
  std::string name;            // name in the lock's file of statements
  std::int64_t call_ns = 0;    // time of sending
  std::int64_t return_ns = 0;  // time of the answer, or of giving up
  std::int64_t rows = -1;      // affected rows, or rows returned by a query; -1: no answer was seen
  int error = 0;               // the server's error number; 0: no error
  std::string values{};        // parameters by name, as a JSON object; empty: unknown
};

// The nemesis's events. A fault was measured to be in force from `begin` to `end`. `kill`: a client was killed.
// `healed`: all faults had ended, and the final phase began. `stall`: processes waited for a processor or were stopped
// from outside. `load_end`: the load phase ended. `unanswered`: clients were in a call that did not return.
enum class FaultStep : std::uint8_t { begin, end, kill, healed, stall, load_end, unanswered };

// The aim of a fault at granted acquires. `request`: it strikes before the server has received a request of the
// attempt. `reply`: it strikes after the server has executed one. `none`: the fault has no such aim.
enum class FaultAim : std::uint8_t { none, request, reply };

// One write that the protected resource accepted, read from the resource's log after the trial. `base` is the value
// that the writer had read, `value` the unique value that it wrote. `sequence` numbers the writes of a key in commit
// order.
struct AcceptedWrite {
  std::uint64_t sequence = 0;
  std::int64_t base = 0;
  std::int64_t value = 0;
};

// Evaluations of an assertion with the same result, which is the event's type: `ok` is true, `fail` is false, and
// `info` only announces the assertion. `count` is their number in this client so far, so that many need few events.
struct Evaluated {
  AssertionKind kind = AssertionKind::always;
  std::string name;
  std::int64_t count = 0;
  std::string why;  // in the author's words; may be empty
};

// The promised lease of a grant, if known: like std::optional, in half the space.
class OptionalLease {
 public:
  OptionalLease() = default;
  OptionalLease(std::int64_t ns) : ns_(ns) {}
  OptionalLease(std::nullopt_t) {}
  bool has_value() const { return ns_ != kNone; }
  explicit operator bool() const { return has_value(); }
  std::int64_t operator*() const { return ns_; }
  std::int64_t value_or(std::int64_t other) const { return has_value() ? ns_ : other; }
  void reset() { ns_ = kNone; }
  friend bool operator==(const OptionalLease&, const OptionalLease&) = default;

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();  // smaller than every lease
  std::int64_t ns_ = kNone;
};

// The fields of client events that the checker's rules read: one cache line. The other fields are for witnesses and for
// histories of holdfast's own runs.
struct EventFacts {
  std::uint64_t index = 0;
  std::int64_t time_ns = 0;
  std::uint32_t process = 0;  // dense id; a client continues as a new process after an indeterminate acquire
  std::uint32_t client = 0;   // index of the operating-system process that ran it
  std::uint32_t key = 0;      // dense id
  Actor actor = Actor::client;
  EventType type = EventType::invoke;
  Op op = Op::acquire;
  Reason reason = Reason::none;
  std::optional<std::uint64_t> token;
  OptionalLease lease_ns;
  bool shared = false;      // on the invocation: an acquire that allows other holders
  bool background = false;  // a renewal by the process's watchdog, concurrent with its other operations
};
static_assert(sizeof(EventFacts) <= 64);

struct Event : EventFacts {
  std::uint64_t number = 0;  // the client's own count of operations; invoke and completion share it; 0: not given
  std::uint64_t grant = 0;   // writes and accepted writes only: number of the acquire to which they belong
  std::vector<Statement> statements;  // completions of holdfast's own runs

  std::optional<std::uint32_t> holder;  // observer only: the reported leader; empty: no leader

  // nemesis only
  std::string fault;  // "pause", "client_skew", ... ; for a stall: "scheduler" or "machine"
  FaultStep step = FaultStep::begin;
  std::string cause;  // the kind a violation gets when this fault explains it; empty: it excuses nothing
  std::vector<std::uint32_t> clients;  // clients struck
  bool stops = false;                  // the struck clients are stopped while it is in force
  FaultAim aim = FaultAim::none;       // `begin` only
  std::string detail;                  // the measurement, as text
  std::int64_t until_ns = 0;           // stall only: its latest possible end; it began at the event's time or later
  std::int64_t waited_ns = 0;          // stall only: total duration

  AcceptedWrite accepted;  // resource only
  Evaluated evaluated;     // assertion only
};

// Resets the event, field by field: assigning a new object would build it elsewhere first, and the processor stalls
// when small writes are read back as large ones.
inline void clear(EventFacts& facts) {
  facts.index = 0;
  facts.time_ns = 0;
  facts.process = facts.client = facts.key = 0;
  facts.actor = Actor::client;
  facts.type = EventType::invoke;
  facts.op = Op::acquire;
  facts.reason = Reason::none;
  facts.token.reset();
  facts.lease_ns.reset();
  facts.shared = facts.background = false;
}

// Resets the event but keeps the memory of its vectors and texts.
inline void clear(Event& event);

const char* to_text(Actor);
const char* to_text(EventType);
const char* to_text(Op);
const char* to_text(Reason);
const char* to_text(FaultStep);
const char* to_text(FaultAim);

// The inverse of to_text; false when the word is unknown.
bool from_text(std::string_view word, EventType& out);
bool from_text(std::string_view word, Op& out);
bool from_text(std::string_view word, Reason& out);
bool from_text(std::string_view word, FaultStep& out);
bool from_text(std::string_view word, FaultAim& out);

// Resets the fields that client events do not use.
void clear_others(Event& event);

inline void clear(Event& event) {
  if (event.actor != Actor::client) clear_others(event);
  clear(static_cast<EventFacts&>(event));
  event.number = event.grant = 0;
  if (!event.statements.empty()) event.statements.clear();
}

}  // namespace holdfast
