// Effects of words on a RequestWorld, and the words that are possible.
#include <algorithm>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/monotonic.hpp"
#include "artifact/units.hpp"
#include "explore/schedule.hpp"
#include "request_explore/request_world.hpp"
#include "virtual_time/wait_end.hpp"

namespace holdfast {
namespace {

constexpr Cost kPreemption{1, 0, 0};
constexpr Cost kTimeJump{0, 1, 0};
constexpr Cost kFault{0, 0, 1};
constexpr std::int64_t kTick_us = kMillisecond_us;
constexpr std::int64_t kLongestNap_ns = 50'000;
constexpr int kMostNaps = 4;
constexpr std::int64_t kNeverReturns_ns = 60 * kSecond_ns;

RelayOperation relayed(Op op) {
  if (op == Op::acquire) return RelayOperation::acquire;
  return op == Op::renew ? RelayOperation::renew : RelayOperation::release;
}

std::string answer_text(Op op, const Answer& answer) {
  const bool ok = answer.type == EventType::ok;
  std::string out = std::string(to_text(op)) + ": " +
                    (!ok                 ? to_text(answer.reason)
                     : op == Op::acquire ? "granted"
                                         : "done");
  if (answer.type == EventType::info) out += ", but may have taken effect";
  if (answer.token) out += ", token " + std::to_string(*answer.token);
  return out;
}

}  // namespace

void RequestWorld::relay_begins(const RequestClient& one, Op op) {
  lab_.relay().operation_begins(one.number(), relayed(op));
}

void RequestWorld::relay_ends(const RequestClient& one) {
  lab_.relay().operation_ends(one.number());
}

bool RequestWorld::can_go_on(std::uint8_t actor) const {
  const RequestClient& one = client(actor);
  if (actor % 2 == 1) return one.program_is_there() && !one.held(true).empty();
  return one.idle() || (one.program_is_there() && !one.held(false).empty());
}

bool RequestWorld::anyone_can_go_on() const {
  for (std::uint8_t actor = 0; actor < 2 * settings_.clients; ++actor) {
    if (can_go_on(actor)) return true;
  }
  return false;
}

bool RequestWorld::anyone_in_call() const {
  return std::any_of(clients_.begin(), clients_.end(),
                     [this](const auto& one) { return one->number() < settings_.clients && one->in_call(); });
}

void RequestWorld::take(const Word& word) {
  if (given_up_) return;
  if (word.kind != WordKind::time && word.actor >= 2 * settings_.clients) {
    throw BadInput("'" + to_text(word) + "': no such client here");
  }
  word_ = to_text(word);
  said_.clear();
  said_in_step_.clear();
  const bool was_possible = std::exchange(at_place_, false);
  try {
    act(word);
  } catch (const BadInput& refused) {
    if (!was_possible) throw;
    return diverge(refused.what());
  }
  look_after_releases();
  wait_for_somebody();
  end_line(word);
  words_.push_back(word);
  signatures_.push_back(signature());
}

void RequestWorld::act(const Word& word) {
  just_passed_ = word.kind == WordKind::time;
  switch (word.kind) {
    case WordKind::time:
      pass(word.time_us);
      if (!is_over()) story_.time_passed();
      return;
    case WordKind::step:
    case WordKind::lost:
    case WordKind::late:
      return step(word.actor, word.kind);
    case WordKind::arrives:
      return arrive(word.actor);
    case WordKind::cut:
    case WordKind::crash:
      return strike(word.actor, word.kind);
    case WordKind::victim:
    case WordKind::ahead:
    case WordKind::behind:
      break;
  }
  throw BadInput("'" + to_text(word) + "' is not possible at the requests of an adapter");
}

void RequestWorld::step(std::uint8_t actor, WordKind kind) {
  if (!can_go_on(actor)) throw BadInput("'" + word_ + "': " + actor_name(actor) + " cannot continue there");
  current_ = actor;
  begun_ = true;
  RequestClient& one = client(actor);
  const bool background = actor % 2 == 1;
  if (!background && one.idle()) {
    begin_call(one);
    settle();
  }
  auto& held = one.held(background);
  if (held.empty()) return;  // the call was answered without a request, or waits for something else
  const HeldRequest request = held.front();
  held.pop_front();
  let_through(actor, request, kind);
}

void RequestWorld::begin_call(RequestClient& one) {
  const Op op = one.next_op();
  const std::int64_t now_us = clock_.now_us();
  relay_begins(one, op);
  asked_us_.at(one.number()) = now_us;
  if (type_.lease && op != Op::release) end_expected(now_us + settings_.lease_ms * kMillisecond_us);
  beliefs_.asked(one.number(), op, now_us);
  if (!is_over()) story_.asked(one.number());
  history_.asked(one.number(), op, now_us);
  one.ask(op);
}

// A lease begins when its request takes effect, possibly long after it was sent.
void RequestWorld::let_through(std::uint8_t actor, const HeldRequest& request, WordKind kind) {
  const bool background = actor % 2 == 1;
  const Op op = background ? Op::renew : client(actor).op();
  const bool lost = kind == WordKind::lost;
  ++requests_;
  const std::int64_t end_us = clock_.now_us() + settings_.lease_ms * kMillisecond_us;
  if (kind == WordKind::late) {
    lab_.relay().go_on(request.stop, {.kind = PointAction::hold_request});
    lab_.relay().hang_up(request.stop);
    in_flight_.push_back({actor, request, op});
  } else {
    lab_.relay().go_on(request.stop, {.kind = lost ? PointAction::lose_reply : PointAction::go_on});
  }
  settle_only();
  if (kind != WordKind::late && type_.lease && op != Op::release) end_expected(end_us);
  if (kind != WordKind::step) client(actor).shake();
  if (kind != WordKind::step && !background) client(actor).strike();
  if (kind != WordKind::step && !is_over()) {
    story_.struck(actor / 2U, kind, step_of(request, op, background));
  }
  const HeardRequest heard = lab_.heard().of(request.serial);
  const WireText& text = lab_.text();
  const std::string asked = plain(text.request ? text.request(heard.relayed()) : "a request");
  const std::vector<std::string> arguments = plain_words(heard);
  const std::string doing = background ? "in the background" : to_text(op);
  if (kind == WordKind::late) {
    history_.struck(actor / 2U, static_cast<int>(kind), clock_.now_us());
    add_line({"", actor_name(actor), 0, doing, asked, "in flight; the connection is reset", "", {}, arguments});
    return hear_answers();
  }
  const bool changed = text.may_change == nullptr || text.may_change(heard.relayed(), heard.reply);
  std::string answer =
      heard.reply.empty() ? "no answer yet" : plain(text.reply ? text.reply(heard.reply) : "an answer");
  if (lost) answer += "; lost, and the connection is reset";
  add_line({"", actor_name(actor), 0, doing, asked, answer, "", {}, arguments});
  note_executed(actor, request, op, lost, changed);
  hear_answers();
}

void RequestWorld::note_executed(std::uint8_t actor, const HeldRequest& request, Op op, bool lost, bool changed) {
  const HeardRequest heard = lab_.heard().of(request.serial);
  const WireText& text = lab_.text();
  RequestHistory::Request one{actor / 2U, {}, heard.reply, changed, lost};
  if (text.words) one.words = text.words(heard.relayed());
  history_.executed(one, clock_.now_us());
  const bool late = is_in_flight(actor);
  if (!is_over()) story_.executed(actor / 2U, step_of(request, op, actor % 2 == 1), changed);
  const std::string reply = heard.reply.empty() || !text.reply ? "" : text.reply(heard.reply);
  if (!is_over() && reply.rfind("error ", 0) == 0) story_.refused(actor / 2U, plain(reply));
  if (!changed || op != Op::release || is_over()) return;
  if (late) return look_for_freed(actor / 2U, true);
  may_have_freed_[actor / 2U] = true;
}

bool RequestWorld::is_in_flight(std::uint8_t actor) const {
  return std::any_of(in_flight_.begin(), in_flight_.end(), [&](const auto& late) { return late.actor == actor; });
}

// The late request reaches the server; only the relay sees its reply.
void RequestWorld::arrive(std::uint8_t actor) {
  const auto found =
      std::find_if(in_flight_.begin(), in_flight_.end(), [&](const auto& late) { return late.actor == actor; });
  if (found == in_flight_.end()) throw BadInput("'" + word_ + "': no request of it is in flight");
  const InFlight late = *found;
  const std::int64_t end_us = clock_.now_us() + settings_.lease_ms * kMillisecond_us;
  lab_.relay().release(late.request.stop);
  settle_only();
  if (type_.lease && late.op != Op::release) end_expected(end_us);
  const HeardRequest heard = lab_.heard().of(late.request.serial);
  const WireText& text = lab_.text();
  const bool changed = text.may_change == nullptr || text.may_change(heard.relayed(), heard.reply);
  add_line({"",
            actor_name(actor),
            0,
            "arrives",
            plain(text.request ? text.request(heard.relayed()) : "a request"),
            plain(text.reply && !heard.reply.empty() ? text.reply(heard.reply) : "an answer"),
            "",
            {},
            plain_words(heard)});
  note_executed(actor, late.request, late.op, true, changed);
  in_flight_.erase(in_flight_.begin() + (found - in_flight_.begin()));
  hear_answers();
}

void RequestWorld::strike(std::uint8_t actor, WordKind kind) {
  RequestClient& one = client(actor);
  if (actor % 2 == 1 || !one.program_is_there()) throw BadInput("'" + word_ + "': this client no longer exists");
  history_.struck(one.number(), static_cast<int>(kind), clock_.now_us());
  if (!is_over()) story_.struck_after(one.number(), kind);
  if (kind == WordKind::cut) {
    if (!one.idle()) throw BadInput("'" + word_ + "': it is in a call; a late request would cut its connection there");
    lab_.relay().cut(one.number());
    one.shake();
    return settle();
  }
  if (one.in_call()) relay_ends(one);
  one.kill();
  for (const bool background : {false, true}) {
    for (const auto& request : std::exchange(one.held(background), {})) {
      lab_.relay().go_on(request.stop, {.kind = PointAction::lose_request});
    }
  }
  beliefs_.ended(one.number());
  if (!is_over()) story_.ended(one.number());
  settle();
}

// Some runtimes hand work from one thread to another by naps, in which all threads wait: Go's monitor sleeps for 20 us.
void RequestWorld::settle_only() {
  next_ns_ = lab_.quiet().wait();
  for (int nap = 0; nap < kMostNaps && next_ns_ < monotonic_ns() + kLongestNap_ns; ++nap) {
    RequestClock::sleep_until(next_ns_);
    next_ns_ = lab_.quiet().wait();
  }
  take_held();
}

void RequestWorld::settle() {
  settle_only();
  hear_answers();
}

void RequestWorld::bury(RequestClient& one) {
  ++deaths_;
  last_death_ = one.death();
  note_said("ended by itself");
  if (one.in_call()) relay_ends(one);
  one.kill();
  given_up_ = true;
}

void RequestWorld::hear_answers() {
  for (auto& one : clients_) {
    if (one->number() == settings_.clients || !one->program_is_there()) continue;
    if (const auto heard = one->take_answer()) hear_answer(*one, *heard);
    if (!one->death().empty()) {
      bury(*one);
      continue;
    }
    if (one->take_lost()) {
      beliefs_.looked(one->number(), false, clock_.now_us());
      note_said("lost");
    }
  }
}

void RequestWorld::hear_answer(RequestClient& one, const RequestClient::Heard& heard) {
  const std::int64_t lease_us = heard.lease_ms.value_or(settings_.lease_ms) * kMillisecond_us;
  const bool ok = heard.answer.type == EventType::ok;
  relay_ends(one);
  if (heard.answer.type == EventType::fail && heard.op != Op::release) {
    end_not_expected(asked_us_.at(one.number()) + settings_.lease_ms * kMillisecond_us);
  }
  if (ok && type_.lease && heard.lease_ms) end_expected(asked_us_.at(one.number()) + lease_us);
  if (ok && heard.op == Op::acquire) ++grants_;
  history_.answered(one.number(), heard.op, heard.answer, clock_.now_us());
  if (!is_over()) story_.answered(one.number(), heard.op, ok);
  // A release with a lost reply may have succeeded before the library retried and was told that it holds nothing.
  const bool is_known = heard.op != Op::release || !one.is_struck();
  const Answer answer = is_known ? heard.answer : Answer::uncertain();
  beliefs_.answered(one.number(), heard.op, answer, lease_us, clock_.now_us());
  if (one.gone() && !type_.releases) beliefs_.ended(one.number());
  note_said(answer_text(heard.op, heard.answer));
}

void RequestWorld::pass(std::int64_t us) {
  const std::int64_t until_ns = clock_.ns_of(clock_.now_us() + us);
  RequestClock::sleep_until(until_ns);
  settle();
}

// Time that passes because nothing else can happen.
void RequestWorld::wait_for_somebody() {
  const std::int64_t limit_ns = clock_.ns_of(clock_.now_us()) + kNeverReturns_ns;
  while (!is_over() && !given_up_ && anyone_in_call() && !anyone_can_go_on()) {
    if (next_ns_ >= kNever_ns || next_ns_ > limit_ns) {
      beliefs_.add({"no_return", "a call does not return, although none of its requests is held", true});
      return;
    }
    RequestClock::sleep_until(next_ns_);
    settle();
  }
}

void RequestWorld::end_expected(std::int64_t time_us) {
  last_end_us_ = std::max(last_end_us_, time_us);
  const auto place = std::lower_bound(ends_.begin(), ends_.end(), time_us);
  if (place == ends_.end() || *place != time_us) ends_.insert(place, time_us);
}

void RequestWorld::end_not_expected(std::int64_t time_us) {
  const auto place = std::lower_bound(ends_.begin(), ends_.end(), time_us);
  if (place != ends_.end() && *place == time_us) ends_.erase(place);
}

// Offers the present actor first, so that continuing is the default. Until the first step all clients are alike.
void RequestWorld::add_steps(std::vector<Option>& out) const {
  const auto actors = static_cast<std::uint8_t>(2 * settings_.clients);
  const bool goes_on = can_go_on(current_);
  const bool free = !goes_on || (current_ % 2 == 0 && client(current_).idle());
  if (goes_on) out.push_back({{WordKind::step, current_, 0}, {}});
  if (!begun_) return;
  for (std::uint8_t i = 1; i < actors; ++i) {
    const auto other = static_cast<std::uint8_t>((current_ + i) % actors);
    if (can_go_on(other)) out.push_back({{WordKind::step, other, 0}, free ? Cost{} : kPreemption});
  }
}

// A crash or cut right after a step has all effects of a later one.
void RequestWorld::add_faults(std::vector<Option>& out) const {
  const std::size_t steps = out.size();
  for (std::size_t i = 0; i < steps; ++i) {
    const Option step = out[i];
    if (step.word.kind != WordKind::step) continue;
    out.push_back({{WordKind::lost, step.word.actor, 0}, step.cost + kFault});
    if (!is_in_flight(step.word.actor)) out.push_back({{WordKind::late, step.word.actor, 0}, step.cost + kFault});
  }
  const auto actor = static_cast<std::uint8_t>(current_ & ~1U);
  const RequestClient& one = client(actor);
  if (!begun_ || !one.program_is_there() || one.gone()) return;
  out.push_back({{WordKind::crash, actor, 0}, kFault});
  if (one.idle()) out.push_back({{WordKind::cut, actor, 0}, kFault});
}

// Around the next end of a lease, and the rest of the lease before it.
std::vector<std::int64_t> RequestWorld::times() const {
  std::vector<std::int64_t> all;
  const std::int64_t now_us = clock_.now_us();
  for (auto end = std::upper_bound(ends_.begin(), ends_.end(), now_us - kSecond_us); end != ends_.end(); ++end) {
    all.insert(all.end(), {*end - kTick_us, *end, *end + kTick_us});
    if (*end > now_us) break;
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  all.erase(all.begin(), std::upper_bound(all.begin(), all.end(), now_us));
  return all;
}

std::vector<Option> RequestWorld::options() {
  std::vector<Option> out;
  if (given_up_) return out;
  add_steps(out);
  for (const auto& late : in_flight_) {
    out.push_back({{WordKind::arrives, late.actor, 0}, out.empty() ? Cost{} : out.back().cost});
  }
  if (out.empty()) return out;
  add_faults(out);
  if (just_passed_) return out;
  const std::int64_t now_us = clock_.now_us();
  for (const std::int64_t time_us : times()) out.push_back({{WordKind::time, 0, time_us - now_us}, kTimeJump});
  return out;
}

}  // namespace holdfast
