#include "runner/stall_meter.hpp"

#include <algorithm>

#include "control/control_page.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLate_ns = 150'000'000;    // well above the runner's own look of 10 ms
constexpr std::int64_t kSample_ns = 100'000'000;  // dozens of files are read each time

std::string milliseconds(std::int64_t ns) {
  return std::to_string(ns / 1'000'000) + " ms";
}

}  // namespace

StallMeter::StallMeter(std::int64_t zero_ns)
    : zero_ns_(zero_ns), counted_(not_counted().empty()), last_ns_(monotonic_ns()), sampled_ns_(last_ns_) {}

void StallMeter::look(const std::vector<Watched>& watched) {
  const std::int64_t now_ns = monotonic_ns();
  if (const std::int64_t gap_ns = now_ns - last_ns_; gap_ns > kLate_ns) {
    tell("machine", {}, {last_ns_, now_ns, gap_ns}, "the runner stood still for " + milliseconds(gap_ns));
    machine_.push_back({last_ns_, now_ns});
  }
  last_ns_ = now_ns;
  if (now_ns - sampled_ns_ < kSample_ns) return;
  for (const Watched& one : watched) {
    const auto [found, added] = accounts_.try_emplace(one.number, one.pid);
    if (added) continue;
    const std::int64_t waited_ns = found->second.wait.look_ns();
    if (waited_ns > 0) found->second.waits.push_back({sampled_ns_, now_ns, waited_ns});
    const auto told = found->second.account.add(sampled_ns_, now_ns, waited_ns);
    if (!told) continue;
    const std::string who = one.clients.empty() ? "the server" : "client " + std::to_string(one.clients.front());
    tell("scheduler", one.clients, *told,
         who + " waited " + milliseconds(told->waited_ns) + " of " + milliseconds(told->to_ns - told->from_ns) +
             " for a processor");
  }
  // A gap and the wait that made it may be seen at two looks.
  const auto old = [&](const OutsideStop& stop) { return stop.stretch.to_ns < sampled_ns_; };
  for (const OutsideStop& stop : still_) {
    if (old(stop)) tell_stop(stop);
  }
  still_.erase(std::remove_if(still_.begin(), still_.end(), old), still_.end());
  sampled_ns_ = now_ns;
}

void StallMeter::finish() {
  for (const OutsideStop& stop : still_) tell_stop(stop);
  still_.clear();
}

// At most: waits that were counted at a look beside the stretch count whole.
std::int64_t StallMeter::explained_ns(const OutsideStop& stop) const {
  std::int64_t out_ns = 0;
  for (const StoppedSpan& gap : machine_) {
    const std::int64_t shared_ns =
        std::min(gap.to_ns, stop.stretch.to_ns) - std::max(gap.from_ns, stop.stretch.from_ns);
    out_ns += std::max<std::int64_t>(shared_ns, 0);
  }
  const auto account = accounts_.find(stop.number);
  if (account == accounts_.end()) return out_ns;
  for (const auto& wait : account->second.waits) {
    const bool near = wait.from_ns <= stop.stretch.to_ns + kSample_ns && wait.to_ns >= stop.stretch.from_ns;
    if (near) out_ns += wait.waited_ns;
  }
  return out_ns;
}

void StallMeter::tell_stop(const OutsideStop& stop) {
  const std::int64_t lasted_ns = stop.stretch.to_ns - stop.stretch.from_ns;
  const std::int64_t left_ns = lasted_ns - explained_ns(stop);
  if (left_ns < Heartbeat::kGap_ns - Heartbeat::kBeat_ns) return;
  tell("outside", stop.clients, {stop.stretch.from_ns, stop.stretch.to_ns, left_ns},
       stop.name + " did not run for " + milliseconds(left_ns) + ", though no fault had stopped it" +
           (counted_ ? " and it was not waiting for a processor"
                     : "; nobody counts here whether it waited for a processor"));
}

// The event is told with the time at which the wait can have begun, so that in the history it comes before all that it
// may explain.
void StallMeter::tell(const char* what, const std::vector<std::uint32_t>& clients, const WaitAccount::Told& told,
                      const std::string& detail) {
  Event event;
  event.actor = Actor::nemesis;
  event.type = EventType::info;
  event.time_ns = std::max<std::int64_t>(told.from_ns - zero_ns_, 0);
  event.until_ns = told.to_ns - zero_ns_;
  event.waited_ns = told.waited_ns;
  event.fault = what;
  event.step = FaultStep::stall;
  event.clients = clients;
  event.detail = detail;
  events_.push_back(event);
  if (is_stall(told)) ++stalls_;
}

}  // namespace holdfast
