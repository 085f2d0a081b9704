// The page of a curve: the share of violations at each point of a lock's life, with its 95 % interval, and the same in
// a table. One file that opens offline; it has no scripts.
//
//   write_text_file("curve.html", curve_page(run));
//
// A point that is not measured is hatched and never drawn at 0.
#pragma once

#include <string>

#include "artifact/curve.hpp"
#include "reports/html.hpp"

namespace holdfast {

std::string curve_page(const CurveRun&);

// The picture alone.
Markup curve_svg(const CurveRun&);

}  // namespace holdfast
