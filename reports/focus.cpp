#include "reports/focus.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/narration.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kShortest = 1'000'000;  // a window of a millisecond
constexpr std::int64_t kNarrowest = 12;        // the violation takes at least this part of its window
constexpr std::int64_t kLongest = 100'000'000'000'000'000;
constexpr std::int64_t kAroundFault = 1'000'000'000;

Stretch within(const Timeline& timeline, std::int64_t from, std::int64_t to) {
  const Stretch all = whole(timeline);
  if (to - from < kShortest) to = from + kShortest;
  Stretch out{std::max(from, all.from_ns), std::min(to, all.to_ns)};
  return out.to_ns - out.from_ns < kShortest ? all : out;
}

Stretch around(const Timeline& timeline, const Witness& witness) {
  std::int64_t from = witness.from_ns;
  std::int64_t to = std::max(witness.to_ns, witness.from_ns);
  const std::int64_t length = std::clamp(to - from, kShortest, kLongest);
  const auto spans = witness_spans(timeline, witness);
  for (const Span* span : spans) {
    from = std::min(from, span->from_ns);
    to = std::max({to, span->to_ns, std::min(span->lease_end_ns, witness.to_ns + length)});
  }
  // A violation of no length cannot claim a part of the picture; the holds around it are the picture.
  if (witness.to_ns > witness.from_ns) {
    from = std::max(from, witness.from_ns - length * kNarrowest / 2);
    to = std::min(to, witness.to_ns + length * kNarrowest / 2);
  }
  // A moment without a hold, as of an assertion, needs its surroundings.
  const bool bare = spans.empty() && from == to;
  const std::int64_t margin = std::max((to - from) / 12, bare ? kAroundFault : kShortest);
  return within(timeline, from - margin, to + margin);
}

std::vector<Bar> joined(const std::vector<Span>& spans, const Stretch& window, std::int64_t gap_ns,
                        const Witness* keep) {
  std::vector<Bar> out;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> last;
  for (const auto& span : spans) {
    if (span.to_ns < window.from_ns || span.from_ns > window.to_ns) continue;
    const auto before = last.find({span.client, span.key});
    const bool kept = keep != nullptr && span.from_ns <= keep->to_ns && span.to_ns >= keep->from_ns;
    const bool tiny = span.to_ns - span.from_ns < gap_ns * 2;
    if (!kept && tiny && before != last.end() && span.from_ns - out[before->second].span.to_ns < gap_ns) {
      Bar& bar = out[before->second];
      bar.span.to_ns = std::max(bar.span.to_ns, span.to_ns);
      bar.span.end_index = span.end_index;
      bar.span.lease_end_ns = 0;
      ++bar.grants;
      continue;
    }
    if (!kept) last[{span.client, span.key}] = out.size();
    out.push_back({span, 1});
  }
  return out;
}

}  // namespace

Stretch whole(const Timeline& timeline) {
  std::int64_t first = INT64_MAX;
  std::int64_t last = timeline.end_ns;
  const auto widen = [&](std::int64_t from, std::int64_t to) {
    first = std::min(first, from);
    last = std::max(last, to);
  };
  for (const auto& span : timeline.spans) widen(span.from_ns, span.to_ns);
  for (const auto& fault : timeline.faults) widen(fault.from_ns, fault.to_ns);
  for (const auto& write : timeline.writes) widen(write.time_ns, write.time_ns);
  // A foreign history may count from 1970, and a long one is cut; a trial of holdfast's own begins at 0.
  const bool late = first != INT64_MAX && (timeline.cut || first > last - first);
  const std::int64_t from = late || first < 0 ? first : 0;
  return {from, std::max(last, from + kShortest)};
}

Stretch focus(const Timeline& timeline, const Witness* witness) {
  if (witness != nullptr) return around(timeline, *witness);
  if (timeline.faults.empty()) return whole(timeline);
  const auto& fault = *std::min_element(timeline.faults.begin(), timeline.faults.end(),
                                        [](const auto& a, const auto& b) { return a.from_ns < b.from_ns; });
  const std::int64_t margin = std::max(kAroundFault, (fault.to_ns - fault.from_ns) / 4);
  return within(timeline, fault.from_ns - margin, fault.to_ns + margin);
}

std::vector<Bar> thinned_bars(const std::vector<Span>& spans, const Stretch& window, std::size_t most,
                              const Witness* keep) {
  std::int64_t gap = 0;
  auto bars = joined(spans, window, gap, keep);
  const std::int64_t length = std::max<std::int64_t>(window.to_ns - window.from_ns, 1);
  for (gap = length / 512 + 1; bars.size() > most && gap < length; gap *= 2) bars = joined(spans, window, gap, keep);
  return bars;
}

std::vector<std::uint32_t> lanes(const Timeline& timeline, const Stretch& window, const Witness* witness,
                                 std::size_t most) {
  std::vector<std::uint32_t> out;
  if (witness != nullptr) {
    for (const auto client : witness->clients) {
      if (std::find(out.begin(), out.end(), client) == out.end()) out.push_back(client);
    }
  }
  std::set<std::uint32_t> active;
  for (const auto& span : timeline.spans) {
    if (span.to_ns >= window.from_ns && span.from_ns <= window.to_ns) active.insert(span.client);
  }
  for (const auto& fault : timeline.faults) {
    if (fault.to_ns >= window.from_ns && fault.from_ns <= window.to_ns) {
      active.insert(fault.clients.begin(), fault.clients.end());
    }
  }
  for (const auto client : active) {
    if (std::find(out.begin(), out.end(), client) == out.end()) out.push_back(client);
  }
  out.resize(std::min(out.size(), most));
  return out;
}

}  // namespace holdfast
