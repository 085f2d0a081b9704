// A store that remembers what the real one answered. In the same state, at the same time, the same statement of the
// same session is answered alike; so the real server is asked once, and all other schedules that come by are told what
// it said. A search runs most of its statements again and again, as the beginnings of schedules, so nearly all are.
//
//   RememberedStore store(make_sql_store(...));
//   store.begin(now_us, false);
//   Executed e = store.run(0, command, now_us);      // asks the real store only for what is new
//
// For something new the real store is brought to the schedule's present: all statements so far are run on it, on rows
// of a fresh name, and each must be answered as remembered; if one is not, HarnessError. So what is remembered is
// proved again all the time, and whatever is new is always the real server's word.
//
// The state is the content, where the store says that it tells all (rows, and locks of sessions); else it is all that
// was done since the beginning, in order, which is finer than needed and never wrong.
//
// What it does not remember: `afresh`, the schedules that are shown to people. They run on the real store throughout.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/fingerprint.hpp"
#include "explore/stepped_store.hpp"

namespace holdfast {

class RememberedStore : public SteppedStore {
 public:
  // `number`: of the world that it belongs to; worlds on one server take names from ranges of their own.
  RememberedStore(std::unique_ptr<SteppedStore> real, int number);

  void begin(std::int64_t now_us, bool afresh) override;
  Command bind(std::size_t session, std::string_view statement, Params params) override;
  Executed run(std::size_t session, const Command& command, std::int64_t now_us) override;
  void end_session(std::size_t session) override;
  bool holds_session(std::size_t session) const override;
  std::optional<std::vector<StoredRow>> content(const std::string& prefix) override;
  bool empties() const override { return real_->empties(); }
  std::int64_t tick_us() const override { return real_->tick_us(); }

  // Whether the content tells all; until it is said that it does, states are told apart by what was done.
  void trust_content(bool tells) { content_tells_ = tells; }
  // Of the content, where that tells all now: equal for two schedules only if the store would go on alike in both.
  std::optional<std::uint64_t> content_state(std::int64_t now_us) const;
  const StatementCounts& counts() const { return counts_; }  // of all schedules so far

 private:
  struct State {
    std::uint64_t done = 0;                                 // of what was done, where the content does not tell
    std::shared_ptr<const std::vector<StoredRow>> content;  // where it does
    std::vector<bool> holds;                                // by session
    bool anyone_holds() const;
  };
  struct Entry {
    Executed executed;
    State after;
  };
  struct Call {
    std::size_t session = 0;
    Command command;  // none: the session ends
    std::int64_t now_us = 0;
    Executed executed;
  };

  const Entry& remember(Call call);
  void catch_up();
  Executed really(const Call& call);
  State look(const State& before, const Call& call, std::uint64_t key);
  std::string real_name(std::string text) const;
  std::string known_name(std::string text) const;

  std::unique_ptr<SteppedStore> real_;
  std::unordered_map<std::uint64_t, Entry> memory_;
  State state_;
  std::vector<Call> log_;  // of this schedule
  std::size_t done_ = 0;   // of the log, on the real store
  bool begun_ = false;     // the real store has begun this schedule
  bool direct_ = false;    // for people
  bool content_tells_ = false;
  std::int64_t begin_us_ = 0;
  std::uint64_t fresh_ = 0;  // number of the rows' name on the real store
  StatementCounts counts_;
};

}  // namespace holdfast
