// Plots of a whole trial: how many act as holder, how long acquires and writes took, how requests were answered; the
// faults are bands in each.
//
//   CountsOfTrial counts(timeline);
//   while (source.next(event)) counts.event(event);
//   write_plots(std::move(counts).take(), timeline, out);
//
// Small: a slice of the trial is a bar, however many events it has. Without a history only the holders are known. The
// labels are text of the page, so that they are readable at any width.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "artifact/verdict.hpp"
#include "history/event.hpp"
#include "history/history_source.hpp"
#include "reports/focus.hpp"
#include "reports/html.hpp"

namespace holdfast {

inline constexpr std::size_t kPlotSlices = 60;

enum class Answered : std::uint8_t { accepted, busy, failed, unknown };

struct TrialCounts {
  struct Latency {
    std::int64_t least_ns = -1;  // -1: none in this slice
    std::int64_t most_ns = -1;
  };
  std::array<std::array<std::int64_t, kPlotSlices>, 4> answers{};  // by Answered
  std::array<Latency, kPlotSlices> acquires{};
  std::array<Latency, kPlotSlices> writes{};
};

// Requests count in the slice of their answer; unanswered ones in that of their call.
class CountsOfTrial {
 public:
  explicit CountsOfTrial(const Timeline& timeline) : window_(whole(timeline)) {}

  void event(const Event& event);  // in the order of the history
  TrialCounts take() &&;

 private:
  std::size_t slice_of(std::int64_t time_ns) const;

  Stretch window_;
  TrialCounts counts_;
  std::map<std::pair<std::uint32_t, bool>, std::pair<Op, std::int64_t>> open_;  // by process and background
};

TrialCounts trial_counts(HistorySource&, const Timeline&);

// The most holders of one key at once, in each slice.
std::array<int, kPlotSlices> holders_in_slices(const Timeline&);

// `counts` null: the history is not known.
void write_plots(const TrialCounts* counts, const Timeline&, HtmlWriter& out);

}  // namespace holdfast
