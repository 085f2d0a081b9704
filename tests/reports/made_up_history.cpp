#include "tests/reports/made_up_history.hpp"

#include <algorithm>

#include "reports/packed_trial.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast::made_up {
namespace {

constexpr std::int64_t kMicro = 1'000;
constexpr std::int64_t kMilli = 1'000'000;
constexpr std::int64_t kTurn = 300 * kMilli;
constexpr std::int64_t kHold = 220 * kMilli;
constexpr std::int64_t kLease = 260 * kMilli;
constexpr std::int64_t kLate = 410 * kMilli;  // the time for which the stopped holder holds

struct Made {
  std::vector<Event> events;
  std::uint64_t number = 0;
  std::uint64_t noise = 42;

  std::int64_t any(std::int64_t most) {
    noise = noise * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::int64_t>(noise >> 33U) % most;
  }
  // An operation of two events with one statement; a grant and a write carry the token.
  void op(std::uint32_t client, Op what, EventType type, std::int64_t at, std::int64_t took, std::uint64_t token) {
    Event asked;
    asked.time_ns = at;
    asked.op = what;
    asked.process = asked.client = client;
    asked.number = ++number;
    if (what == Op::write) asked.token = token;
    Event answered = asked;
    answered.time_ns = at + took;
    answered.type = type;
    if (type == EventType::fail) answered.reason = what == Op::acquire ? Reason::busy : Reason::other;
    if (what == Op::acquire && type == EventType::ok) answered.token = token;
    if (what != Op::write) {
      answered.statements = {{to_text(what), at + 20 * kMicro, at + took - 9 * kMicro, type == EventType::ok, 0}};
    }
    events.push_back(std::move(asked));
    events.push_back(std::move(answered));
  }
};

// One turn: granted, written, released. The stopped one writes when its successor is there already.
void turn(Made& made, std::uint32_t client, std::int64_t at, std::int64_t hold, std::uint64_t token, Timeline& out) {
  made.op(client, Op::acquire, EventType::ok, at - 2 * kMilli, 2 * kMilli, token);
  made.op(client, Op::write, EventType::ok, at + hold - 40 * kMilli, kMilli, token);
  made.op(client, Op::release, hold > kLease ? EventType::fail : EventType::ok, at + hold, kMilli, token);
  out.spans.push_back({client, "orders", at, at + hold, at - 2 * kMilli + kLease, 0, 0});
  out.writes.push_back({client, "orders", at + hold - 39 * kMilli, "ok", 0});
}

// A client without the lock tries again and again, and is refused.
void polls(Made& made, std::uint32_t client, std::uint32_t clients, std::int64_t end, std::int64_t every) {
  for (std::int64_t at = made.any(every); at < end; at += every / 2 + made.any(every)) {
    const std::int64_t turn_now = at / kTurn;
    const auto near_turn = [&](std::int64_t number) {
      const std::int64_t from = number * kTurn - 5 * kMilli;
      return number % clients == client && at >= from && at <= from + kLate + 10 * kMilli;
    };
    if (near_turn(turn_now) || near_turn(turn_now + 1) || near_turn(turn_now - 1)) continue;
    made.op(client, Op::acquire, EventType::fail, at, 400 * kMicro + made.any(900 * kMicro), 0);
  }
}

void number_events(Made& made, Timeline& timeline) {
  std::stable_sort(made.events.begin(), made.events.end(),
                   [](const Event& a, const Event& b) { return a.time_ns < b.time_ns; });
  std::uint64_t index = 0;
  for (auto& event : made.events) {
    event.index = index++;
    for (auto& span : timeline.spans) {
      if (event.client != span.client) continue;
      if (event.time_ns == span.from_ns && event.type == EventType::ok) span.grant_index = event.index;
      if (event.time_ns == span.to_ns && event.op == Op::release) span.end_index = event.index;
    }
  }
}

Witness overlap_of(const Span& held, const Span& granted) {
  Witness out;
  out.key = "orders";
  out.kind = "overrun";
  out.clients = {held.client, granted.client};
  out.from_ns = granted.from_ns;
  out.to_ns = std::min(held.to_ns, granted.to_ns);
  out.text = "the earlier holder went on after its lease had ended";
  return out;
}

}  // namespace

bool HistoryInMemory::next(Event& event) {
  if (at_ == events_.size()) return false;
  event = events_[at_++];
  return true;
}

Story story(const std::string& lock, const std::string& scenario, std::size_t events, std::uint32_t clients,
            bool violated) {
  Story out;
  out.names.keys = {"orders"};
  out.verdict = violated ? overlapping_trial(lock, scenario) : holding_trial(lock, scenario);
  out.verdict.clients = clients;
  Timeline& timeline = out.verdict.timeline = {};
  // A poll takes two events and 1.2 ms of a client's time; 60 s are long enough for any number.
  const std::int64_t turns = std::clamp<std::int64_t>(static_cast<std::int64_t>(events) / 500, 8, 200);
  const std::int64_t end = turns * kTurn;
  Made made;
  for (std::int64_t i = 1; i + 1 < turns; ++i) {
    const bool stopped = violated && i == turns / 2;
    turn(made, static_cast<std::uint32_t>(i % clients), i * kTurn, stopped ? kLate : kHold,
         static_cast<std::uint64_t>(i), timeline);
  }
  const std::int64_t polls_wanted = std::max<std::int64_t>(static_cast<std::int64_t>(events) / 2 - turns * 3, 1);
  for (std::uint32_t client = 0; client < clients; ++client) {
    polls(made, client, clients, end, std::max<std::int64_t>(end * clients / polls_wanted * 4 / 5, 20 * kMicro));
  }
  number_events(made, timeline);
  timeline.end_ns = end;
  const auto middle = static_cast<std::size_t>(turns / 2 - 1);
  const Span& held = timeline.spans[middle];
  timeline.faults = {{"pause", {held.client}, held.from_ns + 40 * kMilli, held.from_ns + 350 * kMilli, "stopped"}};
  for (auto& property : out.verdict.properties) {
    if (property.witnesses.empty()) continue;
    Witness witness = overlap_of(held, timeline.spans[middle + 1]);
    if (property.property == "resource") witness.from_ns = witness.to_ns = held.to_ns - 39 * kMilli;  // its late write
    property.witnesses = {witness};
  }
  out.events = std::move(made.events);
  return out;
}

PackedText packed(const Story& story) {
  HistoryInMemory history(story.events, story.names);
  return packed_trial(history, story.verdict);
}

}  // namespace holdfast::made_up
