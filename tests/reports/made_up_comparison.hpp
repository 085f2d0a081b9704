// A comparison for tests: two variants under one scenario, one of which is violated; numbers that one can recognise.
#pragma once

#include "artifact/comparison.hpp"

namespace holdfast::made_up {

inline ComparedTrial compared_trial(int number, bool violated) {
  ComparedTrial t;
  t.number = number;
  t.seed = 18'000'000'000'000'000'001ULL;
  t.folder = "V1/cells/x/quick/pause/" + std::to_string(number);
  t.properties = {{"resource", violated ? Judgement::violated : Judgement::holds, {}, "as it should", 0, 0}};
  if (violated)
    t.properties = {
        {"resource", Judgement::violated, {{"overrun", 2}}, "client 1 wrote", 4'000'000'000, 4'500'000'000}};
  t.service.trials = 1;
  t.service.load_ns = 6'000'000'000;
  t.service.grants = 30;
  t.end_ns = 7'000'000'000;
  t.faults = {{"pause", {1}, 1'000'000'000, 3'000'000'000, "stopped for 2.000 s"}};
  t.gaps = {{1'500'000'000, 2'500'000'000}};
  t.grants_by_bin = {2, 0, 3};
  return t;
}

inline ComparedCell compared_cell(const std::string& variant, std::int64_t violated) {
  ComparedCell cell;
  cell.variant = variant;
  cell.scenario = "quick/pause";
  cell.trials = {compared_trial(1, false), compared_trial(2, violated > 0)};
  SafetyCount count;
  count.property = "resource";
  count.violated = violated;
  count.judged = 2;
  if (violated > 0) count.kinds = {{"overrun", violated}};
  count.text = violated > 0 ? "client 1 wrote" : "";
  SafetyCount idle;
  idle.property = "ownership";
  idle.not_exercised = 2;
  cell.safety = {count, idle};
  cell.service.trials = 2;
  cell.service.load_ns = 12'000'000'000;
  cell.service.grants = 60;
  cell.service.statements = 150;
  cell.service.unavailable_ns = 3'000'000'000;
  cell.service.longest_gap_ns = 1'000'000'000;
  cell.service.recoveries = 2;
  cell.service.slowest_recovery_ns = 45'000'000;
  cell.service.uncontended = {9, 900'000, 1'400'000, 2'000'000};
  return cell;
}

inline Comparison comparison() {
  Comparison all;
  all.version = "0.1.0";
  all.started_utc = "2026-01-31T12:00:00Z";
  all.command = "holdfast compare get_lock insert_lease";
  all.server = "MariaDB 10.11.19";
  all.seed = 42;
  all.repeat = 2;
  all.variants = {{"get_lock", "get_lock", {}}, {"insert_lease lease_ms=500", "insert_lease", {{"lease_ms", "500"}}}};
  all.scenarios = {"quick/pause"};
  all.cells = {compared_cell("get_lock", 0), compared_cell("insert_lease lease_ms=500", 1)};
  return all;
}

}  // namespace holdfast::made_up
