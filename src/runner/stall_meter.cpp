#include "runner/stall_meter.hpp"

#include <algorithm>

#include "control/control_page.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kSlack_ns = 50'000'000;
constexpr std::int64_t kTell_ns = 1'000'000'000;
constexpr std::int64_t kLate_ns = 150'000'000;    // well above the runner's own look interval of 10 ms
constexpr std::int64_t kSample_ns = 100'000'000;  // dozens of files are read each time

// Length of remainders at the edges of a planned stop.
std::int64_t short_ns(std::int64_t beat_ns) {
  return (Heartbeat::kGapBeats - 1) * beat_ns;
}

std::string milliseconds(std::int64_t ns) {
  return std::to_string(ns / 1'000'000) + " ms";
}

}  // namespace

std::vector<OutsideStop> OutsideStops::unplanned(OutsideStop stop) const {
  std::vector<OutsideStop> out;
  for (const StoppedSpan& rest : planned_.others(stop.number, stop.stretch, kSlack_ns)) {
    if (rest.to_ns - rest.from_ns < short_ns(beat_ns_)) continue;
    stop.stretch = rest;
    out.push_back(stop);
  }
  return out;
}

std::vector<OutsideStop> OutsideStops::client(std::uint32_t client, const Heartbeat& shown) {
  std::vector<OutsideStop> out;
  std::uint32_t& read = read_[client];
  const std::uint32_t gaps = shown.gaps.load();
  if (gaps - read > Heartbeat::kKept) read = gaps - Heartbeat::kKept;
  for (; read != gaps; ++read) {
    const StoppedSpan stretch{shown.from_ns.at(read % Heartbeat::kKept).load(),
                              shown.to_ns.at(read % Heartbeat::kKept).load()};
    const auto some = unplanned({client, {client}, "client " + std::to_string(client), stretch});
    out.insert(out.end(), some.begin(), some.end());
  }
  return out;
}

std::vector<OutsideStop> OutsideStops::server(std::int64_t number, const std::string& name, char state,
                                              std::int64_t now_ns) {
  Watched& watched = servers_[number];
  const bool stopped = state == 'T' || state == 't';
  const std::int64_t before_ns = watched.looked_ns == 0 ? now_ns : watched.looked_ns;
  watched.looked_ns = now_ns;
  StoppedSpan& open = watched.open;
  if (stopped) open = {open.to_ns == 0 ? before_ns : open.from_ns, now_ns};
  if (open.to_ns == 0 || (stopped && now_ns - open.from_ns < kTell_ns)) return {};
  if (!stopped) open.to_ns = now_ns;
  const StoppedSpan told = open;
  open = stopped ? StoppedSpan{now_ns, now_ns} : StoppedSpan{};
  return unplanned({number, {}, name, told});
}

StallMeter::StallMeter(std::int64_t zero_ns, std::int64_t beat_ns)
    : zero_ns_(zero_ns),
      beat_ns_(beat_ns),
      counted_(not_counted().empty()),
      last_ns_(monotonic_ns()),
      sampled_ns_(last_ns_) {}

void StallMeter::look(const std::vector<Watched>& watched) {
  const std::int64_t now_ns = monotonic_ns();
  if (const std::int64_t gap_ns = now_ns - last_ns_; gap_ns > kLate_ns) {
    tell("machine", {}, {last_ns_, now_ns, gap_ns}, "the runner did not run for " + milliseconds(gap_ns));
    machine_.push_back({last_ns_, now_ns});
  }
  last_ns_ = now_ns;
  if (now_ns - sampled_ns_ < kSample_ns) return;
  for (const Watched& one : watched) {
    const auto [found, added] = accounts_.try_emplace(one.number, one.pid, now_ns);
    if (added && one.adapter) found->second.programs.emplace(one.pid, now_ns);
    if (added) continue;
    const std::int64_t programs_ns = found->second.programs ? found->second.programs->look_ns(now_ns) : 0;
    const std::int64_t waited_ns = found->second.wait.look_ns(now_ns) + programs_ns;
    if (waited_ns > 0) found->second.waits.push_back({sampled_ns_, now_ns, waited_ns});
    const auto told = found->second.account.add(sampled_ns_, now_ns, waited_ns);
    if (!told) continue;
    tell("scheduler", one.clients, *told,
         one.name + (programs_ns > 0 ? " and programs that it started waited at most " : " waited ") +
             milliseconds(told->waited_ns) + " of " + milliseconds(told->to_ns - told->from_ns) + " for a processor");
  }
  // A gap and the wait that caused it may be seen in two different looks.
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

// Upper bound: waits counted in a look that overlaps the stretch count fully.
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
  if (left_ns < short_ns(beat_ns_)) return;
  tell("outside", stop.clients, {stop.stretch.from_ns, stop.stretch.to_ns, left_ns},
       stop.name + " did not run for " + milliseconds(left_ns) + ", although no fault had stopped it" +
           (counted_ ? " and it was not waiting for a processor"
                     : "; this machine does not measure waits for a processor"));
}

// The event gets the earliest possible start of the wait as its time, so that it precedes everything in the history
// that it may explain.
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
