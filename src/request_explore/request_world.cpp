#include "request_explore/request_world.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/units.hpp"
#include "explore/schedule.hpp"
#include "virtual_time/wait_end.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kNames = 3000;
constexpr std::size_t kFewNames = 24;               // for adapters that go through all names in the background
constexpr std::int64_t kRest_ns = 30 * kSecond_ns;  // for calls to end after a schedule
constexpr int kRounds = 200;                        // ... and at most this many deadlines
constexpr std::int64_t kMargin_us = kMillisecond_us;

struct RequestPlace : SearchPlace {
  std::vector<Word> words;
  std::vector<std::string> signatures;
};

std::string numbered(std::uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "%s%07llu", kNameOfLocks, static_cast<unsigned long long>(number));
  return text;
}

}  // namespace

RequestWorld::RequestWorld(const ExploreSettings& settings, RequestLab& lab)
    : settings_(settings),
      lab_(lab),
      type_(lab.type()),
      beliefs_(type_, settings.clients),
      history_(settings.clients),
      clock_(kNoon_us + settings.fraction_ms * kMillisecond_us),
      asked_us_(settings.clients + 1),
      may_have_freed_(settings.clients) {
  for (std::uint32_t n = 0; n <= settings_.clients; ++n) {
    clients_.push_back(std::make_unique<RequestClient>(settings_, type_, n));
  }
  start_adapters();
}

RequestWorld::~RequestWorld() {
  lab_.relay().stop_all(false);
  for (auto& one : clients_) one->kill();
}

void RequestWorld::start(RequestClient& client) {
  if (client.in_call()) relay_ends(client);
  client.kill();
  RequestClient* heard_by = &client;
  client.begin_with(lab_.start_adapter(client.number(), {names_, settings_.lease_ms},
                                       [heard_by](const AdapterSaid& said) { heard_by->hear(said); }));
  library_version_ = client.program()->ready().version.value_or("");
  rehearse(client);
  if (!client.death().empty()) throw HarnessError(client.death());
}

// Makes the calls of a schedule once, so that one-time actions of a library (connecting, loading scripts) precede all
// schedules.
void RequestWorld::rehearse(RequestClient& client) {
  client.rehearsed();
  if (name_ + 1 >= names_.size()) return;
  client.begin_schedule(names_.at(++name_));
  while (client.idle()) {
    const Op op = client.next_op();
    relay_begins(client, op);
    client.ask(op);
    if (!settle_calls()) return;
  }
}

// With new names for this many schedules.
void RequestWorld::start_adapters() {
  lab_.relay().stop_all(false);
  names_.clear();
  const std::size_t count = goes_through_names_ ? kFewNames : kNames;
  for (std::size_t i = 0; i < count; ++i) names_.push_back(numbered(batch_ * kNames + i));
  ++batch_;
  name_ = 0;
  for (auto& one : clients_) start(*one);
}

void RequestWorld::begin_search(const ExploreSettings& settings) {
  const bool other_lease = settings.lease_ms != settings_.lease_ms;
  settings_ = settings;
  grants_ = requests_ = restarts_ = 0;
  divergence_ = {};
  deaths_ = 0;
  last_death_.clear();
  if (other_lease) start_adapters();
}

void RequestWorld::take_held() {
  while (const auto reached = lab_.relay().next_stop(0)) {
    next_stop_ = std::max(next_stop_, reached->stop + 1);
    client(static_cast<std::uint8_t>(2 * reached->request.client))
        .held(reached->request.background())
        .push_back({reached->stop, reached->request.serial});
  }
}

void RequestWorld::let_all_through() {
  take_held();
  for (auto& one : clients_) {
    for (const bool background : {false, true}) {
      for (const auto& request : std::exchange(one->held(background), {})) lab_.relay().go_on(request.stop, {});
    }
  }
}

// Returns false if a call does not end.
bool RequestWorld::settle_calls() {
  const std::int64_t until_ns = clock_.ns_of(clock_.now_us()) + kRest_ns;
  for (int round = 0; round < kRounds; ++round) {
    let_all_through();
    next_ns_ = lab_.quiet().wait();
    bool open = false;
    for (auto& one : clients_) {
      if (one->in_call() && one->take_answer()) relay_ends(*one);
      open = open || (one->in_call() && one->death().empty());
    }
    if (!open) return true;
    take_held();
    const bool held = std::any_of(clients_.begin(), clients_.end(), [](const auto& one) {
      return !one->held(false).empty() || !one->held(true).empty();
    });
    if (held) continue;
    if (next_ns_ >= kNever_ns || next_ns_ > until_ns) return false;
    RequestClock::sleep_until(next_ns_);
  }
  return false;
}

// Ends everything the last schedule left open. A client that stays in a call, or cannot release what it holds,
// restarts.
void RequestWorld::come_to_rest() {
  lab_.relay().stop_all(false);
  for (const auto& late : std::exchange(in_flight_, {})) lab_.relay().release(late.request.stop);
  bool rests = settle_calls();
  for (auto& one : clients_) {
    if (!rests || !one->program() || !one->death().empty() || !one->holds() || !type_.releases) continue;
    relay_begins(*one, Op::release);
    one->ask(Op::release);
  }
  rests = rests && settle_calls();
  for (auto& one : clients_) {
    one->look();
    const bool stays = one->in_call() || !one->death().empty() || (one->holds() && one->program());
    if (one->program() && !stays) {
      if (one->is_shaken()) rehearse(*one);
      if (one->death().empty()) continue;
    }
    start(*one);
    ++restarts_;
  }
  next_ns_ = lab_.quiet().wait();
  let_all_through();
  lab_.relay().forget_before(next_stop_);
  lab_.heard().clear();
}

void RequestWorld::reset() {
  come_to_rest();
  // A renewal left over from the last schedule is not yet a walk through all names.
  const std::uint64_t others = lab_.relay().of_other_locks();
  goes_through_names_ = goes_through_names_ || others - others_ > kFewNames;
  others_ = others;
  const bool too_many_names = goes_through_names_ && names_.size() > kFewNames;
  if (++name_ >= names_.size() || too_many_names) {
    start_adapters();
    ++name_;  // the last was rehearsed with
  }
  for (auto& one : clients_) one->begin_schedule(names_.at(name_));
  beliefs_.reset();
  story_ = ScheduleStory();
  history_.clear();
  ends_.clear();
  trace_.clear();
  words_.clear();
  signatures_.clear();
  std::fill(may_have_freed_.begin(), may_have_freed_.end(), false);
  word_.clear();
  said_.clear();
  current_ = 0;
  begun_ = just_passed_ = given_up_ = at_place_ = false;
  clock_.begin();
  last_end_us_ = clock_.now_us();
  lab_.relay().stop_all(true, names_.at(name_));
}

std::uint64_t RequestWorld::state() {
  Fingerprint out(history_.print());
  out.add(beliefs_.state()).add(clock_.now_us()).add(current_).add(begun_ ? 1 : 0).add(just_passed_ ? 1 : 0);
  for (const std::int64_t end : ends_) out.add(end);
  for (const auto& late : in_flight_) out.add(late.actor);
  for (const auto& one : clients_) {
    if (one->number() == settings_.clients) break;
    out.add(one->gone() ? 1 : 0).add(one->held(false).size()).add(one->held(true).size());
  }
  return out.add(signatures_.empty() ? 0 : last_end_us_).value();
}

std::shared_ptr<const SearchPlace> RequestWorld::here() {
  auto out = std::make_shared<RequestPlace>();
  out->words = words_;
  out->signatures = signatures_;
  return out;
}

void RequestWorld::go_to(const SearchPlace& place) {
  const auto& wanted = dynamic_cast<const RequestPlace&>(place);
  ++divergence_.replayed;
  std::string difference;
  for (int time = 0; time < 2; ++time) {
    difference = taken_again(wanted.words, wanted.signatures);
    at_place_ = difference.empty();
    if (at_place_) return;
    if (time == 0) ++divergence_.retried;
  }
  diverge(difference);
}

void RequestWorld::diverge(const std::string& difference) {
  ++divergence_.given_up;
  divergence_.last = difference;
  given_up_ = true;
}

// Empty: it went the same way.
std::string RequestWorld::taken_again(const std::vector<Word>& words, const std::vector<std::string>& signatures) {
  reset();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string after = "after '" + to_text(std::vector<Word>(words.begin(), words.begin() + i + 1)) + "': ";
    try {
      take(words[i]);
    } catch (const BadInput& refused) {
      return after + refused.what();
    }
    if (signatures_.back() != signatures[i]) return after + "once " + signatures[i] + ", once " + signatures_.back();
  }
  return "";
}

// State of every client without what may differ between schedules: names, values, lengths.
std::string RequestWorld::signature() const {
  std::string out;
  for (const auto& one : clients_) {
    if (one->number() == settings_.clients) break;
    out += (out.empty() ? "" : ", ") + client_name(one->number()) + " " +
           (one->gone()      ? "gone"
            : one->in_call() ? "in " + std::string(to_text(one->op()))
                             : "idle");
    for (const bool background : {false, true}) {
      for (const auto& held : one->held(background)) {
        out += std::string(background ? " background " : " ") + name_of(held);
      }
    }
  }
  for (const auto& late : in_flight_) out += ", late " + actor_name(late.actor);
  return out + (said_in_step_.empty() ? "" : "; " + said_in_step_);
}

bool RequestWorld::is_stuck() const {
  const auto& all = violations();
  return !all.empty() && (all.back().invariant == "stuck" || all.back().invariant == "no_return");
}

bool RequestWorld::is_over() const {
  return ended_badly(*this);
}

// From then on a key that is not held must be available.
void RequestWorld::finish() {
  if (given_up_ || is_over()) return;
  lab_.relay().stop_all(false);
  if (probe_is_granted()) return;
  const std::int64_t free_us = last_end_us_ + type_.guard_ms * kMillisecond_us + kMargin_us;
  if (free_us > clock_.now_us()) pass(free_us - clock_.now_us());
  if (probe_is_granted_in_time()) return;
  beliefs_.add({"stuck", "no client holds the lock, every lease has expired, and no client can acquire it", true});
}

bool RequestWorld::is_stuck_from_here() {
  if (!type_.lease || anyone_in_call() || !in_flight_.empty() || given_up_ || is_over()) return false;
  finish();
  return is_stuck();
}

// Some locks take over a key only after seeing it unchanged for a lease, so the probe retries.
bool RequestWorld::probe_is_granted_in_time() {
  constexpr int kAsks = 12;
  constexpr int kAsksALease = 4;
  for (int ask = 0; ask < kAsks; ++ask) {
    if (probe_is_granted()) return true;
    pass(settings_.lease_ms * kMillisecond_us / kAsksALease);
  }
  return false;
}

bool RequestWorld::probe_is_granted(bool waits) {
  RequestClient& probe = *clients_.back();
  const std::int64_t until_ns = clock_.ns_of(clock_.now_us()) + kRest_ns;
  if (!probe.in_call()) {
    relay_begins(probe, Op::acquire);
    probe.ask(Op::acquire, waits);
  }
  for (int let = 0;;) {
    settle_only();
    const auto heard = probe.take_answer();
    if (!probe.death().empty()) bury(probe);
    if (given_up_) return true;
    if (heard) {
      relay_ends(probe);
      const bool granted = heard->answer.type == EventType::ok;
      add_line({"", "a further client", clock_.now_us(), "acquire", "", "", granted ? "granted" : "refused", {}});
      return granted;
    }
    if (let < kMostPassed && let_one_through(probe)) {
      ++let;
      continue;
    }
    if (next_ns_ >= kNever_ns || next_ns_ > until_ns) return false;
    RequestClock::sleep_until(next_ns_);
  }
}

// A held request of its call, or if there is none, of its background work: the call may wait for that.
bool RequestWorld::let_one_through(RequestClient& client) {
  for (const bool background : {false, true}) {
    auto& held = client.held(background);
    if (held.empty()) continue;
    lab_.relay().go_on(held.front().stop, {});
    held.pop_front();
    return true;
  }
  return false;
}

// A release may be a transaction, so it is looked after when its call has ended: before that, the probe would wait for
// the release's row locks.
void RequestWorld::look_after_releases() {
  for (std::uint32_t number = 0; number < settings_.clients; ++number) {
    if (!may_have_freed_[number] || clients_[number]->in_call()) continue;
    may_have_freed_[number] = false;
    if (!is_over() && !given_up_) look_for_freed(number, false);
  }
}

// A release that changed something while another client is inside its lease may have freed that client's lock; it has
// if a further client is now granted the lock.
// `late`: the request belongs to a grant that its own client has given up, so that client may hold by a later grant,
// too.
void RequestWorld::look_for_freed(std::uint32_t number, bool late) {
  const std::int64_t now_us = clock_.now_us();
  for (std::uint32_t other = 0; other < settings_.clients; ++other) {
    if ((other == number && !late) || !beliefs_.careful(other, now_us) || is_over()) continue;
    if (!probe_is_granted(false) || given_up_ || !beliefs_.careful(other, clock_.now_us())) return;
    beliefs_.add({"foreign_release", client_name(number) + " released " + client_name(other) + "'s lock", true});
  }
}

}  // namespace holdfast
