// A store that memoizes the answers and contents of the real one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/names.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

// Contents of a MemoizedStore: answers by the state in which they were given, and a schedule's position.
class StoreContent {
 public:
  explicit StoreContent(std::vector<StoredRow> rows);
  // Rows that have expired by then count as missing.
  std::uint64_t print(std::int64_t now_us) const { return now_us <= first_end_us_ ? print_ : print_of(now_us); }
  const std::vector<StoredRow>& rows() const { return rows_; }

 private:
  std::uint64_t print_of(std::int64_t now_us) const;
  std::vector<StoredRow> rows_;
  std::int64_t first_end_us_;
  std::uint64_t print_;  // of all of them
};

struct StoreState {
  std::uint64_t done = 0;                       // of the history, if the content is not the complete state
  std::shared_ptr<const StoreContent> content;  // if it is
  std::uint64_t holds = 0;                      // a bit for each session
};

// A call and those before it.
struct StorePast {
  std::shared_ptr<const StorePast> before;
  StoreCall call;
};

struct StorePoint {
  StoreState state;
  std::shared_ptr<const StorePast> past;
};

class StoreMemory {
 public:
  struct Entry {
    std::shared_ptr<const Executed> executed;
    StoreState after;
  };
  const Entry* find(std::uint64_t key) const;
  const Entry& keep(std::uint64_t key, Entry entry);
  void clear();

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, Entry> entries_;
};

// A store that memoizes the real one's answers. In an equal state at an equal time, the same statement of the same
// session gets the same answer; so the real server is asked once, and other schedules use the stored answer. A schedule
// can return to any earlier point without asking the server.
//
//   MemoizedStore store(make_sql_store(...), std::make_shared<StoreMemory>(), 0);
//   store.begin(now_us, Beginning::new_names);
//   Executed e = store.run(0, command, now_us);      // asks the real store only for what is new
//   StorePoint here = store.point();
//   store.go_to(here);
//
// For something new, the real store is brought to the schedule's present on rows with a fresh name: all statements so
// far are run, and each must be answered as remembered; otherwise HiddenInStore is thrown. So memoized answers are
// verified continuously, and new answers always come from the real server. If a content can be restored as it was read,
// that is done instead, except every sixteenth time.
//
// The state is the content if the store declares it complete (rows, and locks of sessions); otherwise it is the
// sequence of all statements since the beginning, which is finer than necessary and never wrong.
//
// Schedules on new tables, shown to people, are not memoized. They use the real store throughout.
class MemoizedStore : public SteppedStore {
 public:
  // `number`: of its world; worlds on one server take names from separate ranges. They may share a memory if their
  // stores are alike.
  MemoizedStore(std::unique_ptr<SteppedStore> real, std::shared_ptr<StoreMemory> memory, int number);

  void begin(std::int64_t now_us, Beginning beginning) override;
  Command bind(std::size_t session, std::string_view statement, Params params) override;
  Executed run(std::size_t session, const Command& command, std::int64_t now_us) override;
  void end_session(std::size_t session) override;
  bool holds_session(std::size_t session) const override;
  std::optional<std::vector<StoredRow>> content(const std::string& prefix) override;
  bool empties() const override { return real_->empties(); }
  bool hides_state() const override { return real_->hides_state(); }
  bool shares_names() const override { return names_.kept() && real_->shares_names(); }
  Reply deadlock() const override { return real_->deadlock(); }
  std::uint32_t servers() const override { return real_->servers(); }
  std::int64_t tick_us() const override { return real_->tick_us(); }
  bool tells_whole_seconds() const override { return real_->tells_whole_seconds(); }

  // As run(), without copying the stored answer.
  std::shared_ptr<const Executed> ask(std::size_t session, const std::shared_ptr<const Command>& command,
                                      std::int64_t now_us);
  const StorePoint& point() const { return point_; }
  void go_to(const StorePoint& point) { point_ = point; }  // of this schedule's beginning

  // Sets whether the content is the complete state; until then states are distinguished by history.
  void trust_content(bool tells) { content_tells_ = tells; }
  // Sets whether the real store needs empty tables for each schedule: for a lock that converts names to numbers (a hash
  // as a key), fresh names are not enough, and it always gets the same name.
  void renew_tables(bool wanted);
  // Sets whether every beginning recreates the tables and sessions: slow, but nothing remains of earlier schedules.
  void start_afresh(bool wanted);
  void forget() { memory_->clear(); }
  // Equal for two schedules only if the store would continue equally in both.
  std::uint64_t state(std::int64_t now_us) const;
  const StatementCounts& counts() const { return counts_; }  // of all schedules so far
  std::vector<StoreCall> calls() const;                      // of this schedule

 private:
  const StoreMemory::Entry& remember(StoreCall call);
  std::shared_ptr<const Executed> note(StoreCall call);
  void catch_up();
  bool put_content();
  Executed really(const StoreCall& call);
  // If every schedule begins with empty tables, all rows are its own, whatever their names.
  std::string own_prefix(const std::string& prefix) const { return renew_tables_ ? "" : names_.real(prefix); }
  StoreState look(const StoreState& before, const StoreCall& call, std::uint64_t key);

  std::unique_ptr<SteppedStore> real_;
  std::shared_ptr<StoreMemory> memory_;
  StorePoint point_;
  std::shared_ptr<const StorePast> done_;  // executed on the real store; null: only begun
  bool begun_ = false;                     // the real store has begun a schedule
  bool direct_ = false;                    // for people
  bool content_tells_ = false;
  bool renew_tables_ = false;
  bool afresh_ = false;
  std::int64_t begin_us_ = 0;
  std::uint64_t beginnings_ = 0;
  FreshNames names_;  // of the rows on the real store
  StatementCounts counts_;
};

}  // namespace holdfast
