// One line of a history: something a client, the nemesis or the protected resource did, at one moment of one clock.
//
// Times are nanoseconds of the host's CLOCK_MONOTONIC since the trial began, never of a clock that a fault can move.
// Processes and keys are small dense numbers; their names are in `Names`. An operation is one attempt: an `invoke` and
// at most one completion (`ok` took effect, `fail` surely did not, `info` may have), as Jepsen spells them.
//
// What it does not do: it says nothing about who held what; that is the checker's reading of the events.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

// The longest time, and the longest lease: half of what 64 bits hold, so that their sum still fits. In nanoseconds
// since 1970 this is the year 2096.
constexpr std::int64_t kMaxTimeNs = 4'000'000'000'000'000'000;
constexpr std::int64_t kMaxClients = 1'000'000;

// An observer is a client's lock, where it tells who leads.
enum class Actor : std::uint8_t { client, nemesis, resource, observer };
enum class EventType : std::uint8_t { invoke, ok, fail, info };
enum class Op : std::uint8_t { acquire, renew, release, leave, write };

// Why an operation failed or is uncertain. `cancelled`: who asked had given up waiting when the answer came; a grant
// that says so, or `timeout`, is one that nobody wanted any more, and is released at once. Only `busy` and `not_held`
// say anything about who holds the lock.
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

// Evidence recorded at the session: one statement that an operation executed.
struct Statement {
  std::string name;            // as in the lock's SQL file
  std::int64_t call_ns = 0;    // when it was sent
  std::int64_t return_ns = 0;  // when its answer was seen (or given up)
  std::int64_t rows = -1;      // affected rows, or rows returned by a query; -1: no answer was seen
  int error = 0;               // the server's error number; 0: none
  std::string values{};        // of its parameters by their names, as a JSON object; empty: not known
};

// What the nemesis tells. `begin`..`end` is the time in which a fault was measured to be in force.
enum class FaultStep : std::uint8_t { begin, end, kill, healed, stall, load_end, unanswered };

// A fault that is aimed at an acquire which is granted: it strikes before the server has any request of the attempt, or
// when the server has executed one.
enum class FaultAim : std::uint8_t { none, request, reply };

// One write that the protected resource accepted, read back from its log when the trial is over. `base` is the value
// the writer had read, `value` the unique value it wrote. Rows of one key come in the order in which they were
// committed.
struct AcceptedWrite {
  std::uint64_t sequence = 0;
  std::int64_t base = 0;
  std::int64_t value = 0;
};

// How long a grant was promised, where it was said: as a std::optional, in half the room.
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
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();  // no lease is shorter than none
  std::int64_t ns_ = kNone;
};

// What the rules look at, of every event of a client: a cache line. The rest of an event is looked at for witnesses and
// in histories of our own runs.
struct EventFacts {
  std::uint64_t index = 0;
  std::int64_t time_ns = 0;
  std::uint32_t process = 0;  // dense id; an identity retires after an indeterminate acquire
  std::uint32_t client = 0;   // the operating-system process that ran it (number from 0)
  std::uint32_t key = 0;      // dense id
  Actor actor = Actor::client;
  EventType type = EventType::invoke;
  Op op = Op::acquire;
  Reason reason = Reason::none;
  std::optional<std::uint64_t> token;
  OptionalLease lease_ns;
  bool shared = false;      // an acquire that lets others share what it gets; on the invocation
  bool background = false;  // a renewal by the process's watchdog, beside whatever else the process does
};
static_assert(sizeof(EventFacts) <= 64);

struct Event : EventFacts {
  std::uint64_t number = 0;  // the client's own count of operations; invoke and completion share it; 0: not given
  std::uint64_t grant = 0;   // writes and accepted writes: the number of the acquire they ran under
  std::vector<Statement> statements;  // completions of our own runs

  std::optional<std::uint32_t> holder;  // observer only: the client that leads, as it was told; nothing: none does

  // nemesis only
  std::string fault;  // "pause", "client_skew", ... ; of a stall: "scheduler" or "machine"
  FaultStep step = FaultStep::begin;
  std::string cause;  // the kind a violation gets when this fault explains it; empty: it excuses nothing
  std::vector<std::uint32_t> clients;  // whom it struck
  bool stops = false;                  // ... and who does nothing while it is in force
  FaultAim aim = FaultAim::none;       // `begin` only
  std::string detail;                  // what was measured, for people
  std::int64_t until_ns = 0;           // stall only: it lies between the event's time and this
  std::int64_t waited_ns = 0;          // stall only: how long it was in all

  AcceptedWrite accepted;  // resource only
};

// As new. Field by field where they lie: an assignment would make them elsewhere first, and the processor waits for
// small pieces that are read again as large ones.
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

// As new, but for the memory of its vectors and texts.
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

// What only others than clients say.
void clear_others(Event& event);

inline void clear(Event& event) {
  if (event.actor != Actor::client) clear_others(event);
  clear(static_cast<EventFacts&>(event));
  event.number = event.grant = 0;
  if (!event.statements.empty()) event.statements.clear();
}

}  // namespace holdfast
