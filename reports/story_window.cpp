#include "reports/story_window.hpp"

#include <algorithm>

#include "reports/narration.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kShortest = 1'000'000;  // a window of a millisecond
constexpr std::int64_t kLongest = 100'000'000'000'000'000;
constexpr std::int64_t kTooMuch = 2;     // a part that is longer than so many times all others is left out
constexpr std::int64_t kTooLittle = 20;  // the violation takes at least this part of the axis, if that can be had
constexpr std::int64_t kWorthIt = 6;     // by leaving out parts that take at least this part of it
constexpr std::size_t kMostLeftOut = 4;
constexpr std::int64_t kMargin = 12;  // of a window, and of what is left of a part at its ends

// A lease end before the grant, or one that is only a promise, does not show when the lease ended.
bool has_known_lease(const Span& span) {
  return span.lease_end_ns > span.from_ns && !span.doubts.any();
}

std::vector<std::int64_t> moments_of(const Timeline& timeline, const std::vector<const Witness*>& witnesses,
                                     const std::vector<std::int64_t>& steps) {
  std::vector<std::int64_t> out = steps;
  for (const Witness* witness : witnesses) {
    out.insert(out.end(), {witness->from_ns, std::max(witness->to_ns, witness->from_ns)});
    for (const Span* span : witness_spans(timeline, *witness)) {
      out.insert(out.end(), {span->from_ns, span->to_ns});
      if (has_known_lease(*span)) out.push_back(std::min(span->lease_end_ns, kLongest));
    }
  }
  std::sort(out.begin(), out.end());
  const std::int64_t first = out.front();
  const std::int64_t last = out.back();
  for (const auto& fault : timeline.faults) {
    for (const std::int64_t at : {fault.from_ns, fault.to_ns}) {
      if (at > first && at < last) out.push_back(at);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Stretch> parts_of(const std::vector<std::int64_t>& moments) {
  std::vector<Stretch> out;
  for (std::size_t i = 1; i < moments.size(); ++i) {
    if (moments[i] > moments[i - 1]) out.push_back({moments[i - 1], moments[i]});
  }
  return out;
}

std::int64_t length_of(const Stretch& part) {
  return part.to_ns - part.from_ns;
}

}  // namespace

StoryWindow story_window(const Timeline& timeline, const std::vector<const Witness*>& witnesses,
                         const std::vector<std::int64_t>& steps) {
  const auto moments = moments_of(timeline, witnesses, steps);
  auto parts = parts_of(moments);
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return length_of(a) > length_of(b); });
  std::int64_t kept = moments.back() - moments.front();
  StoryWindow out;
  const Witness& told = *witnesses.front();
  for (const Stretch& part : parts) {
    const std::int64_t others = std::max(kept - length_of(part), kShortest);
    const bool hides = told.to_ns > told.from_ns && told.to_ns - told.from_ns < kept / kTooLittle &&
                       (part.to_ns <= told.from_ns || part.from_ns >= told.to_ns) && length_of(part) > kept / kWorthIt;
    if (out.left_out.size() == kMostLeftOut || (!hides && length_of(part) / kTooMuch <= others)) break;
    out.left_out.push_back(part);
    kept = others;
  }
  const std::int64_t end = kept / kMargin;  // so that a part's own ends are not at the tear
  for (Stretch& part : out.left_out) {
    const std::int64_t stays = std::min(length_of(part) / 4, end);
    part = {part.from_ns + stays, part.to_ns - stays};
    kept += 2 * stays;
  }
  std::sort(out.left_out.begin(), out.left_out.end(),
            [](const auto& a, const auto& b) { return a.from_ns < b.from_ns; });
  const std::int64_t margin = std::max(kept / kMargin, kShortest / 2);
  const std::int64_t begin = std::min(whole(timeline).from_ns, moments.front());
  out.shown = {std::max(moments.front() - margin, begin), moments.back() + margin};
  return out;
}

}  // namespace holdfast
