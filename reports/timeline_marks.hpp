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
  std::string text;
  bool text_left;  // no room to the right: the text stands before the bar
};
using FaultRow = std::vector<FaultLabel>;

std::vector<FaultRow> fault_rows(const Timeline&, const Canvas&);
void draw_fault_rows(const std::vector<FaultRow>&, Canvas&);
void draw_fault_bands(const Timeline&, Canvas&);  // in the lanes of the clients that were struck
void draw_writes(const Timeline&, const Witness*, Canvas&);

// Spans, then the violation, then the labels, which must not be covered.
void draw_bars(const Timeline&, const Witness*, const std::string& property, Canvas&);

}  // namespace holdfast
