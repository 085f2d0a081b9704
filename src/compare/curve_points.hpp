// Points of a curve: where one fault is aimed along a lock's life, each with a scenario of its own.
//
//   const CurveAim aim{.lock = "redis_token", .fault = "pause"};
//   for (const AimedPoint& point : aimed_points(aim, read_facts(HISTORY)).points) ...   // point.scenario
//
// Every job ends at its point, so that the struck client's next step follows the fault at once: the elapsed part of the
// lease and the fault's duration alone decide whether that step is late.
//
//   acquire   before its first statement and after each, on a free key; jobs take 5 % of the lease
//   hold      just after the grant, and just before the write of jobs that take 25 to 90 % of the lease, or 105 %
//   renew     as acquire; jobs end soon after their first renewal
//   release   as acquire; jobs take 90 % of the lease
//   no_fault  jobs of 90 % and of 105 % of the lease, without the fault
//
// Locks in C++ and lock files are struck at their statements, adapters at their requests. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artifact/curve.hpp"
#include "artifact/scenario.hpp"
#include "generate/generated_suite.hpp"

namespace holdfast {

struct CurveAim {
  std::string lock;
  std::string fault;
  std::int64_t for_ms = 0;    // 0: a fifth of the lease
  std::int64_t lease_ms = 0;  // 0: 2 s, and the longest wait of an acquire
};

struct AimedPoint {
  CurvePart part = CurvePart::hold;
  std::string moment;
  std::string tick;
  std::optional<std::int64_t> elapsed_ms;
  Scenario scenario;
};

struct AimedPoints {
  std::int64_t for_ms = 0;               // 0: the fault ends by itself
  std::optional<std::int64_t> lease_ms;  // promised; empty: the lock has no lease
  std::vector<AimedPoint> points;        // in the order of a lock's life
  std::vector<CurveLeftOut> left_out;
};

// Without facts (an empty LockFacts) only the points that need none.
AimedPoints aimed_points(const CurveAim& aim, const LockFacts& facts);

// Returns the faults that can be aimed: those of one client, at a point of its work, without settings of their own.
std::vector<std::string> aimable_faults();

// Throws BadInput for an unknown fault, or one that cannot be aimed, with the list of those that can.
void check_aimable(const std::string& fault);

}  // namespace holdfast
