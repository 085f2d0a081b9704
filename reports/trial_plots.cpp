#include "reports/trial_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "reports/canvas.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

constexpr double kSlice = 10;  // units of the plots' own width; they are stretched to that of the page
constexpr double kAcross = kSlice * kPlotSlices;
constexpr double kHigh = 48;
constexpr std::size_t kMostFaults = 60;
constexpr std::int64_t kLeastLatency = 100'000;  // a tenth of a millisecond

std::size_t slice_in(const Stretch& window, std::int64_t time_ns) {
  const auto part = static_cast<double>(time_ns - window.from_ns) / static_cast<double>(window.to_ns - window.from_ns);
  const auto last = static_cast<double>(kPlotSlices - 1);
  return static_cast<std::size_t>(std::clamp(std::floor(part * static_cast<double>(kPlotSlices)), 0.0, last));
}

std::string bar_path(std::size_t slice, double top, double bottom) {
  return fmt::format("M{} {}h9V{}h-9z", px(static_cast<double>(slice) * kSlice), px(top), px(bottom));
}

void write_shape(const char* kind, const char* fill, const std::string& path, HtmlWriter& out) {
  if (!path.empty()) out.empty("path", {{"class", kind}, {"fill", fill}, {"d", path}});
}

void write_bands(const Timeline& timeline, HtmlWriter& out) {
  const Stretch window = whole(timeline);
  const double scale = kAcross / static_cast<double>(window.to_ns - window.from_ns);
  std::string bands;
  for (std::size_t i = 0; i < std::min(timeline.faults.size(), kMostFaults); ++i) {
    const double from = static_cast<double>(timeline.faults[i].from_ns - window.from_ns) * scale;
    const double to = static_cast<double>(timeline.faults[i].to_ns - window.from_ns) * scale;
    bands += fmt::format("M{} 0h{}v{}H{}z", px(from), px(std::max(to - from, 2.0)), px(kHigh), px(from));
  }
  write_shape("plot-fault", "#ffe9b0", bands, out);
}

struct Sign {
  const char* kind;
  const char* fill;
  std::string name;
};

// One plot: its name with the key to its colours, and the drawing.
template <typename Draw>
void write_plot(const std::string& name, const std::vector<Sign>& signs, const Timeline& timeline, HtmlWriter& out,
                Draw draw) {
  {
    const auto line = out.tag("p", {{"class", "plot-name"}});
    out.text(name);
    for (const Sign& sign : signs) {
      out.text(" ");
      {
        const auto svg = out.tag("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                                         {"class", "plot-sign"},
                                         {"width", "10"},
                                         {"height", "10"},
                                         {"aria-hidden", "true"}});
        write_shape(sign.kind, sign.fill, "M0 0h10v10h-10z", out);
      }
      out.text(" " + sign.name);
    }
  }
  const auto svg = out.tag("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                                   {"class", "plot"},
                                   {"role", "img"},
                                   {"aria-label", name},
                                   {"viewBox", fmt::format("0 0 {} {}", px(kAcross), px(kHigh))},
                                   {"preserveAspectRatio", "none"},
                                   {"width", "100%"},
                                   {"height", "48"}});
  write_bands(timeline, out);
  draw();
}

void write_holders(const Timeline& timeline, HtmlWriter& out) {
  const auto holders = holders_in_slices(timeline);
  const int most = *std::max_element(holders.begin(), holders.end());
  std::string one;
  std::string more;
  for (std::size_t i = 0; i < kPlotSlices; ++i) {
    if (holders[i] == 0) continue;
    const double high = kHigh * holders[i] / std::max(most, 2);
    (holders[i] == 1 ? one : more) += bar_path(i, kHigh - high, kHigh);
  }
  std::vector<Sign> signs{{"bar", "#2f74b5", "one"}};
  if (most > 1) signs.push_back({"plot-violation", "#c00018", fmt::format("two or more, {} at most", most)});
  write_plot("Holders of one key at once:", signs, timeline, out, [&] {
    write_shape("bar", "#2f74b5", one, out);
    write_shape("plot-violation", "#c00018", more, out);
  });
}

// From the shortest to the longest in each slice, on a scale of decades.
std::string latency_path(const std::array<TrialCounts::Latency, kPlotSlices>& all, std::int64_t most_ns, double shift) {
  const double decades = std::log10(static_cast<double>(most_ns) / static_cast<double>(kLeastLatency));
  const auto y = [&](std::int64_t length) {
    const double part = std::log10(static_cast<double>(std::max(length, kLeastLatency)) / kLeastLatency) / decades;
    return (kHigh - 3) * (1 - std::clamp(part, 0.0, 1.0));
  };
  std::string out;
  for (std::size_t i = 0; i < kPlotSlices; ++i) {
    if (all[i].most_ns < 0) continue;
    const double top = y(all[i].most_ns);
    out += fmt::format("M{} {}h4V{}h-4z", px(static_cast<double>(i) * kSlice + shift), px(top),
                       px(y(all[i].least_ns) + 3));
  }
  return out;
}

void write_latencies(const TrialCounts& counts, const Timeline& timeline, HtmlWriter& out) {
  std::int64_t longest = kLeastLatency * 10;
  for (const auto* all : {&counts.acquires, &counts.writes}) {
    for (const auto& one : *all) longest = std::max(longest, one.most_ns);
  }
  const std::string name = fmt::format("Latency, shortest to longest, {} to {} in decades:", length_text(kLeastLatency),
                                       length_text(longest));
  write_plot(name, {{"bar", "#2f74b5", "acquire"}, {"plot-write", "#10202f", "write"}}, timeline, out, [&] {
    write_shape("bar", "#2f74b5", latency_path(counts.acquires, longest, 0), out);
    write_shape("plot-write", "#10202f", latency_path(counts.writes, longest, 5), out);
  });
}

void write_answers(const TrialCounts& counts, const Timeline& timeline, HtmlWriter& out) {
  constexpr std::array<const char*, 4> kKinds{"plot-ok", "plot-busy", "plot-failed", "plot-unknown"};
  constexpr std::array<const char*, 4> kFills{"#4a90c4", "#b9c2cb", "#c77700", "#f3d27a"};
  constexpr std::array<const char*, 4> kNames{"ok", "busy", "failed", "unknown or never"};
  std::array<std::int64_t, kPlotSlices> all{};
  std::array<std::int64_t, 4> sums{};
  for (std::size_t kind = 0; kind < 4; ++kind) {
    for (std::size_t i = 0; i < kPlotSlices; ++i) {
      all[i] += counts.answers[kind][i];
      sums[kind] += counts.answers[kind][i];
    }
  }
  const auto most = static_cast<double>(std::max<std::int64_t>(*std::max_element(all.begin(), all.end()), 1));
  std::vector<Sign> signs;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    if (sums[kind] > 0) signs.push_back({kKinds[kind], kFills[kind], kNames[kind] + (" " + count_text(sums[kind]))});
  }
  const auto window = whole(timeline);
  const std::string each = length_text((window.to_ns - window.from_ns) / static_cast<std::int64_t>(kPlotSlices));
  write_plot(fmt::format("Answers, at most {} in {}:", count_text(static_cast<std::int64_t>(most)), each), signs,
             timeline, out, [&] {
               std::array<double, kPlotSlices> bottom{};
               bottom.fill(kHigh);
               for (std::size_t kind = 0; kind < 4; ++kind) {
                 std::string path;
                 for (std::size_t i = 0; i < kPlotSlices; ++i) {
                   if (counts.answers[kind][i] == 0) continue;
                   const double top = bottom[i] - kHigh * static_cast<double>(counts.answers[kind][i]) / most;
                   path += bar_path(i, top, bottom[i]);
                   bottom[i] = top;
                 }
                 write_shape(kKinds[kind], kFills[kind], path, out);
               }
             });
}

void widen(TrialCounts::Latency& latency, std::int64_t took_ns) {
  latency.least_ns = latency.least_ns < 0 ? took_ns : std::min(latency.least_ns, took_ns);
  latency.most_ns = std::max(latency.most_ns, took_ns);
}

Answered kind_of_answer(const Event& event) {
  if (event.type == EventType::ok) return Answered::accepted;
  if (event.type == EventType::info) return Answered::unknown;
  return event.reason == Reason::busy ? Answered::busy : Answered::failed;
}

}  // namespace

std::size_t CountsOfTrial::slice_of(std::int64_t time_ns) const {
  return slice_in(window_, time_ns);
}

void CountsOfTrial::event(const Event& event) {
  if (event.actor != Actor::client || event.op == Op::leave) return;
  const std::pair<std::uint32_t, bool> whose{event.process, event.background};
  if (event.type == EventType::invoke) {
    open_[whose] = {event.op, event.time_ns};
    return;
  }
  const auto open = open_.find(whose);
  if (open == open_.end()) return;
  const auto [op, since_ns] = open->second;
  open_.erase(open);
  const std::size_t slice = slice_of(event.time_ns);
  ++counts_.answers[static_cast<std::size_t>(kind_of_answer(event))][slice];
  if (op == Op::acquire) widen(counts_.acquires[slice], event.time_ns - since_ns);
  if (op == Op::write) widen(counts_.writes[slice], event.time_ns - since_ns);
}

TrialCounts CountsOfTrial::take() && {
  for (const auto& [whose, request] : open_) {
    ++counts_.answers[static_cast<std::size_t>(Answered::unknown)][slice_of(request.second)];
  }
  return counts_;
}

TrialCounts trial_counts(HistorySource& history, const Timeline& timeline) {
  CountsOfTrial counts(timeline);
  Event event;
  while (history.next(event)) counts.event(event);
  return std::move(counts).take();
}

std::array<int, kPlotSlices> holders_in_slices(const Timeline& timeline) {
  const Stretch window = whole(timeline);
  std::map<std::string, std::vector<std::pair<std::int64_t, int>>> changes;  // by key
  for (const Span& span : timeline.spans) {
    changes[span.key].emplace_back(span.from_ns, 1);
    changes[span.key].emplace_back(span.to_ns, -1);
  }
  std::array<int, kPlotSlices> out{};
  for (auto& [key, of_key] : changes) {
    std::sort(of_key.begin(), of_key.end());  // at one moment an end comes first: equal times are not ordered
    int now = 0;
    std::int64_t since_ns = window.from_ns;
    for (const auto& [time_ns, change] : of_key) {
      if (now > 0) {
        for (std::size_t i = slice_in(window, since_ns); i <= slice_in(window, time_ns); ++i) {
          out[i] = std::max(out[i], now);
        }
      }
      now += change;
      since_ns = time_ns;
    }
  }
  return out;
}

void write_plots(const TrialCounts* counts, const Timeline& timeline, HtmlWriter& out) {
  const Stretch window = whole(timeline);
  const auto block = out.tag("div", {{"class", "trial-plots"}});
  out.element("p", {{"class", "label"}},
              fmt::format("The whole trial, {} to {}{}", moment_text(window.from_ns), moment_text(window.to_ns),
                          timeline.faults.empty() ? "" : "; bands are faults"));
  write_holders(timeline, out);
  if (counts == nullptr) return;
  write_latencies(*counts, timeline, out);
  write_answers(*counts, timeline, out);
}

}  // namespace holdfast
