// What a generated suite left out, told by its reasons: several things have one.
//
//   for (const auto& [why, what] : not_tried(run)) fmt::print("{}: {}\n", why, what);
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

struct LeftOut {
  std::string why;
  std::string what;  // names, with commas between them
};

std::vector<LeftOut> left_out_by_reason(const RunVerdict& run);

}  // namespace holdfast
