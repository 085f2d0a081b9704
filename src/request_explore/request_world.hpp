// A separate lock program with clients on a real server, stepped request by request: a SearchWorld.
//
//   RequestWorld world(settings, lab);
//   world.reset();
//   world.take({WordKind::step, 0});      // A runs up to and including its first request and the answer
//
// In a step the client sends its adapter the next call if none is open, a request held at the relay is let through and
// answered, and the adapter runs until everything is quiet. Requests outside a call (renewals by a watchdog) are
// stepped as an actor of their own; requests that name only locks of other schedules pass at once. If no actor can
// continue, time passes for free until one can. Otherwise only words move time: to a millisecond before, to, and a
// millisecond after the next end of a lease.
//
// Faults are those of other locks (explore/next_words.cpp): a lost reply, together with the connection; a late request,
// whose client loses the connection and which arrives at a later word or never; a cut connection; a killed client.
//
// A place is the list of its words, which are replayed from the beginning. If a different request comes, they are
// replayed once more; after that the schedule is abandoned as diverged and shows nothing.
//
// If a client ends by itself, its schedule is given up there and the client is started again for the next one.
//
// Each schedule has its own lock name. Adapters are reused if they come to rest. An adapter whose connections were
// struck first repeats the calls of a schedule, so that all schedules begin alike.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "explore/beliefs.hpp"
#include "explore/explore_settings.hpp"
#include "explore/story.hpp"
#include "explore/traced_world.hpp"
#include "request_explore/request_client.hpp"
#include "request_explore/request_clock.hpp"
#include "request_explore/request_history.hpp"
#include "request_explore/request_lab.hpp"

namespace holdfast {

inline constexpr int kMostPassed = 10'000;  // requests of the probe's call, one after another

// Counts replayed schedules that went differently.
struct Divergence {
  std::uint64_t replayed = 0;  // places that were gone to
  std::uint64_t retried = 0;
  std::uint64_t given_up = 0;
  std::string last;  // both requests of the last abandoned schedule
};

class RequestWorld : public TracedWorld {
 public:
  RequestWorld(const ExploreSettings& settings, RequestLab& lab);
  ~RequestWorld() override;

  // Restarts all adapters. An adapter ends with the thread that started it, so a thread that takes over a world calls
  // this first.
  void start_adapters();
  // Other rounds, attempts and lease from the next schedule on; everything is counted from zero.
  void begin_search(const ExploreSettings& settings);

  void reset() override;
  std::vector<Option> options() override;
  void take(const Word& word) override;
  void finish() override;
  const std::vector<Violation>& violations() const override { return beliefs_.violations(); }
  std::uint64_t state() override;
  std::uint64_t story() const override { return story_.print(is_stuck()); }
  std::shared_ptr<const SearchPlace> here() override;
  void go_to(const SearchPlace& place) override;

  std::string cause() const override { return story_.text(is_stuck()); }
  bool is_stuck_from_here() override;
  StuckBy stuck_by(std::uint32_t client) const override { return story_.stuck_by(client); }
  // A call that does not return may have missed its wake-up, which the story does not tell.
  std::string flaw(const Violation& violation) const override {
    return is_stuck() && anyone_in_call() ? "" : story_.flaw(violation.invariant);
  }
  void for_people(bool wanted, bool) override { for_people_ = wanted; }
  const Trace& trace() const override { return trace_; }
  bool may_differ() const override { return true; }

  std::uint64_t grants() const { return grants_; }
  std::uint64_t requests() const { return requests_; }
  std::uint64_t restarts() const { return restarts_; }
  const Divergence& divergence() const { return divergence_; }
  std::uint64_t deaths() const { return deaths_; }
  const std::string& last_death() const { return last_death_; }
  const std::string& library_version() const { return library_version_; }

 private:
  // Clients and their calls.
  RequestClient& client(std::uint8_t actor) { return *clients_.at(actor / 2U); }
  const RequestClient& client(std::uint8_t actor) const { return *clients_.at(actor / 2U); }
  bool can_go_on(std::uint8_t actor) const;
  bool anyone_can_go_on() const;
  bool anyone_in_call() const;
  void begin_call(RequestClient& client);
  void relay_begins(const RequestClient& client, Op op);
  void relay_ends(const RequestClient& client);
  void hear_answers();
  void hear_answer(RequestClient& client, const RequestClient::Heard& heard);

  // Words.
  void step(std::uint8_t actor, WordKind kind);
  void let_through(std::uint8_t actor, const HeldRequest& request, WordKind kind);
  void strike(std::uint8_t actor, WordKind kind);
  void act(const Word& word);
  void diverge(const std::string& difference);
  void arrive(std::uint8_t actor);
  void pass(std::int64_t us);
  void settle();                     // waits until everything is quiet, then processes the answers
  void settle_only();                // without processing answers
  void bury(RequestClient& client);  // handles one that ended by itself
  void wait_for_somebody();

  // The probe: another client. Until the end of a schedule its requests pass during its calls only, so that its
  // background work changes nothing else.
  bool probe_is_granted(bool waits = true);
  bool let_one_through(RequestClient& client);
  bool probe_is_granted_in_time();
  void look_for_freed(std::uint32_t number, bool late);
  void look_after_releases();

  // Between schedules.
  void start(RequestClient& client);
  void rehearse(RequestClient& client);
  void come_to_rest();
  bool settle_calls();
  void let_all_through();
  void take_held();

  // The reported violation.
  bool is_stuck() const;
  bool is_over() const;  // the story is complete
  void end_expected(std::int64_t time_us);
  void end_not_expected(std::int64_t time_us);
  bool is_in_flight(std::uint8_t actor) const;
  void add_line(const TraceStep& step);
  void end_line(const Word& word);
  void note_said(const std::string& said);
  std::string plain(const std::string& text) const;
  std::vector<std::string> plain_words(const HeardRequest& heard) const;
  std::string signature() const;
  std::string name_of(const HeldRequest& held) const;
  StoryStep step_of(const HeldRequest& request, Op op, bool background) const;
  std::string taken_again(const std::vector<Word>& words, const std::vector<std::string>& signatures);
  std::vector<std::int64_t> times() const;
  void add_steps(std::vector<Option>& out) const;
  void add_faults(std::vector<Option>& out) const;
  void note_executed(std::uint8_t actor, const HeldRequest& request, Op op, bool lost, bool changed);

  ExploreSettings settings_;
  RequestLab& lab_;
  const LockType& type_;
  Beliefs beliefs_;
  ScheduleStory story_;
  RequestHistory history_;
  RequestClock clock_;
  std::vector<std::unique_ptr<RequestClient>> clients_;  // the last is the probe's
  std::vector<std::int64_t> ends_;                       // of leases, in order
  std::int64_t last_end_us_ = 0;
  std::vector<std::int64_t> asked_us_;  // by client
  std::vector<bool> may_have_freed_;    // by client: its open release has changed something
  std::uint8_t current_ = 0;
  bool begun_ = false;
  bool just_passed_ = false;
  std::int64_t next_ns_ = 0;  // the earliest deadline at the last quiet time
  std::vector<Word> words_;
  std::vector<std::string> signatures_;  // after each word
  bool at_place_ = false;                // just gone to: the next word was possible there once
  bool given_up_ = false;                // the schedule: it says nothing from here on
  struct InFlight {
    std::uint8_t actor = 0;
    HeldRequest request;
    Op op = Op::write;
  };
  std::vector<InFlight> in_flight_;  // late requests

  std::vector<std::string> names_;
  std::size_t name_ = 0;
  std::uint64_t others_ = 0;         // requests for locks of other schedules, up to the last reset
  bool goes_through_names_ = false;  // a schedule had many of them
  std::uint64_t batch_ = 0;
  RequestPointId next_stop_ = 0;

  bool for_people_ = false;
  Trace trace_;
  std::string word_;
  std::string said_;          // an adapter's answer, until a line has it
  std::string said_in_step_;  // the same, for the whole step
  std::uint64_t grants_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t restarts_ = 0;
  Divergence divergence_;
  std::uint64_t deaths_ = 0;
  std::string last_death_;
  std::string library_version_;
};

}  // namespace holdfast
