// A lock among simulated clients on a real server, stepped word by word: the SearchWorld that explore searches.
//
//   LockWorld world(settings, *store);
//   world.reset();
//   world.take({WordKind::step, 0});      // A runs up to and including its first statement
//
// A step is: the actor runs on from where it waits, and its next statement is executed and answered. A statement that
// would wait for a row lock is parked; it is tried again after every other statement, in the order in which they came,
// and keeps the time at which it began. When all wait for one another, each may be the deadlock's victim.
//
// Time moves only by words: to a tick before, to, and a tick after the next end of a lease, and to the whole seconds
// around it; to when an actor wakes. Where nobody can go on before some time has passed, it passes for free.
#pragma once

#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "explore/beliefs.hpp"
#include "explore/client_program.hpp"
#include "explore/player.hpp"
#include "explore/remembered_store.hpp"
#include "explore/trace.hpp"

namespace holdfast {

class LockWorld : public SearchWorld, private Witnesses {
 public:
  // Worlds on one server need a number each: their names must differ, for a session's own locks know no databases.
  LockWorld(const ExploreSettings& settings, std::unique_ptr<SteppedStore> store, int number = 0);
  static std::size_t sessions(const ExploreSettings& settings);  // that its store must have

  void reset() override;
  std::vector<Option> options() override;
  void take(const Word& word) override;
  void finish() override;
  const std::vector<Violation>& violations() const override { return beliefs_.violations(); }
  std::uint64_t state() override;

  // Plain names on fresh tables, and a trace, from the next reset on: slower, and the same for every repetition.
  void for_people(bool wanted) { for_people_ = wanted; }
  const Trace& trace() const { return trace_; }
  // Runs one schedule to learn what the lock uses: whether wrong clocks matter to it.
  void learn();
  std::uint64_t grants() const { return grants_; }  // of all schedules so far
  const StatementCounts& statements() const { return store_.counts(); }
  bool waited() const { return waited_; }  // a statement waited for a row lock in this schedule

 private:
  struct Doing {  // what an actor is about
    Op op = Op::write;
    bool background = false;
    std::int64_t asked_us = 0;
    bool under_way = false;
  };
  struct Letter {  // a statement on its way
    std::uint8_t actor = 0;
    Command command;
    Issuer issuer;
  };

  // Witnesses.
  void asked(Player& actor, Op op, bool background) override;
  void answered(Player& actor, Op op, bool background, const Answer& answer) override;
  void left(Player& actor) override;
  void broke(Player& actor, const std::string& what) override;

  Player* actor(std::uint8_t id);
  static std::uint32_t client_of(const Player& actor) { return actor.id / 2U; }
  bool runnable(const Player& actor) const;
  bool anyone_holds_session() const;
  void step(Player& actor, const Word& word);
  void go_on(Player& actor);  // until it waits again
  void execute(Player& actor);
  void settle(Player& actor, const Executed& executed);
  void retry_parked();
  bool retry_one_parked();
  void note_change(const Issuer& issuer, const Executed& executed, std::uint64_t history);
  void arrive(std::uint8_t id);
  void end_session(Player& actor);
  void strike(Player& actor, WordKind kind);
  void be_victim(Player& actor);
  void unpark(const Player& actor);
  void pass_time(std::int64_t us);
  Issuer issuer_of(const Player& actor) const;

  // options
  void add_steps(std::vector<Option>& out) const;
  void add_faults(std::vector<Option>& out) const;
  void add_times(std::vector<Option>& out) const;
  void add_what_must_come(std::vector<Option>& out) const;
  std::set<std::int64_t> times() const;
  std::int64_t next_wake() const;
  Fingerprint stored() const;
  bool probe_is_let_in();

  void act(const Word& word);
  void begin_telling(const Word& word);
  void end_telling(const Word& word);
  void tell(TraceStep step);  // into the trace
  void tell_event(const Player& actor, const std::string& what);
  void tell_answer(Op op, const Answer& answer);
  void tell_statement(const Player& actor, const std::string& text, const std::string& answer);

  const ExploreSettings settings_;
  const LockType& type_;
  RememberedStore store_;
  ScheduleNames names_;
  WorldClock clock_;
  Beliefs beliefs_;
  std::vector<std::unique_ptr<Player>> actors_;           // clients and watchdogs, by number
  std::vector<std::unique_ptr<ClientProgram>> programs_;  // by client
  std::unique_ptr<Player> probe_;
  std::vector<Doing> doing_;          // by actor's id
  std::multiset<std::int64_t> ends_;  // of leases, as client or server may count them
  std::deque<Letter> letters_;
  std::vector<std::uint8_t> parked_;  // in the order in which they came
  Fingerprint stored_;                // of what was done to the store
  std::uint64_t grants_ = 0;
  std::uint8_t current_ = 0;
  bool begun_ = false;        // a step was taken
  bool just_passed_ = false;  // the last word was a time
  bool waited_ = false;
  bool reads_wall_clock_ = false;
  bool for_people_ = false;
  std::string word_;  // for the trace: that is being taken, until a line has it
  std::string said_;  // for the trace: what the lock answered in this step
  Trace trace_;
};

}  // namespace holdfast
