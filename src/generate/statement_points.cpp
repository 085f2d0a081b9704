#include "generate/statement_points.hpp"

#include <algorithm>

namespace holdfast {

std::vector<StatementPoint> statement_points(const LockFacts& facts, Situation situation) {
  std::vector<StatementPoint> out;
  const auto add = [&](StatementPoint point) {
    const auto known = std::find_if(out.begin(), out.end(), [&](const StatementPoint& p) { return p.same(point); });
    if (known == out.end()) return out.push_back(std::move(point));
    known->last = known->last && point.last;
  };
  for (const auto& shape : facts.of(situation)) {
    add({situation, shape.statements.front(), false, false});
    for (std::size_t i = 0; i < shape.statements.size(); ++i) {
      add({situation, shape.statements[i], true, i + 1 == shape.statements.size()});
    }
  }
  return out;
}

}  // namespace holdfast
