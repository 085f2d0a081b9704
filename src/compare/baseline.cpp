#include "compare/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/run_verdict.hpp"

namespace holdfast {
namespace {

std::string cell_key(const std::string& variant, const std::string& scenario) {
  return variant + "\n" + scenario;
}

Baseline from_run(const RunVerdict& run) {
  Baseline out;
  out.of_run = true;
  for (const auto& cell : run.cells) {
    auto& counts = out.cells[cell_key(cell.lock, cell.scenario)];
    for (const auto& trial : cell.trials) {
      if (trial.outcome == Outcome::harness_error || trial.outcome == Outcome::unavailable) continue;
      for (const auto& p : trial.verdict.properties) {
        counts[p.property].violated += p.judgement == Judgement::violated ? 1 : 0;
        counts[p.property].judged += p.judgement == Judgement::violated || p.judgement == Judgement::holds ? 1 : 0;
      }
    }
  }
  return out;
}

Baseline from_comparison(const Comparison& all) {
  Baseline out;
  for (const auto& cell : all.cells) {
    auto& counts = out.cells[cell_key(cell.variant, cell.scenario)];
    for (const auto& count : cell.safety) counts[count.property] = {count.violated, count.judged};
  }
  return out;
}

auto find_cell(const Baseline& before, const std::string& variant, const std::string& scenario) {
  const auto slash = scenario.rfind('/');
  const std::string stem = before.of_run && slash != std::string::npos ? scenario.substr(slash + 1) : scenario;
  return before.cells.find(cell_key(variant, stem));
}

const Baseline::Counts* find_counts(const Baseline& before, const ComparedCell& cell, const std::string& property) {
  const auto old = find_cell(before, cell.variant, cell.scenario);
  if (old == before.cells.end()) return nullptr;
  const auto counts = old->second.find(property);
  return counts == old->second.end() ? nullptr : &counts->second;
}

std::string why_of(Change change, const Baseline::Counts* before, const Baseline::Counts& now) {
  switch (change) {
    case Change::same:
      return "";
    case Change::fresh:
      return "it held before";
    case Change::fixed:
      return "it was violated in every trial before, and in none now";
    case Change::still:
      return "in every trial, before and now";
    case Change::flaky:
      return "in some trials only: it depends on chance";
    case Change::unknown:
      break;
  }
  if (before == nullptr) return "it is not in the baseline";
  return now.judged == 0 ? "it was violated before, but no trial could judge it now"
                         : "the baseline could not judge it";
}

}  // namespace

Change change_between(const Baseline::Counts* before, const Baseline::Counts& now) {
  const bool violated = now.violated > 0;
  if (before == nullptr || before->judged == 0) return violated ? Change::unknown : Change::same;
  if (before->violated == 0) return violated ? Change::fresh : Change::same;
  if (now.judged == 0) return Change::unknown;
  const bool always_before = before->violated == before->judged;
  const bool always_now = now.violated == now.judged;
  if (always_before && !violated) return Change::fixed;
  return always_before && always_now ? Change::still : Change::flaky;
}

Baseline read_baseline(const nlohmann::json& json) {
  if (json.is_object() && json.contains("holdfast_compare")) return from_comparison(from_json<Comparison>(json));
  if (json.is_object() && json.contains("holdfast_run")) return from_run(from_json<RunVerdict>(json));
  throw BadInput("expected a comparison (compare.json) or a run (verdict.json)");
}

void check_baseline(const Baseline& before, const std::vector<ComparedVariant>& variants,
                    const std::vector<Scenario>& scenarios) {
  for (const auto& variant : variants) {
    for (const auto& scenario : scenarios) {
      if (find_cell(before, variant.name, scenario.suite + "/" + scenario.name) != before.cells.end()) return;
    }
  }
  std::string has;
  for (const auto& [key, counts] : before.cells) {
    const auto end = key.find('\n');
    has += (has.empty() ? "" : ", ") + key.substr(0, end) + " under " + key.substr(end + 1);
  }
  throw BadInput("it has none of these cells, so there is nothing to compare; its cells: " +
                 (has.empty() ? "nothing" : has));
}

std::vector<ComparedChange> changes_since(const Baseline& before, const Comparison& now) {
  std::vector<ComparedChange> out;
  for (const auto& cell : now.cells) {
    for (const auto& count : cell.safety) {
      const Baseline::Counts* old = find_counts(before, cell, count.property);
      const Baseline::Counts counted{count.violated, count.judged};
      const Change change = change_between(old, counted);
      if (change == Change::same) continue;
      ComparedChange one{cell.variant,
                         cell.scenario,
                         count.property,
                         change,
                         0,
                         0,
                         count.violated,
                         count.judged,
                         why_of(change, old, counted)};
      if (old != nullptr) one.violated_before = old->violated;
      if (old != nullptr) one.judged_before = old->judged;
      out.push_back(std::move(one));
    }
  }
  return out;
}

int exit_code_of(const Comparison& all) {
  if (all.interrupted) return kExitInterrupted;
  bool broken = false;
  bool open = false;
  bool ran = false;
  for (const auto& cell : all.cells) {
    for (const auto& trial : cell.trials) {
      broken = broken || trial.state == TrialState::harness_error;
      ran = ran || trial.state != TrialState::unavailable;
    }
    open = open || std::any_of(cell.safety.begin(), cell.safety.end(), [](const auto& s) { return s.undecided > 0; });
  }
  bool fresh = false;
  for (const auto& change : all.changes) {
    fresh = fresh || change.change == Change::fresh;
    open = open || change.change == Change::unknown;
  }
  if (fresh) return kExitNotAsExpected;
  if (broken) return kExitHarness;
  if (open) return kExitUndecided;
  return ran ? kExitAsExpected : kExitUnavailable;
}

}  // namespace holdfast
