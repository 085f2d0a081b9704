// A lock with simulated clients on a real server, stepped word by word: the SearchWorld for explore.
//
//   LockWorld world(settings, *store, memories);
//   world.reset();
//   world.take({WordKind::step, 0});      // A runs up to and including its first statement
//
// In a step the actor runs from where it waits, and its next statement is executed and answered. A statement that would
// wait for a row lock is parked; it is retried after every other statement, in order of arrival, with its original
// start time: as in InnoDB's queue it continues immediately when possible, before any other client's next statement.
// Its client processes the answer in a separate step. When all actors wait for one another, each may be the deadlock's
// victim.
//
// Only words move time: to a tick before, to, and a tick after the next end of a lease, to the whole seconds around it,
// and to when an actor wakes. If no actor can continue before some time has passed, that time is free: work, polls and
// silences have no length.
//
// Its position is a value (world_state.hpp) that can be stored and restored, because clients and store memoize their
// behaviour. Worlds that share memories may be searched in parallel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explore/client_program.hpp"
#include "explore/memoized_client.hpp"
#include "explore/memoized_store.hpp"
#include "explore/trace_writer.hpp"
#include "explore/traced_world.hpp"
#include "explore/world_state.hpp"

namespace holdfast {

// Memories for worlds with the same settings.
struct LockMemories {
  std::shared_ptr<StoreMemory> store = std::make_shared<StoreMemory>();
  std::vector<std::shared_ptr<TurnMemory>> actors;  // by number; the last is the probe's
  explicit LockMemories(const ExploreSettings& settings);
};

class LockWorld : public TracedWorld {
 public:
  // Worlds on one server need different numbers: their names must differ, since session locks are global to the server.
  LockWorld(const ExploreSettings& settings, const LockType& type, std::unique_ptr<SteppedStore> store,
            const LockMemories& memories, int number = 0);
  static std::size_t sessions(const ExploreSettings& settings);  // number of sessions its store must have

  void reset() override;
  std::vector<Option> options() override;
  void take(const Word& word) override;
  void finish() override;
  const std::vector<Violation>& violations() const override { return state_.beliefs.violations(); }
  std::uint64_t state() override;
  std::uint64_t story() const override { return state_.story.print(is_stuck()); }
  bool is_stuck_from_here() override;
  StuckBy stuck_by(std::uint32_t client) const override { return state_.story.stuck_by(client); }
  std::string cause() const override;
  std::string flaw(const Violation& violation) const override;
  std::shared_ptr<const SearchPlace> here() override;
  void go_to(const SearchPlace& place) override;

  // Uses fresh tables, plain names (or the search's) and a trace from the next reset on: slower, and equal for every
  // repetition.
  void for_people(bool wanted, bool plain_names) override { writer_.write(wanted), plain_names_ = plain_names; }
  const Trace& trace() const override { return writer_.trace(); }
  // Runs one schedule to learn what the lock uses: whether wrong clocks affect it.
  // Throws HiddenState if two runs of a schedule from its beginning differ.
  void learn();
  // Sets how each schedule starts in the store, from `learn` on: at least as the lock requires.
  void begin_with(Beginning beginning) { beginning_ = beginning; }
  // Learned: worlds on its server interfere, because all use the same names. Then it is searched alone.
  bool alone() const { return store_.shares_names(); }
  std::uint64_t grants() const { return grants_; }  // of all schedules so far
  const StatementCounts& statements() const { return store_.counts(); }
  bool waited() const override { return state_.waited; }
  std::vector<StoreCall> calls() const { return store_.calls(); }  // of the store, in this schedule
  void end_sessions();                                             // releases what they still hold

 private:
  void add_simulated_client(const LockMemories& memories, std::uint8_t id, std::size_t session,
                            const std::string& address);
  void hear(SimulatedActor& actor, const ClientAnnouncement& said);
  void hear_answer(SimulatedActor& actor, const ClientAnnouncement& said);

  void takes_effect(const Executed& executed, Op op);
  std::int64_t free_us() const;

  void learn_of_store();
  void prove_determined();
  bool content_tells();
  std::size_t steps_to_a_grant();
  void step(SimulatedActor& actor, const Word& word);
  void go_on(SimulatedActor& actor);  // until it waits again
  void execute(SimulatedActor& actor);
  void settle(SimulatedActor& actor, std::shared_ptr<const Executed> executed);
  void retry_parked();
  bool retry_one_parked();
  bool retry_actor(std::uint8_t id);
  bool retry_in_flight(std::uint8_t of_actor);
  bool receive(StatementInFlight& statement, std::int64_t time_us);  // returns false if it waits
  void give_up_in_flight();
  std::shared_ptr<const Executed> answer_of(SimulatedActor& actor);
  bool has_just_written(const SimulatedActor& actor) const { return state_.has_just_written(actor.client()); }
  void note_time_written(SimulatedActor& actor, const Executed& executed);
  void pass_moment();
  bool moments() const;  // true if the server's clock has different readings for consecutive ticks
  std::size_t late_session() const { return sessions(settings_) - 1; }
  void arrive(std::uint8_t id);
  void end_session(SimulatedActor& actor);
  void strike(SimulatedActor& actor, WordKind kind);
  void crash(const SimulatedActor& actor);
  void be_victim(SimulatedActor& actor);
  Issuer issuer_of(const SimulatedActor& actor) const;

  // For the story, which distinguishes violations (story.hpp).
  bool is_stuck() const;
  void note_said(const SimulatedActor& actor, const ClientAnnouncement& said);
  void note_executed(std::uint32_t client, const Command& command, const Issuer& issuer, const Reply& reply);
  void note_struck(const SimulatedActor& actor, WordKind by);
  void note_time();

  bool probe_is_let_in();

  void act(const Word& word);
  void tell_statement(const SimulatedActor& actor, const std::string& answer);

  const ExploreSettings settings_;
  const LockType& type_;
  MemoizedStore store_;
  ScheduleNames names_;
  WorldState state_;
  TraceWriter writer_;
  std::vector<std::unique_ptr<ClientProgram>> programs_;    // by number: clients and watchdogs, then the probe
  std::vector<std::unique_ptr<MemoizedClient>> simulated_;  // the same
  std::vector<SimulatedActor> begin_;                       // initial state of every schedule
  SimulatedActor probe_;
  std::uint64_t grants_ = 0;
  bool reads_wall_clock_ = false;
  bool look_reads_wall_clock_ = false;  // by a holder's deadline check
  bool plain_names_ = true;
  Beginning beginning_ = Beginning::new_names;  // minimum for each schedule
};

}  // namespace holdfast
