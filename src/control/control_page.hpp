// The control page: memory shared by the runner and all clients of one trial. The runner writes orders, the clients
// write readings. Verdicts use the journals only, never this page.
//
// A fault that waits for an injection point arms an ArmedPoint. The nth client that matches it stops in `arrive` until
// the runner has acted and answered, so the fault strikes exactly there:
//
//   runner: arm(page, point) ... wait_reached(point) -> client 3 waits; act; answer(point, PointAction::go_on)
//   client: PointAction action = arrive(page, here);
//
// Clients never inject a fault themselves. This is as exact as a signal that the client raises, but every fault is
// performed, timed and proved in one place, and a partition can strike at a statement exactly as a pause can. The
// client compares its ClientState with the armed point when it arrives; a comparison in the runner could use an
// outdated state.
//
// A client *believes* that it holds a key from the grant that it read until its release was answered, or it left.
//
// The page is an anonymous file (memfd) that is passed by descriptor: it has no name and needs no clean-up. Fields are
// atomic where both sides use them during a trial. Times are nanoseconds of CLOCK_MONOTONIC unless stated otherwise.
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

inline constexpr std::size_t kMostArmedPoints = 2 * kMostFaults;         // two per fault: its beginning and its end
inline constexpr std::size_t kClientSlots = kMostClients + kMostFaults;  // a fault may need a spare

enum class ArmedPointState : std::uint32_t { disarmed, armed, reached, answered };

// State of a worker or watchdog thread at an injection point. A thread counts as a waiter after a refusal, or when its
// acquire has waited at the server for longer than a poll interval (locks that declare `waits`). For other locks an
// acquire that stays open that long is delayed by a fault and is not a waiter.
struct ClientState {
  Asking asking = Asking::nothing;
  std::int32_t key = -1;       // index of the key in use; -1: none
  bool believes = false;       // believes that it holds some key
  bool believes_this = false;  // believes that it holds `key`
  bool waits = false;          // the last attempt was answered `busy`, and another follows
  // counts as a waiter from this time, during a call that waits at the server; 0: no such call
  std::int64_t waits_from_ns = 0;
};

// Position of a client: a phase, or the point before or after a statement.
struct ClientPosition {
  Phase phase{};
  const char* statement = nullptr;  // a statement instead of a phase
  bool after = false;
  ClientState state{};
  // index from 1 among the operation's statements that name its key; 0: the statement names no key
  std::int64_t number = 0;
};

enum class ClientRole : std::uint8_t { anyone, holder, waiter };
enum class KeyIs : std::uint8_t { any, free, held };

struct ArmedPoint {
  // Written before arming, constant while armed.
  Phase phase{};
  bool on_statement = false;
  bool after = false;
  std::array<char, 54> statement{};
  std::int64_t request = 0;     // if not 0, matches ClientPosition::number instead of a statement name
  Asking of = Asking::nothing;  // nothing: any operation
  KeyIs key = KeyIs::any;
  ClientRole whom = ClientRole::anyone;
  std::int32_t client = -1;  // -1: any client
  std::int64_t nth = 1;

  std::atomic<ArmedPointState> state{ArmedPointState::disarmed};
  std::atomic<PointAction> action{PointAction::go_on};
  std::atomic<std::int64_t> passed{0};
  std::atomic<std::uint32_t> reached_by{0};
  std::atomic<std::int64_t> reached_ns{0};
};

// Makes a client stop before each of its statements until the runner gives it a turn.
struct Gate {
  std::atomic<std::uint32_t> on{0};                     // order
  std::atomic<std::uint32_t> turns{0};                  // order: number of statements that may begin
  std::atomic<PointAction> action{PointAction::go_on};  // order: the action on the next reply
  std::atomic<std::uint32_t> stands{0};                 // reading: 1 while it waits before a statement
  std::atomic<std::uint32_t> begun{0};                  // reading: statements so far, gated or not
  std::atomic<std::uint32_t> answered{0};               // reading: statements that were answered, refused or lost
};

// Readings of a client's heartbeat (client/client.cpp): intervals in which the client did not run, for any reason.
struct Heartbeat {
  static constexpr std::int64_t kBeat_ns = 20'000'000;
  static constexpr std::int64_t kSlowBeat_ns = 200'000'000;  // in skipped time, where each beat wakes the program
  static constexpr std::int64_t kGapBeats = 3;               // gaps of at least this many beats are reported
  static constexpr std::uint32_t kKept = 16;

  std::atomic<std::uint32_t> gaps{0};    // number so far; the last kKept are stored below
  std::atomic<std::int64_t> beat_ns{0};  // time of the last beat
  std::array<std::atomic<std::int64_t>, kKept> from_ns{};
  std::array<std::atomic<std::int64_t>, kKept> to_ns{};

  void add(std::int64_t from, std::int64_t to) {
    const std::uint32_t at = gaps.load() % kKept;
    from_ns.at(at).store(from);
    to_ns.at(at).store(to);
    gaps.fetch_add(1);
  }
};

// State of a client with one blocked thread while other threads of its program run.
struct BlockedThread {
  std::atomic<std::int64_t> ms{0};  // order: a thread that passes a point, or sleeps, blocks until this is 0 again
  std::atomic<std::int64_t> since_ns{0};  // reading: start of the block; 0: not blocked
  // Reading, if the lock is a separate program: when other threads of it were last seen to run; 0: not yet.
  std::atomic<std::int64_t> seen_ns{0};
};

struct ClientSlot {
  std::atomic<std::int64_t> wall_offset_ns{0};    // order: add this to the client's wall clock
  std::atomic<std::int64_t> wall_observed_ns{0};  // reading: offset from the host's wall clock at the last reading
  std::atomic<std::int64_t> holding{0};           // reading: keys it believes it holds
  std::atomic<std::int64_t> waiting{0};           // reading: threads refused and waiting for their next attempt
  std::atomic<std::int64_t> drift_ppm{0};         // order: rate error of the clocks, since drift_since_ns
  std::atomic<std::int64_t> drift_since_ns{0};
  std::atomic<std::int64_t> drift_observed_ns{0};  // reading: offset caused by the drift so far
  // Readings per thread: number of its session at the lock service.
  std::array<std::atomic<std::uint64_t>, kMostThreads> connections{};
  // Readings per thread: start of the open acquire, for locks whose attempts wait at the server; 0: none open.
  std::array<std::atomic<std::int64_t>, kMostThreads> asking_since_ns{};
  std::atomic<std::int64_t> replies_lost{0};  // reading: number of PointAction::lose_reply actions performed
  // Readings per thread: the number of its last operation times four, plus 1 (acquire), 2 (renew) or 3 (release) while
  // the operation is open, plus 0 after its end.
  std::array<std::atomic<std::uint64_t>, kMostThreads> operations{};
  std::array<std::atomic<std::int32_t>, kMostThreads> operation_keys{};  // readings: its key
  std::atomic<std::uint32_t> failed{0};  // a thread has failed: the client ends with an error
  // Reading: process group of the lock's program; 0: the lock runs in the client's process.
  std::atomic<std::int32_t> lock_group{0};
  // Readings: whether that program reports its wall clock, and the clock's offset from the host's at the last report.
  std::atomic<std::uint32_t> lock_tells_wall{0};
  std::atomic<std::int64_t> lock_wall_observed_ns{0};
  std::atomic<std::uint32_t> ready{0};      // reading: connected, and waits for `go`
  std::atomic<std::uint32_t> held_back{0};  // order: waits after `go` until this is 0
  std::atomic<std::uint32_t> gone{0};       // order: it was killed; its beliefs have ended
  // Readings: number of grants of each key that the client believes in, from the grant until the answer to the release
  // (or until the client leaves without one).
  std::array<std::atomic<std::uint8_t>, kMostKeys> believes{};
  Gate gated;
  BlockedThread blocked;
  Heartbeat heartbeat;
};

struct KeySlot {
  std::atomic<std::int64_t> last_grant_ns{0};
  std::atomic<std::int64_t> last_refusal_ns{0};
  // possible end of a grant whose acquire a fault struck; CLOCK_MONOTONIC
  std::atomic<std::int64_t> possible_grant_to_ns{0};
};

struct ControlPage {
  std::int64_t zero_ns = 0;                    // CLOCK_MONOTONIC at the trial's time 0
  std::int64_t beat_ns = Heartbeat::kBeat_ns;  // beat interval
  std::atomic<std::uint32_t> go{0};            // clients begin when it is set
  std::atomic<std::uint32_t> stop{0};          // clients release what they hold and end
  std::atomic<std::uint32_t> armed_points_used{0};
  std::array<ArmedPoint, kMostArmedPoints> armed_points;
  std::array<ClientSlot, kClientSlots> clients;
  std::array<KeySlot, kMostKeys> keys;
};

// Owns the mapping. Throws std::runtime_error with the system's reason.
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

// Client: passes a point. Usually a few comparisons; it waits only if an armed point matches. While it waits it calls
// `show` every few milliseconds, so that the runner can see the fault's effect (for example a clock read back).
PointAction arrive(ControlPage& page, std::uint32_t client, const ClientPosition& position,
                   const std::function<void()>& show);

// Client: calls around an operation and around each statement. If the client is gated, both wait for a turn; the
// statement uses it up, so an operation begins with the turn of its first statement. take_action returns the action on
// the reply after the statement was answered.
void await_turn(Gate& gated);
void begin_statement(Gate& gated);
PointAction take_action(Gate& gated);
void end_statement(Gate& gated);

// Number of the client's waiting threads: refused and about to retry, or in a call open for longer than `poll_ms`.
std::int64_t waiting(const ClientSlot& client, std::int64_t now_ns, std::int64_t poll_ms);

// Returns the operation that began last among the client's open ones, in the form of ClientSlot::operations; if none is
// open, the operation that ended last.
std::uint64_t current_operation(const ClientSlot& client);
constexpr bool is_open(std::uint64_t operation) {
  return (operation & 3U) != 0;
}

// State of the key in the client's open operation: `held` if another client believes in a grant of it; `any` if an
// attempt struck by a fault may have been granted it, or if no operation is open.
KeyIs key_asked_for(const ControlPage& page, std::uint32_t client);

// Records that the client's open, executed attempt may have been granted its key for `lease_ns`.
void note_possible_grant(ControlPage& page, std::uint32_t client, std::int64_t lease_ns);

// Runner: `on` false lets the client run freely. A turn is for one statement; the client must be waiting for it.
void gate(Gate& gated, bool on);
void give_turn(Gate& gated, PointAction action);

// Runner. wait_reached returns false after `timeout_ms`.
void arm(ControlPage& page, ArmedPoint& point);
bool wait_reached(ArmedPoint& point, int timeout_ms);
void answer(ArmedPoint& point, PointAction action);
bool disarm(ArmedPoint& point);  // false: a client had already reached it

// Waits until *word differs from `value` or the time-out ends. Works across processes.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, int timeout_ms);
void futex_wake(const std::atomic<std::uint32_t>& word);

}  // namespace holdfast
