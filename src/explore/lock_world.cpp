#include "explore/lock_world.hpp"

#include <algorithm>
#include <utility>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

const LockType& type_of(const ExploreSettings& settings) {
  return *find_entry(locks(), parse_lock_ref(settings.lock).lock);
}

constexpr std::uint8_t kProbe = 24;  // beyond all clients

std::string address_of(const ExploreSettings& settings, std::uint32_t client) {
  return "10.77.1." + std::to_string(settings.shared_address ? 1 : client + 1);
}

}  // namespace

std::size_t LockWorld::sessions(const ExploreSettings& settings) {
  return 2 * settings.clients + 2;  // clients, watchdogs, a probe, and one for statements that arrive late
}

LockWorld::LockWorld(const ExploreSettings& settings, std::unique_ptr<SteppedStore> store, int number)
    : settings_(settings),
      type_(type_of(settings)),
      store_(std::move(store), number),
      beliefs_(type_, settings.clients) {
  Witnesses& witnesses = *this;
  for (std::uint32_t c = 0; c < settings_.clients; ++c) {
    const auto make = [&](std::uint32_t id) {
      actors_.push_back(
          std::make_unique<Player>(static_cast<std::uint8_t>(id), id, store_, clock_, address_of(settings_, c)));
      return actors_.back().get();
    };
    Player* client = make(2 * c);
    Player* watchdog = type_.renews_in_background ? make(2 * c + 1) : nullptr;
    programs_.push_back(std::make_unique<ClientProgram>(settings_, type_, names_, *client, watchdog, witnesses));
  }
  probe_ = std::make_unique<Player>(kProbe, 2 * settings_.clients, store_, clock_, "10.77.1.100");
  doing_.resize(kProbe + 2U);
}

void LockWorld::reset() {
  names_.begin(for_people_);
  clock_.now_us = kNoon_us + settings_.fraction_ms * kMillisecond_us;
  beliefs_.reset();
  std::fill(doing_.begin(), doing_.end(), Doing{});
  ends_.clear();
  letters_.clear();
  parked_.clear();
  stored_ = Fingerprint{};
  trace_.clear();
  said_.clear();
  word_.clear();
  current_ = 0;
  begun_ = just_passed_ = waited_ = false;
  for (auto& actor : actors_) actor->baton.abandon();  // before what they refer to changes
  probe_->baton.abandon();
  store_.begin(clock_.now_us, for_people_);
  for (auto& actor : actors_) {
    ClientProgram& program = *programs_[client_of(*actor)];
    const bool client = actor->id % 2 == 0;
    actor->begin([&program, client] { client ? program.run() : program.run_watchdog(); });
    actor->baton.hand_over();  // to its first turn
  }
}

Player* LockWorld::actor(std::uint8_t id) {
  for (auto& actor : actors_) {
    if (actor->id == id) return actor.get();
  }
  return nullptr;
}

Issuer LockWorld::issuer_of(const Player& actor) const {
  const Doing& doing = doing_[actor.id];
  const std::uint32_t client = client_of(actor);
  const std::uint64_t grant = client < settings_.clients ? beliefs_.grant_of(client) : 0;
  return {client, grant, doing.op, doing.background};
}

void LockWorld::asked(Player& actor, Op op, bool background) {
  doing_[actor.id] = {op, background, clock_.now_us, true};
  if (&actor == probe_.get()) return;
  if (op == Op::acquire || op == Op::renew) ends_.insert(clock_.now_us + settings_.lease_ms * kMillisecond_us);
  if (!background) beliefs_.asked(client_of(actor), op, clock_.now_us);
}

void LockWorld::answered(Player& actor, Op op, bool background, const Answer& answer) {
  doing_[actor.id].under_way = false;
  if (&actor == probe_.get()) return;
  const std::int64_t end_us = doing_[actor.id].asked_us + settings_.lease_ms * kMillisecond_us;
  const auto end = ends_.find(end_us);
  const bool refused = answer.type == EventType::fail && (op == Op::acquire || op == Op::renew);
  if (refused && end != ends_.end()) ends_.erase(end);  // nothing was granted that could end
  if (background) return;
  if (op == Op::acquire && answer.type == EventType::ok) ++grants_;
  beliefs_.answered(client_of(actor), op, answer, settings_.lease_ms * kMillisecond_us, clock_.now_us);
  tell_answer(op, answer);
}

void LockWorld::left(Player& actor) {
  beliefs_.ended(client_of(actor));
}

void LockWorld::broke(Player& actor, const std::string& what) {
  if (&actor == probe_.get()) return;
  beliefs_.add({"unexpected_error", client_name(client_of(actor)) + "'s lock did not expect: " + what, true});
}

// What is in the store; where that does not say all, what was done to it, in order.
Fingerprint LockWorld::stored() const {
  const auto content = store_.content_state(clock_.now_us);
  return content ? Fingerprint(*content) : stored_;
}

std::uint64_t LockWorld::state() {
  Fingerprint print = stored();
  print.add(clock_.now_us).add(beliefs_.state()).add(current_).add(just_passed_ ? 1 : 0);
  for (const auto& actor : actors_) {
    const Doing& doing = doing_[actor->id];
    print.add(actor->state()).add(doing.under_way ? doing.asked_us : 0);
  }
  for (auto end = ends_.lower_bound(clock_.now_us - kSecond_us); end != ends_.end(); end = ends_.upper_bound(*end)) {
    print.add(*end);
  }
  for (const auto& letter : letters_) {  // of its grant only whether it is the client's present one can ever matter
    const bool present = letter.issuer.grant == beliefs_.grant_of(letter.issuer.client);
    print.add(letter.actor).add(letter.command.text).add(present ? 1 : 0);
  }
  for (const std::uint8_t id : parked_) print.add(id);
  return print.value();
}

// The key is stuck if nobody gets it when all have ended and every lease is over.
void LockWorld::finish() {
  const std::int64_t last_us = ends_.empty() ? 0 : *ends_.rbegin();
  pass_time(std::max<std::int64_t>(0, last_us - clock_.now_us) + 3 * kSecond_us);
  if (!probe_is_let_in()) {
    beliefs_.add({"stuck", "nobody holds the lock, every lease is over, and nobody can take it", true});
  }
}

bool LockWorld::probe_is_let_in() {
  bool granted = false;
  ClientProgram program(settings_, type_, names_, *probe_, nullptr, *this);
  probe_->begin([&] { granted = program.acquire_once() || program.acquire_once(); });
  for (probe_->baton.hand_over(); !probe_->gone(); probe_->baton.hand_over()) {
    if (probe_->waits != Waits::statement) continue;
    Executed executed = store_.run(probe_->session, probe_->sent, clock_.now_us);
    tell_statement(*probe_, probe_->sent.text, answer_text(executed));
    probe_->settle(executed);
  }
  store_.end_session(probe_->session);
  return granted;
}

}  // namespace holdfast
