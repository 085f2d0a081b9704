// The control page: the memory that the runner and the clients of one trial share. It holds nothing that a verdict is
// made of (that is in the journals); it carries orders one way and readings the other.
//
// A fault that waits for a point in a client's work arms an ArmedPoint. The client that arrives there as the n-th stops
// in `arrive` until the runner has acted and answered, so that the fault strikes exactly there:
//
//   runner: arm(trigger) ... wait_reached(trigger) -> client 3 is there; act; answer(trigger, PointAction::go_on)
//   client: PointAction action = arrive(page, here);
//
// A client does no fault to itself. The point is as exact as if it raised the signal itself, but every fault is
// performed, timed and proved in one place, and a fault of the world (a partition) can strike at a statement exactly as
// one of a process (a pause) can. Whoever comes to a point says who it is (ClientState), and the trigger is compared in
// the client, at that instant: asked from outside, the answer could be of the moment before.
//
// The page is an anonymous file (memfd) passed by descriptor: no name, nothing to leave behind.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>

#include "artifact/capacity.hpp"
#include "artifact/monotonic.hpp"
#include "artifact/point_action.hpp"
#include "control/phase.hpp"

namespace holdfast {

inline constexpr std::size_t kMostArmedPoints = 2 * kMostFaults;         // where each begins, and where it ends
inline constexpr std::size_t kClientSlots = kMostClients + kMostFaults;  // a fault may need a spare

enum class ArmedPointState : std::uint32_t { disarmed, armed, reached, answered };

// How it stands with whoever comes to a point: a worker, or a watchdog, of a client. An attempt that waits at the
// server makes a waiter once it is open for longer than a poll, of locks that say `waits`. An attempt of another lock
// that is open for so long is one that a fault keeps, and no sign that somebody waits.
struct ClientState {
  Asking asking = Asking::nothing;
  std::int32_t key = -1;           // with which it is busy; -1: none
  bool believes = false;           // that it holds some key
  bool believes_this = false;      // ... this one
  bool waits = false;              // its last attempt was answered `busy`, and it tries again
  std::int64_t waits_from_ns = 0;  // or it does from then on, in a call that waits at the server; 0: no such call
};

// Where a client is: a phase, or before or after a statement.
struct ClientPosition {
  Phase phase{};
  const char* statement = nullptr;  // a statement instead of a phase
  bool after = false;
  ClientState state{};
  std::int64_t number = 0;  // the statement's among those of its operation that name its key, from 1; 0: it does not
};

enum class Whom : std::uint8_t { anyone, holder, waiter };
enum class KeyIs : std::uint8_t { any, free, held };

struct ArmedPoint {
  // Written before arming, constant while armed.
  Phase phase{};
  bool on_statement = false;
  bool after = false;
  std::array<char, 54> statement{};
  std::int64_t request = 0;     // instead of a name: the statement of that number (ClientPosition::number)
  Asking of = Asking::nothing;  // nothing: in any operation
  KeyIs key = KeyIs::any;
  Whom whom = Whom::anyone;
  std::int32_t client = -1;  // -1: anyone
  std::int64_t nth = 1;

  std::atomic<ArmedPointState> state{ArmedPointState::disarmed};
  std::atomic<PointAction> action{PointAction::go_on};
  std::atomic<std::int64_t> passed{0};
  std::atomic<std::uint32_t> reached_by{0};
  std::atomic<std::int64_t> reached_ns{0};
};

// Of a client that is gated: it stops before each statement of its own until it is given a turn.
struct Gate {
  std::atomic<std::uint32_t> on{0};                     // order
  std::atomic<std::uint32_t> turns{0};                  // order: statements that it may have begun
  std::atomic<PointAction> action{PointAction::go_on};  // order: what becomes of the answer to the next one
  std::atomic<std::uint32_t> stands{0};                 // reading: it stops before one
  std::atomic<std::uint32_t> begun{0};                  // reading: statements so far, whether gated or not
  std::atomic<std::uint32_t> answered{0};               // reading: of these, or refused, or lost
};

// Readings of a client's heartbeat (client/client.cpp): when it did not run, whatever kept it from running.
struct Heartbeat {
  static constexpr std::int64_t kBeat_ns = 20'000'000;
  static constexpr std::int64_t kSlowBeat_ns = 200'000'000;  // in skipped time, where each beat wakes the program
  static constexpr std::int64_t kGapBeats = 3;               // so long without one: worth telling
  static constexpr std::uint32_t kKept = 16;

  std::atomic<std::uint32_t> gaps{0};    // so far, of which the last kKept are here; of CLOCK_MONOTONIC
  std::atomic<std::int64_t> beat_ns{0};  // the last
  std::array<std::atomic<std::int64_t>, kKept> from_ns{};
  std::array<std::atomic<std::int64_t>, kKept> to_ns{};

  void add(std::int64_t from, std::int64_t to) {
    const std::uint32_t at = gaps.load() % kKept;
    from_ns.at(at).store(from);
    to_ns.at(at).store(to);
    gaps.fetch_add(1);
  }
};

// Of a client one of whose threads stands still while others of its program go on. Times are of CLOCK_MONOTONIC.
struct BlockedThread {
  std::atomic<std::int64_t> ms{0};        // order: whoever passes a point, or sleeps, stands until this is 0 again
  std::atomic<std::int64_t> since_ns{0};  // reading: it stands since then; 0: it does not
  // Reading, of a lock that is a program of its own: when others of that program were last seen to go on; 0: not yet.
  std::atomic<std::int64_t> seen_ns{0};
};

struct ClientSlot {
  std::atomic<std::int64_t> wall_offset_ns{0};    // order: add this to the client's wall clock
  std::atomic<std::int64_t> wall_observed_ns{0};  // reading: what the client's last reading was ahead of the host's
  std::atomic<std::int64_t> holding{0};           // reading: keys it believes to hold
  std::atomic<std::int64_t> waiting{0};           // reading: threads refused and waiting for their next attempt
  std::atomic<std::int64_t> drift_ppm{0};         // order: the clocks run this much too fast, since drift_since_ns
  std::atomic<std::int64_t> drift_since_ns{0};
  std::atomic<std::int64_t> drift_observed_ns{0};  // reading: what the drift has come to
  // Readings, of each thread: the server's number of its session at the lock service.
  std::array<std::atomic<std::uint64_t>, kMostThreads> connections{};
  // ... when it called the acquire that has no answer yet, of a lock whose attempts wait at the server; 0: none such.
  std::array<std::atomic<std::int64_t>, kMostThreads> asking_since_ns{};
  std::atomic<std::int64_t> replies_lost{0};  // reading: how often it obeyed PointAction::lose_reply
  // Readings, of each thread: the number of its last operation times four, and 1 acquire, 2 renew, 3 release while it
  // is in it, 0 since it ended.
  std::array<std::atomic<std::uint64_t>, kMostThreads> operations{};
  std::array<std::atomic<std::int32_t>, kMostThreads> operation_keys{};  // readings: its key
  std::atomic<std::uint32_t> failed{0};  // one of its threads has: the client ends with an error
  // Reading: the process group of its lock, where that is a program of its own; 0: it is not.
  std::atomic<std::int32_t> lock_group{0};
  // Readings: whether that program tells its own wall clock, and what it was ahead of the host's when it last did.
  std::atomic<std::uint32_t> lock_tells_wall{0};
  std::atomic<std::int64_t> lock_wall_observed_ns{0};
  std::atomic<std::uint32_t> ready{0};      // reading: connected, and waits for `go`
  std::atomic<std::uint32_t> held_back{0};  // order: it waits, beyond `go`, until this is 0
  std::atomic<std::uint32_t> gone{0};       // order: it was killed, and believes nothing any more
  // Reading: grants of each key that it believes in, from the answer until its release was answered, or it left.
  std::array<std::atomic<std::uint8_t>, kMostKeys> believes{};
  Gate gated;
  BlockedThread blocked;
  Heartbeat heartbeat;
};

struct KeySlot {
  std::atomic<std::int64_t> last_grant_ns{0};
  std::atomic<std::int64_t> last_refusal_ns{0};
  std::atomic<std::int64_t> possible_grant_to_ns{0};  // of an attempt that a fault struck; CLOCK_MONOTONIC
};

struct ControlPage {
  std::int64_t zero_ns = 0;                    // CLOCK_MONOTONIC at the trial's time 0
  std::int64_t beat_ns = Heartbeat::kBeat_ns;  // from one beat to the next
  std::atomic<std::uint32_t> go{0};            // clients begin when it is set
  std::atomic<std::uint32_t> stop{0};          // clients finish what they hold and end
  std::atomic<std::uint32_t> armed_points_used{0};
  std::array<ArmedPoint, kMostArmedPoints> armed_points;
  std::array<ClientSlot, kClientSlots> clients;
  std::array<KeySlot, kMostKeys> keys;
};

// Owns the mapping. Errors: HarnessError-like std::runtime_error with the system's reason.
class SharedPage {
 public:
  static SharedPage create();
  static SharedPage attach(int descriptor);
  SharedPage(SharedPage&& other) noexcept;
  SharedPage& operator=(SharedPage&&) = delete;
  ~SharedPage();

  ControlPage& operator*() const { return *page_; }
  ControlPage* operator->() const { return page_; }
  int descriptor() const { return descriptor_; }

 private:
  SharedPage(int descriptor, ControlPage* page) : descriptor_(descriptor), page_(page) {}
  int descriptor_;
  ControlPage* page_;
};

// Client: passes a point. Almost always a few comparisons; waits only when it is the one that a trigger is for. While
// it waits it calls `show` every few milliseconds, so that a fault can be seen to act on it (its clock, read back).
PointAction arrive(ControlPage& page, std::uint32_t client, const ClientPosition& position,
                   const std::function<void()>& show);

// Client: before an operation, and around each statement of its own. Both wait for a turn, if the client is gated;
// the statement takes it. So an operation begins with the turn of its first statement. take_action says what is to
// become of the answer, once there is one.
void await_turn(Gate& gated);
void begin_statement(Gate& gated);
PointAction take_action(Gate& gated);
void end_statement(Gate& gated);

// Threads of the client that wait: refused and about to ask again, or in a call that has been open for longer than
// `poll_ms`.
std::int64_t waiting(const ClientSlot& client, std::int64_t now_ns, std::int64_t poll_ms);

// The operation in which one of the client's threads is, in the form of ClientSlot::operations: that which began last;
// where no thread is in one, the last that ended.
std::uint64_t current_operation(const ClientSlot& client);
constexpr bool is_open(std::uint64_t operation) {
  return (operation & 3U) != 0;
}

// The key that the client's open operation is about: `held` if another client believes in a grant of it; `any` if an
// attempt that a fault struck may have been granted it, or no operation is open.
KeyIs key_asked_for(const ControlPage& page, std::uint32_t client);

// An attempt of the client's that is open, and was executed, may have been granted its key, for so long.
void note_possible_grant(ControlPage& page, std::uint32_t client, std::int64_t lease_ns);

// Runner: `on` false lets the client go on as it likes. A turn is for one statement; the client must stand.
void gate(Gate& gated, bool on);
void give_turn(Gate& gated, PointAction action);

// Runner. wait_reached returns false when `timeout_ms` went by.
void arm(ControlPage& page, ArmedPoint& point);
bool wait_reached(ArmedPoint& point, int timeout_ms);
void answer(ArmedPoint& point, PointAction action);
bool disarm(ArmedPoint& point);  // false: a client had already reached it

// Wait until *word is no longer `value`, or the time is over; across processes.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, int timeout_ms);
void futex_wake(const std::atomic<std::uint32_t>& word);

}  // namespace holdfast
