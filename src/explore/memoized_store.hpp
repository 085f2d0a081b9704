// A store that remembers what the real one answered, and what it keeps of it.
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

// What a MemoizedStore keeps: answers by the state that they were given in, and where a schedule has come to.
class StoreContent {
 public:
  explicit StoreContent(std::vector<StoredRow> rows);
  // Rows that are over by then are as good as gone.
  std::uint64_t print(std::int64_t now_us) const { return now_us <= first_end_us_ ? print_ : print_of(now_us); }
  const std::vector<StoredRow>& rows() const { return rows_; }

 private:
  std::uint64_t print_of(std::int64_t now_us) const;
  std::vector<StoredRow> rows_;
  std::int64_t first_end_us_;
  std::uint64_t print_;  // of all of them
};

struct StoreState {
  std::uint64_t done = 0;                       // of what was done, where the content does not tell
  std::shared_ptr<const StoreContent> content;  // where it does
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

// A store that remembers what the real one answered. In the same state, at the same time, the same statement of the
// same session is answered alike; so the real server is asked once, and all other schedules that come by are told what
// it said. Whoever has been at a point of a schedule can come back to it without asking anything.
//
//   MemoizedStore store(make_sql_store(...), std::make_shared<StoreMemory>(), 0);
//   store.begin(now_us, Beginning::new_names);
//   Executed e = store.run(0, command, now_us);      // asks the real store only for what is new
//   StorePoint here = store.point();
//   store.go_to(here);
//
// For something new the real store is brought to the schedule's present, on rows of a fresh name: all statements so far
// are run on it, and each must be answered as remembered; if one is not, HiddenInStore. So what is remembered is proved
// again all the time, and whatever is new is always the real server's word. Where a content can be put back as it was
// read, that is done instead, but for every sixteenth time.
//
// The state is the content, where the store says that it tells all (rows, and locks of sessions); else it is all that
// was done since the beginning, in order, which is finer than needed and never wrong.
//
// What it does not remember: schedules on new tables, which are shown to people. They run on the real store throughout.
class MemoizedStore : public SteppedStore {
 public:
  // `number`: of the world that it belongs to; worlds on one server take names from ranges of their own. They may share
  // a memory, if their stores are alike.
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

  // The same as run(), without a copy of what is remembered.
  std::shared_ptr<const Executed> ask(std::size_t session, const std::shared_ptr<const Command>& command,
                                      std::int64_t now_us);
  const StorePoint& point() const { return point_; }
  void go_to(const StorePoint& point) { point_ = point; }  // of this schedule's beginning

  // Whether the content tells all; until it is said that it does, states are told apart by what was done.
  void trust_content(bool tells) { content_tells_ = tells; }
  // Whether the real store needs empty tables for each schedule: for a lock that makes numbers of names (a hash as a
  // key), fresh names are not enough, and it gets the same all the time.
  void renew_tables(bool wanted);
  // Whether every beginning makes the tables and the sessions anew: slow, and nothing is left of earlier schedules,
  // whatever the statements leave where nobody looks.
  void start_afresh(bool wanted);
  void forget() { memory_->clear(); }
  // Equal for two schedules only if the store would go on alike in both.
  std::uint64_t state(std::int64_t now_us) const;
  const StatementCounts& counts() const { return counts_; }  // of all schedules so far
  std::vector<StoreCall> calls() const;                      // of this schedule

 private:
  const StoreMemory::Entry& remember(StoreCall call);
  std::shared_ptr<const Executed> note(StoreCall call);
  void catch_up();
  bool put_content();
  Executed really(const StoreCall& call);
  // Where every schedule begins with empty tables, all rows are its own, whatever their names.
  std::string own_prefix(const std::string& prefix) const { return renew_tables_ ? "" : names_.real(prefix); }
  StoreState look(const StoreState& before, const StoreCall& call, std::uint64_t key);

  std::unique_ptr<SteppedStore> real_;
  std::shared_ptr<StoreMemory> memory_;
  StorePoint point_;
  std::shared_ptr<const StorePast> done_;  // what was done on the real store; nothing: only begun
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
