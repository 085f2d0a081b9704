#include "reports/not_tried.hpp"

#include <algorithm>

namespace holdfast {

std::vector<LeftOut> left_out_by_reason(const RunVerdict& run) {
  std::vector<LeftOut> out;
  for (const auto& one : run.not_tried) {
    const std::string name = run.locks.size() > 1 && run.not_tried.front().lock != run.not_tried.back().lock
                                 ? one.lock + "/" + one.what
                                 : one.what;
    const auto known = std::find_if(out.begin(), out.end(), [&](const LeftOut& l) { return l.why == one.why; });
    if (known == out.end()) {
      out.push_back({one.why, name});
    } else {
      known->what += ", " + name;
    }
  }
  return out;
}

}  // namespace holdfast
