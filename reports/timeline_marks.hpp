// Marks drawn upon the lanes of a timeline: spans of belief, faults, writes and the violation itself.
#pragma once

#include <string>
#include <vector>

#include "artifact/verdict.hpp"
#include "reports/canvas.hpp"

namespace holdfast {

inline constexpr double kFaultRow = 22;

// Faults above the lanes, each with its name beside it, stacked so that no two touch.
struct FaultLabel {
  const FaultSpan* fault;
  double left;
  double right;
  std::vector<std::string> lines;
  enum class Side { within, after, before, below } side;  // of the bar; below it where no side has room
};
using FaultRow = std::vector<FaultLabel>;

double height_of(const FaultRow&);

std::vector<FaultRow> fault_rows(const Timeline&, const Canvas&);
void draw_fault_rows(const std::vector<FaultRow>&, Canvas&);
void draw_fault_bands(const Timeline&, Canvas&);  // in the lanes of the clients that were struck
void draw_writes(const Timeline&, const Witness*, Canvas&);

// Spans, then the violation. The labels come after everything that could cover them.
void draw_bars(const Timeline&, const Witness*, const std::string& property, Canvas&);
void draw_bar_labels(const Timeline&, const Witness*, Canvas&);

}  // namespace holdfast
