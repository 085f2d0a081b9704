#include "explore/lock_world.hpp"

#include <strings.h>

#include <algorithm>
#include <utility>

#include "explore/hidden_state.hpp"
#include "explore/next_words.hpp"
#include "explore/schedule.hpp"

namespace holdfast {
namespace {

// Returns true for a SELECT, which has rows if it finds something.
bool is_query(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r\n(");
  return begin != std::string::npos && ::strncasecmp(text.c_str() + begin, "SELECT", 6) == 0;
}

// A SELECT that locks the rows that it finds: FOR UPDATE and its weaker forms, LOCK IN SHARE MODE.
bool locks_rows(const std::string& text) {
  return ::strcasestr(text.c_str(), " for ") != nullptr || ::strcasestr(text.c_str(), " lock in ") != nullptr;
}

// A lock that counts whole seconds may round its lease up, truncate the time of its start, and keep the key for the
// whole second in which it ends.
constexpr std::int64_t kRoundings_us = 3 * kSecond_us;

ExploreSettings as_promised(ExploreSettings settings, const LockType& type) {
  settings.lease_ms = promised_lease_ms(type, settings.lease_ms);
  return settings;
}

constexpr std::uint8_t kProbe = 24;  // beyond all clients

std::string address_of(const ExploreSettings& settings, std::uint32_t client) {
  return "10.77.1." + std::to_string(settings.shared_address ? 1 : client + 1);
}

struct LockPlace : SearchPlace {
  explicit LockPlace(WorldState at) : world_state(std::move(at)) {}
  WorldState world_state;
};

void prove_same(const Trace& one, const Trace& other) {
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    const TraceStep& a = one[i];
    const TraceStep& b = other[i];
    if (a.client != b.client || a.statement != b.statement || a.said != b.said) {
      throw hidden_in_lock("in the same schedule " + a.client + "'s lock once reached '" + a.statement + a.said +
                           "', and once to '" + b.statement + b.said + "'");
    }
    if (a.answer == b.answer) continue;
    throw hidden_in_store("in the same schedule '" + a.statement + "' was once answered '" + a.answer +
                          "', and once '" + b.answer + "'");
  }
  if (one.size() != other.size())
    throw hidden_in_lock("the same schedule took a different number of steps the second time");
}

}  // namespace

LockMemories::LockMemories(const ExploreSettings& settings) {
  for (std::size_t i = 0; i <= std::size_t{2} * settings.clients; ++i) actors.push_back(std::make_shared<TurnMemory>());
}

std::size_t LockWorld::sessions(const ExploreSettings& settings) {
  return std::size_t{2} * settings.clients + 2;  // clients, watchdogs, a probe, and one for late statements
}

LockWorld::LockWorld(const ExploreSettings& settings, const LockType& type, std::unique_ptr<SteppedStore> store,
                     const LockMemories& memories, int number)
    : settings_(as_promised(settings, type)),
      type_(type),
      store_(std::move(store), memories.store, number),
      state_(type_, settings.clients),
      writer_(state_, settings.clients) {
  for (std::uint32_t c = 0; c < settings_.clients; ++c) {
    const auto id = static_cast<std::uint8_t>(2 * c);
    add_simulated_client(memories, id, id, address_of(settings_, c));
    if (type_.renews_in_background) add_simulated_client(memories, id + 1, id + 1U, address_of(settings_, c));
  }
  add_simulated_client(memories, kProbe, std::size_t{2} * settings_.clients, "10.77.1.100");
  probe_ = begin_.back();
  begin_.pop_back();
}

void LockWorld::add_simulated_client(const LockMemories& memories, std::uint8_t id, std::size_t session,
                                     const std::string& address) {
  auto simulated = std::make_unique<SimulatedClient>(id, session, store_, address);
  programs_.push_back(std::make_unique<ClientProgram>(settings_, type_, names_, *simulated));
  SimulatedActor actor;
  actor.id = id;
  actor.session = session;
  actor.number = simulated_.size();
  if (actor.watchdog()) actor.watch = std::make_shared<const Watch>();
  ClientProgram& program = *programs_.back();
  const auto run = [&program, id] {
    if (id == kProbe) return program.run_probe();
    id % 2 == 0 ? program.run() : program.run_watchdog();
  };
  simulated_.push_back(std::make_unique<MemoizedClient>(std::move(simulated), memories.actors.at(actor.number), run));
  begin_.push_back(actor);
}

void LockWorld::reset() {
  names_.begin(writer_.writes() && plain_names_);
  const std::int64_t begin_us = kNoon_us + settings_.fraction_ms * kMillisecond_us;
  state_ = WorldState(type_, settings_.clients);
  state_.now_us = begin_us;
  writer_.clear();
  for (auto& simulated : simulated_) simulated->direct(writer_.writes());
  store_.begin(begin_us, writer_.writes() ? Beginning::new_tables : Beginning::new_names);
  state_.actors = begin_;
  for (auto& actor : state_.actors) go_on(actor);  // until its first turn
}

std::shared_ptr<const SearchPlace> LockWorld::here() {
  state_.store = store_.point();
  return std::make_shared<const LockPlace>(state_);
}

void LockWorld::go_to(const SearchPlace& place) {
  state_ = dynamic_cast<const LockPlace&>(place).world_state;
  store_.go_to(state_.store);
}

Issuer LockWorld::issuer_of(const SimulatedActor& actor) const {
  const std::uint64_t grant = actor.id == kProbe ? 0 : state_.beliefs.grant_of(actor.client());
  return {actor.client(), grant, actor.doing.op, actor.doing.background};
}

// Records an actor's announcement as if it happened now.
void LockWorld::hear(SimulatedActor& actor, const ClientAnnouncement& said) {
  const bool probe = actor.id == kProbe;
  if (!probe) note_said(actor, said);
  switch (said.kind) {
    case ClientAnnouncement::Kind::asked:
      actor.doing = {said.op, said.background, state_.now_us, true};
      if (probe) return;
      if (type_.lease && (said.op == Op::acquire || said.op == Op::renew)) {
        state_.end_expected(state_.now_us + settings_.lease_ms * kMillisecond_us);
      }
      if (!said.background) state_.beliefs.asked(actor.client(), said.op, state_.now_us);
      return;
    case ClientAnnouncement::Kind::answered:
      return hear_answer(actor, said);
    case ClientAnnouncement::Kind::looks:
      if (!probe) state_.beliefs.looks(actor.client(), state_.now_us);
      actor.doing = {Op::write, false, state_.now_us, false};
      return;
    case ClientAnnouncement::Kind::looked:
      if (probe) return;
      writer_.look(said.answer);
      return state_.beliefs.looked(actor.client(), said.answer.type == EventType::ok, state_.now_us);
    case ClientAnnouncement::Kind::left:
      return state_.beliefs.ended(actor.client());
    case ClientAnnouncement::Kind::broke:
      if (probe) return;
      return state_.beliefs.add(
          {"unexpected_error", client_name(actor.client()) + "'s lock met an unexpected error: " + said.what, true});
    case ClientAnnouncement::Kind::watches:
      if (SimulatedActor* dog = state_.actor(static_cast<std::uint8_t>(actor.id | 1U))) {
        dog->watch = said.watch;
        dog->wake_us = said.watch->claim ? said.watch->next_us : kNever_us;
      }
  }
}

void LockWorld::hear_answer(SimulatedActor& actor, const ClientAnnouncement& said) {
  actor.doing.under_way = false;
  if (actor.id == kProbe) return;
  const bool refused = said.answer.type == EventType::fail && (said.op == Op::acquire || said.op == Op::renew);
  // Nothing with an end was granted.
  if (refused) state_.end_not_expected(actor.doing.asked_us + settings_.lease_ms * kMillisecond_us);
  if (said.background) return;
  if (said.op == Op::acquire && said.answer.type == EventType::ok) ++grants_;
  state_.beliefs.answered(actor.client(), said.op, said.answer, settings_.lease_ms * kMillisecond_us, state_.now_us);
  writer_.answer(said.op, said.answer);
}

std::vector<Option> LockWorld::options() {
  return next_words(state_, store_, {reads_wall_clock_, look_reads_wall_clock_});
}

std::uint64_t LockWorld::state() {
  Fingerprint print(store_.state(state_.now_us));
  state_.add_to(print);
  return print.value();
}

// A lease begins when its statement takes effect, possibly long after the request.
void LockWorld::takes_effect(const Executed& executed, Op op) {
  if (!type_.lease || op == Op::release || !(executed.changed || executed.reply.affected > 0)) return;
  state_.last_end_us = std::max(state_.last_end_us, state_.now_us + settings_.lease_ms * kMillisecond_us);
}

// From then on an unheld key must be available: every lease is over, plus the time for which the lock may keep it
// beyond that.
std::int64_t LockWorld::free_us() const {
  const bool cuts = store_.tells_whole_seconds() || reads_wall_clock_;
  const std::int64_t roundings_us = type_.lease && cuts ? kRoundings_us : store_.tick_us();
  return std::max(state_.now_us, state_.last_end_us) + type_.guard_ms * kMillisecond_us + roundings_us;
}

// The key is stuck if no client gets it after all have ended and every lease is over.
void LockWorld::finish() {
  state_.now_us = free_us();
  if (!probe_is_let_in()) {
    state_.beliefs.add(
        {"stuck", "no client holds the lock, every lease has expired, and no client can acquire it", true});
  }
}

bool LockWorld::is_stuck_from_here() {
  const bool busy = std::any_of(state_.actors.begin(), state_.actors.end(), [this](const SimulatedActor& actor) {
    return actor.parked || store_.holds_session(actor.session);
  });
  if (!type_.lease || busy || !state_.in_flight.empty() || ended_badly(*this)) return false;
  finish();
  return is_stuck();
}

void LockWorld::end_sessions() {
  for (std::size_t session = 0; session < sessions(settings_); ++session) store_.end_session(session);
}

bool LockWorld::probe_is_let_in() {
  SimulatedActor probe = probe_;
  bool granted = false;
  for (go_on(probe);; go_on(probe)) {
    for (const auto& said : probe.turn->said) {
      granted = granted || (said.kind == ClientAnnouncement::Kind::answered && said.answer.type == EventType::ok);
    }
    if (probe.gone()) break;
    if (!probe.asks()) continue;
    probe.answer = store_.ask(probe.session, probe.sent(), state_.now_us);
    tell_statement(probe, answer_text(*probe.answer));
  }
  store_.end_session(probe.session);
  return granted;
}

bool LockWorld::is_stuck() const {
  const auto& all = violations();
  return !all.empty() && all.back().invariant == "stuck";
}

void LockWorld::note_said(const SimulatedActor& actor, const ClientAnnouncement& said) {
  if (said.background || ended_badly(*this)) return;
  if (said.kind == ClientAnnouncement::Kind::asked) state_.story.asked(actor.client());
  if (said.kind == ClientAnnouncement::Kind::answered) {
    state_.story.answered(actor.client(), said.op, said.answer.type == EventType::ok);
  }
  if (said.kind == ClientAnnouncement::Kind::left) state_.story.ended(actor.client());
}

void LockWorld::note_executed(std::uint32_t client, const Command& command, const Issuer& issuer, const Reply& reply) {
  if (ended_badly(*this)) return;
  state_.story.executed(client, {command.number, issuer.op, issuer.background}, reply.affected > 0);
  if (reply.ok() && reply.rows.empty() && is_query(command.text)) {
    state_.story.found_nothing(client, locks_rows(command.text));
  }
}

// A lost reply, or a statement in flight, strikes its own statement; other faults strike after the last one.
void LockWorld::note_struck(const SimulatedActor& actor, WordKind by) {
  if (ended_badly(*this)) return;
  const bool statement = by == WordKind::lost || by == WordKind::late;
  if (statement) {
    state_.story.struck(actor.client(), by, {actor.sent()->number, actor.doing.op, actor.doing.background});
  } else {
    state_.story.struck_after(actor.client(), by);
    if (by == WordKind::crash) state_.story.ended(actor.client());
  }
}

void LockWorld::note_time() {
  if (!ended_badly(*this)) state_.story.time_passed();
}

std::string LockWorld::cause() const {
  return state_.story.text(is_stuck());
}

std::string LockWorld::flaw(const Violation& violation) const {
  return state_.story.flaw(violation.invariant);
}

// A lock that stores nothing readable under its key is judged by its actions.
bool LockWorld::content_tells() {
  bool tells = false;
  for (reset();;) {
    const auto content = store_.content(names_.key());
    if (content && !content->empty()) tells = true;
    const auto all = options();
    if (all.empty()) return tells;
    take(all.front().word);
  }
}

std::size_t LockWorld::steps_to_a_grant() {
  store_.forget();
  const std::uint64_t before = grants_;
  std::size_t steps = 0;
  reset();
  for (auto all = options(); grants_ == before && !all.empty(); all = options(), ++steps) take(all.front().word);
  return steps;
}

// Runs the same words on a freshly started store, which reveals any other dependency.
void LockWorld::prove_determined() {
  Trace first;
  for_people(true, true);
  for (int time = 0; time < 3; ++time) {
    reset();
    for (auto all = options(); !all.empty(); all = options()) take(all.front().word);
    if (time > 0) prove_same(first, trace());
    first = trace();
  }
  reset();  // nothing of it is left
  for_people(false, true);
}

// The next searched world may start at a place (go_to) without reset(), so readable schedules must leave nothing
// behind.
void LockWorld::learn() {
  learn_of_store();
  reset();
}

// An abandoned holder obstructs the next schedule if its row does not carry the schedule's name.
void LockWorld::learn_of_store() {
  store_.trust_content(false);
  store_.renew_tables(false);
  prove_determined();  // makes the tables
  if (beginning_ == Beginning::new_tables || store_.hides_state()) return store_.start_afresh(true);
  const bool emptied = beginning_ == Beginning::emptied;
  const std::size_t steps = emptied ? 0 : steps_to_a_grant();
  store_.renew_tables(emptied || steps_to_a_grant() != steps);
  store_.forget();
  store_.trust_content(content_tells());
}

void LockWorld::tell_statement(const SimulatedActor& actor, const std::string& answer) {
  if (!writer_.writes()) return;
  const std::string name = actor.id == kProbe ? "anybody" : actor_name(actor.id);
  writer_.statement(name, actor.doing.op, *actor.sent(), answer);
}

}  // namespace holdfast
