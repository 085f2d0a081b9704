// Measures a curve: a first trial shows the lock's statements, then every point gets its trials, in turn: one trial of
// each point, then the next of each, so that an interrupted curve has measured all points alike.
//
//   CurveOrder order{.options = options, .aim = {.lock = "redis_token", .fault = "pause"}, .plans = 20};
//   CurveRun found = measure_curve(order, progress, interrupted);
//
// Trials are those of `run`, in cells/LOCK/SCENARIO/NUMBER of order.options.folder, each with its stored result: with
// order.options.resume finished trials are not repeated. Throws BadInput if the fault has no point in this lock, or a
// resumed folder has other plans.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "artifact/curve.hpp"
#include "compare/curve_points.hpp"
#include "suite/suite.hpp"

namespace holdfast {

struct CurveOrder {
  SuiteOptions options;  // seed, jobs, time, servers, folder; scenarios and repetitions are set here
  CurveAim aim;
  int plans = 20;        // trials at each point
  std::string property;  // judge by this one only; empty: all safety properties
};

CurveRun measure_curve(const CurveOrder& order, const std::function<void(const SuiteProgress&)>& progress,
                       const std::atomic<bool>& interrupted);

}  // namespace holdfast
