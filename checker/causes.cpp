#include "checker/causes.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "artifact/units.hpp"
#include "checker/hold.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMaxStalls = 10'000;  // the machine is sick then; further stalls add nothing

bool overlaps(const FaultRecord& fault, std::int64_t from_ns, std::int64_t to_ns) {
  return fault.begin_ns <= to_ns && fault.end_ns >= from_ns;
}

// Refused by an error of its last statement, when one before had found or changed something.
bool refused_at_last(const Event& event) {
  const auto& all = event.statements;
  if (event.type != EventType::fail || all.size() < 2 || all.back().error == 0) return false;
  return std::any_of(all.begin(), all.end() - 1, [](const Statement& s) { return s.rows > 0; });
}

bool had_effect(const Event& event) {
  if (event.op == Op::acquire) return event.type == EventType::ok || refused_at_last(event);
  return took_effect(event) || changed_something(event);
}

}  // namespace

bool is_of_client_clocks(const std::string& cause) {
  constexpr std::array<std::string_view, 2> kAll{"client_skew", "clock_drift"};
  return std::find(kAll.begin(), kAll.end(), cause) != kAll.end();
}

bool FaultRecord::strikes(std::uint32_t client) const {
  return clients.empty() || std::find(clients.begin(), clients.end(), client) != clients.end();
}

void FaultLog::apply(const Event& event) {
  if (event.actor != Actor::nemesis) return;
  switch (event.step) {
    case FaultStep::begin:
      all_.push_back(
          {event.fault, event.cause, event.clients, event.time_ns, kNever, event.index, event.detail, event.stops});
      ++in_force_;
      break;
    case FaultStep::end:
      end(event);
      break;
    case FaultStep::kill:
      all_.push_back(
          {event.fault, event.cause, event.clients, event.time_ns, event.time_ns, event.index, event.detail, false});
      last_end_ns_ = event.time_ns;
      break;
    case FaultStep::healed:
      healed_ns_ = event.time_ns;
      break;
    case FaultStep::stall:
      if (stalls_.size() < kMaxStalls) {
        stalls_.push_back(
            {event.time_ns, std::max(event.time_ns, event.until_ns), event.waited_ns, event.clients, event.detail});
      }
      break;
    case FaultStep::load_end:
    case FaultStep::unanswered:
      break;
  }
}

void FaultLog::end(const Event& event) {
  const auto ends = [&](bool same_clients) {
    return std::find_if(all_.rbegin(), all_.rend(), [&](const FaultRecord& f) {
      return f.end_ns == kNever && f.name == event.fault && (!same_clients || f.clients == event.clients);
    });
  };
  auto fault = ends(true);
  if (fault == all_.rend()) fault = ends(false);
  if (fault == all_.rend()) return;
  fault->end_ns = event.time_ns;
  if (!event.detail.empty()) fault->detail = event.detail;  // measured over its whole length
  if (fault->cause.empty()) fault->cause = event.cause;
  --in_force_;
  last_end_ns_ = event.time_ns;
}

template <typename Counts>
FaultLog::Reach FaultLog::reach(const Counts& counts) const {
  Reach out;
  for (const FaultRecord& fault : all_) {
    if (!counts(fault)) continue;
    if (fault.end_ns == kNever) {
      out.in_force = true;
    } else {
      out.quiet_since_ns = std::max({out.quiet_since_ns, fault.end_ns, healed_ns_});
    }
  }
  return out;
}

FaultLog::Reach FaultLog::reach_of(std::uint32_t client) const {
  return reach([client](const FaultRecord& fault) { return fault.strikes(client) || fault.only_clocks(); });
}

FaultLog::Reach FaultLog::reach_of_all() const {
  return reach([](const FaultRecord& fault) {
    return fault.clients.empty() || fault.only_clocks() || fault.begin_ns == fault.end_ns;
  });
}

const FaultRecord* FaultLog::cause_between(const std::vector<Involved>& parties, std::int64_t to_ns) const {
  for (auto fault = all_.rbegin(); fault != all_.rend(); ++fault) {
    const auto struck = [&](const Involved& p) {
      return fault->strikes(p.client) && overlaps(*fault, p.from_ns, to_ns);
    };
    if (!fault->cause.empty() && std::any_of(parties.begin(), parties.end(), struck)) return &*fault;
  }
  return nullptr;
}

bool FaultLog::struck_between(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const FaultRecord& f) { return f.strikes(client) && overlaps(f, from_ns, to_ns); });
}

bool FaultLog::hindered_between(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const {
  return std::any_of(all_.begin(), all_.end(), [&](const FaultRecord& f) {
    return f.strikes(client) && !f.only_clocks() && overlaps(f, from_ns, to_ns);
  });
}

std::int64_t FaultLog::held_up_until_ns(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const {
  std::int64_t out = -1;
  for (const FaultRecord& f : all_) {
    const bool holds_up = !f.clients.empty() && f.strikes(client) && !f.only_clocks() && f.begin_ns < f.end_ns;
    if (!holds_up || !overlaps(f, from_ns, to_ns)) continue;
    const std::int64_t over_ns = f.stops ? f.end_ns : std::max(f.end_ns, healed_ns_) + kOnItsWay_ns;
    out = std::max(out, f.end_ns == kNever ? kNever : over_ns);
  }
  return out;
}

std::int64_t FaultLog::stopped_ns(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const {
  std::int64_t stopped = 0;
  std::int64_t counted_to_ns = from_ns;  // faults stand in the order in which they began
  for (const FaultRecord& fault : all_) {
    if (!fault.stops || !fault.strikes(client)) continue;
    const std::int64_t begin_ns = std::max(fault.begin_ns, counted_to_ns);
    const std::int64_t end_ns = std::min(fault.end_ns, to_ns);
    if (end_ns <= begin_ns) continue;
    stopped += end_ns - begin_ns;
    counted_to_ns = end_ns;
  }
  return stopped;
}

// visit(stall, waited): those that may have kept the client from running within [from, to], while no fault did.
template <typename Visit>
void FaultLog::each_stall(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns, const Visit& visit) const {
  for (const Stall& stall : stalls_) {
    const bool struck =
        stall.clients.empty() || std::find(stall.clients.begin(), stall.clients.end(), client) != stall.clients.end();
    if (!struck || stall.from_ns > to_ns || stall.to_ns < from_ns) continue;
    const std::int64_t stopped = stopped_ns(client, stall.from_ns, stall.to_ns);
    const std::int64_t ran_ns = stall.to_ns - stall.from_ns - stopped;
    visit(stall, stopped == 0 ? stall.waited_ns : std::min(stall.waited_ns, ran_ns));
  }
}

Stalled FaultLog::stalled_between(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const {
  Stalled out;
  each_stall(client, from_ns, to_ns, [&](const Stall& stall, std::int64_t waited_ns) {
    out.waited_ns += waited_ns;
    if (out.longest == nullptr || stall.waited_ns > out.longest->waited_ns) out.longest = &stall;
  });
  return out;
}

bool FaultLog::starved_between(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const {
  std::int64_t starved_ns = 0;
  each_stall(client, from_ns, to_ns, [&](const Stall& stall, std::int64_t waited_ns) {
    starved_ns += std::min(waited_ns, std::min(stall.to_ns, to_ns) - std::max(stall.from_ns, from_ns));
  });
  return starved_ns > 0 && 2 * starved_ns >= to_ns - from_ns;
}

void Causes::event(const Event& event) {
  if (event.actor != Actor::client || event.type == EventType::invoke) return;
  if (event.op == Op::write || event.op == Op::leave) return;
  const bool unanswered = event.type == EventType::info && event.op != Op::acquire;
  if (!unanswered && !had_effect(event)) return;
  if (event.key >= keys_.size()) keys_.resize(event.key + 1);
  const Operation& operation = holds_.operation();
  const bool granted = event.op == Op::acquire && event.type == EventType::ok;
  const bool rightful = granted || (operation.hold != nullptr && operation.hold->valid_at(event.time_ns));
  const Answered call{event.client, operation.invoked_ns, event.time_ns, rightful};
  Key& key = keys_[event.key];
  unanswered ? key.unanswered.add(call) : key.answered.add(call);
}

std::vector<Involved> Causes::involved_in(const Incident& incident) const {
  std::vector<Involved> parties;
  for (const std::uint32_t client : incident.clients) parties.push_back({client, incident.from_ns});
  if (incident.key >= keys_.size()) return parties;
  const Key& key = keys_[incident.key];
  for (const Answered& call : key.answered.calls) {
    const bool meanwhile = call.answered_ns > incident.from_ns && call.invoked_ns < incident.to_ns;
    const bool before = call.rightful && call.invoked_ns < incident.since_ns;
    if (meanwhile && !before) parties.push_back({call.client, std::min(call.invoked_ns, incident.from_ns)});
  }
  for (const Answered& call : key.unanswered.calls) {
    if (call.answered_ns < 0 || call.invoked_ns >= incident.to_ns) continue;
    parties.push_back({call.client, std::max(call.invoked_ns, incident.from_ns - kOnItsWay_ns)});
  }
  return parties;
}

const FaultRecord* Causes::suspected(const Incident& incident) const {
  return faults_.all().empty() ? nullptr : faults_.cause_between(involved_in(incident), incident.to_ns);
}

}  // namespace holdfast
