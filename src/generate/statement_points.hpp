// Points in a lock's attempts at which a fault can strike, from the statements that a trial showed.
#pragma once

#include <string>
#include <vector>

#include "generate/generated_suite.hpp"

namespace holdfast {

// A point in an attempt: before its first statement, or after one of them.
struct StatementPoint {
  Situation situation = Situation::granted;
  std::string statement;
  bool after = false;
  bool last = false;  // nothing is sent after it

  bool same(const StatementPoint& other) const { return statement == other.statement && after == other.after; }
};

// All points of the attempts with this result, in sending order, each once.
std::vector<StatementPoint> statement_points(const LockFacts& facts, Situation situation);

}  // namespace holdfast
