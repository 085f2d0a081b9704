#include "checker/faults.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::size_t kMaxStalls = 10'000;  // of a sick machine; more of them say nothing new

bool overlaps(const FaultRecord& fault, std::int64_t from_ns, std::int64_t to_ns) {
  return fault.begin_ns <= to_ns && fault.end_ns >= from_ns;
}

}  // namespace

bool FaultRecord::strikes(std::uint32_t client) const {
  return clients.empty() || std::find(clients.begin(), clients.end(), client) != clients.end();
}

void FaultLog::apply(const Event& event) {
  if (event.actor != Actor::nemesis) return;
  switch (event.step) {
    case FaultStep::begin:
      all_.push_back({event.fault, event.cause, event.clients, event.time_ns, kNever, event.index, event.detail});
      ++in_force_;
      break;
    case FaultStep::end:
      end(event);
      break;
    case FaultStep::kill:
      all_.push_back(
          {event.fault, event.cause, event.clients, event.time_ns, event.time_ns, event.index, event.detail});
      last_end_ns_ = quiet_since_ns_ = event.time_ns;
      break;
    case FaultStep::healed:
      quiet_since_ns_ = event.time_ns;
      break;
    case FaultStep::stall:
      if (stalls_.size() < kMaxStalls) {
        stalls_.push_back(
            {event.time_ns, std::max(event.time_ns, event.until_ns), event.waited_ns, event.clients, event.detail});
      }
      break;
    case FaultStep::load_end:
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
  last_end_ns_ = quiet_since_ns_ = event.time_ns;
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

Stalled FaultLog::stalled_between(std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) const {
  Stalled out;
  for (const Stall& stall : stalls_) {
    const bool struck =
        stall.clients.empty() || std::find(stall.clients.begin(), stall.clients.end(), client) != stall.clients.end();
    if (!struck || stall.from_ns > to_ns || stall.to_ns < from_ns) continue;
    out.waited_ns += stall.waited_ns;
    if (out.longest == nullptr || stall.waited_ns > out.longest->waited_ns) out.longest = &stall;
  }
  return out;
}

}  // namespace holdfast
