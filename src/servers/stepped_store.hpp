// A real server as the explorer needs it: one session an actor, statements one at a time, and a clock that stands where
// it is put. One implementation a kind of server; each belongs to one worker of the search,
// with a database or a server of its own.
//
//   store->begin(now_us, true);                                   // everything as new
//   Command c = store->bind(0, "acquire", {{"key", key}, ...});
//   Executed e = store->run(0, c, now_us);
//   if (e.would_wait) ...                                         // on another's row lock; it has changed nothing
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
  std::string text;                    // as people read it
  std::vector<std::string> arguments;  // of a Redis command
  bool at_any_time = false;            // the server's time makes no difference to it
  std::uint64_t print = 0;             // of the text, where it was bound by a store that remembers
  std::uint32_t number = 0;            // of its name (story.hpp), the same
};

struct Executed {
  Reply reply;
  bool would_wait = false;
  // Of one that would wait: for how long at most, and `reply` is what it is told then.
  std::int64_t wait_us = 0;
  bool read = false;        // it only asked
  bool changed = false;     // it may have changed something that others see
  std::uint64_t print = 0;  // of what its session is told, where a store that remembers was asked
};

// Something that is stored, and the last moment at which it is; a row of a table never goes by itself.
struct StoredRow {
  std::vector<std::string> fields;
  std::int64_t gone_after_us = std::numeric_limits<std::int64_t>::max();
};

std::string answer_text(const Executed& executed);  // as people read it
inline constexpr const char* kWaitsForLock = "waits for a row lock";
inline constexpr const char* kWaitsForOwnLock = "waits for a lock of a session";

enum class Beginning : std::uint8_t {
  new_names,  // the caller takes names that were never there; nothing else is done
  emptied,    // no row is left of earlier schedules
  new_tables  // nothing at all is left of them, in the sessions either
};

class SteppedStore {
 public:
  virtual ~SteppedStore() = default;
  // A new beginning.
  virtual void begin(std::int64_t now_us, Beginning beginning) = 0;
  virtual Command bind(std::size_t session, std::string_view statement, Params params) = 0;
  virtual Executed run(std::size_t session, const Command& command, std::int64_t now_us) = 0;
  virtual void end_session(std::size_t session) = 0;          // as when its connection ends: rolled back, locks gone
  virtual bool holds_session(std::size_t session) const = 0;  // a transaction, or a lock of the session's own
  // All that the store has of a schedule, the sessions' own locks too, if that says all: if no transaction, open or
  // past, can matter to what follows. `prefix` begins every key and every owner of the schedule.
  virtual std::optional<std::vector<StoredRow>> content(const std::string& prefix) = 0;
  // After a beginning: the content is as it was told, without the statements that led to it. False, and nothing is
  // done: that would not be the same.
  virtual bool put(const std::vector<StoredRow>&) { return false; }
  virtual bool empties() const = 0;  // every beginning leaves no row
  // Whether a statement may leave something that the content does not tell, and that only new tables undo.
  virtual bool hides_state() const { return false; }
  // Whether names are the whole server's, so that workers which take the same ones meet.
  virtual bool shares_names() const { return false; }
  // What the victim of a deadlock is told, where sessions can wait for each other.
  virtual Reply deadlock() const { return Reply::refused(ErrorKind::conflict, 0, "deadlock"); }
  virtual std::uint32_t servers() const { return 1; }  // as StoreSpec has it
  virtual std::int64_t tick_us() const = 0;            // the smallest time that its clock tells apart
  // Whether something in it may end, or be cut off, where a second begins.
  virtual bool tells_whole_seconds() const = 0;
};

// Statements that a search needed an answer to.
struct StatementCounts {
  std::uint64_t asked = 0;     // of the real store, those among them that bring it to where a schedule is
  std::uint64_t memoized = 0;  // answered from memory
};

// What a store is made for.
struct StoreSpec {
  StatementFile file;     // the lock's
  std::string variant{};  // of its connections
  std::string isolation = "repeatable_read";
  std::size_t sessions = 0;
  int worker = 0;
  std::uint32_t servers = 1;  // that know nothing of each other, of which a session reaches all

  StoreSpec of(int number) const {
    StoreSpec out = *this;
    out.worker = number;
    return out;
  }
};

struct StoreCall {
  std::size_t session = 0;
  std::shared_ptr<const Command> command;  // none: the session ends
  std::int64_t now_us = 0;
  std::shared_ptr<const Executed> executed;
};

struct ExploreStores {
  std::function<std::unique_ptr<SteppedStore>(int worker)> make;
  // Runs the calls of a schedule with waits that are real; what was otherwise, or nothing. None where nothing can wait.
  std::function<std::string(const std::vector<StoreCall>&)> with_real_waits = nullptr;
};

// The servers of one kind in the explorer's lab, each started when it is first needed.
class ExploreServer {
 public:
  virtual ~ExploreServer() = default;
  virtual ExploreStores stores_of(const StoreSpec& spec) = 0;  // its worker does not count
  virtual void stop() = 0;
};

}  // namespace holdfast
