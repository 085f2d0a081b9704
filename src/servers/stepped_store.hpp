// Interface of the explorer to a real server: one session per actor, single statements, and a clock that stands at a
// given time. Each kind of server has an implementation; each object belongs to one worker of the search, with its own
// database or server.
//
//   store->begin(now_us, true);                                   // resets everything
//   Command c = store->bind(0, "acquire", {{"key", key}, ...});
//   Executed e = store->run(0, c, now_us);
//   if (e.would_wait) ...                                         // for another's row lock; nothing has changed
//
// Times are microseconds since 1970.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "servers/statement_file.hpp"
#include "store/session.hpp"

namespace holdfast {

struct Command {
  std::string statement;               // its name
  std::string text;                    // readable form
  std::vector<std::string> arguments;  // of a Redis command
  bool at_any_time = false;            // independent of the server's time
  std::uint64_t print = 0;             // hash of the text, if bound by a memoizing store
  std::uint32_t number = 0;            // number of its name (story.hpp), likewise
};

struct Executed {
  Reply reply;
  bool would_wait = false;
  // If it would wait: the longest wait, with `reply` as the answer at its end.
  std::int64_t wait_us = 0;
  bool read = false;        // it only read
  bool changed = false;     // it may have changed something visible to others
  std::uint64_t print = 0;  // hash of the session's view, from a memoizing store
};

// A stored item, with the last time at which it exists; a table's row never expires by itself.
struct StoredRow {
  std::vector<std::string> fields;
  std::int64_t gone_after_us = std::numeric_limits<std::int64_t>::max();
};

std::string answer_text(const Executed& executed);  // readable form
inline constexpr const char* kWaitsForLock = "waits for a row lock";
inline constexpr const char* kWaitsForOwnLock = "waits for a lock of a session";

enum class Beginning : std::uint8_t {
  new_names,  // names are new ones; nothing else is reset
  emptied,    // no rows of earlier schedules are left
  new_tables  // nothing is left, including in the sessions
};

class SteppedStore {
 public:
  virtual ~SteppedStore() = default;
  // Begins a schedule.
  virtual void begin(std::int64_t now_us, Beginning beginning) = 0;
  virtual Command bind(std::size_t session, std::string_view statement, Params params) = 0;
  virtual Executed run(std::size_t session, const Command& command, std::int64_t now_us) = 0;
  virtual void end_session(std::size_t session) = 0;  // as at the end of its connection: rolled back, locks released
  virtual bool holds_session(std::size_t session) const = 0;  // a transaction, or a session lock
  // The store's complete content for a schedule, including the sessions' own locks, if that is the complete state: if
  // no open or past transaction can affect what follows. `prefix` begins every key and owner of the schedule.
  virtual std::optional<std::vector<StoredRow>> content(const std::string& prefix) = 0;
  // After begin(): restores a content without the statements that led to it. Returns false without an effect if this is
  // not equivalent.
  virtual bool put(const std::vector<StoredRow>&) { return false; }
  virtual bool empties() const = 0;  // every beginning removes all rows
  // Returns true if a statement may leave state outside the content that only new tables remove.
  virtual bool hides_state() const { return false; }
  // Returns true if names are global to the server, so that workers with equal names interfere.
  virtual bool shares_names() const { return false; }
  // Answer to a deadlock's victim, if sessions can wait for each other.
  virtual Reply deadlock() const { return Reply::refused(ErrorKind::conflict, 0, "deadlock"); }
  virtual std::uint32_t servers() const { return 1; }  // as in StoreSpec
  virtual std::int64_t tick_us() const = 0;            // resolution of its clock
  // Returns true if something in it may end, or be truncated, at the beginning of a second.
  virtual bool tells_whole_seconds() const = 0;
};

// Statements whose answers a search needed.
struct StatementCounts {
  std::uint64_t asked = 0;     // executed by the real store, including those that bring it to a schedule's present
  std::uint64_t memoized = 0;  // answered from memory
};

// Parameters of a store.
struct StoreSpec {
  StatementFile file;     // the lock's
  std::string variant{};  // of its connections
  std::string isolation = "repeatable_read";
  std::size_t sessions = 0;
  int worker = 0;
  std::uint32_t servers = 1;  // independent servers, all used by each session

  StoreSpec of(int number) const {
    StoreSpec out = *this;
    out.worker = number;
    return out;
  }
};

struct StoreCall {
  std::size_t session = 0;
  std::shared_ptr<const Command> command;  // null: the session ends
  std::int64_t now_us = 0;
  std::shared_ptr<const Executed> executed;
};

struct ExploreStores {
  std::function<std::unique_ptr<SteppedStore>(int worker)> make;
  // Runs the calls of a schedule with real waits; returns the difference, or an empty text. Null if nothing can wait.
  std::function<std::string(const std::vector<StoreCall>&)> with_real_waits = nullptr;
};

// The servers of one kind in the explorer's lab, each started on first use.
class ExploreServer {
 public:
  virtual ~ExploreServer() = default;
  virtual ExploreStores stores_of(const StoreSpec& spec) = 0;  // independent of the worker
  virtual void stop() = 0;
};

}  // namespace holdfast
