#include "runner/outside_stops.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::int64_t kSlack_ns = 50'000'000;
constexpr std::int64_t kTell_ns = 1'000'000'000;
constexpr std::int64_t kShort_ns = Heartbeat::kGap_ns - Heartbeat::kBeat_ns;  // what is left of a planned stop's edges

}  // namespace

std::vector<OutsideStop> OutsideStops::unplanned(OutsideStop stop) const {
  std::vector<OutsideStop> out;
  for (const StoppedSpan& rest : planned_.others(stop.number, stop.stretch, kSlack_ns)) {
    if (rest.to_ns - rest.from_ns < kShort_ns) continue;
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

}  // namespace holdfast
