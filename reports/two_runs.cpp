#include "reports/two_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "artifact/enumeration.hpp"
#include "reports/durations.hpp"
#include "reports/run_trends.hpp"

namespace holdfast {
namespace {

using CellName = std::pair<std::string, std::string>;  // lock and scenario

CellName name_of(const Cell& cell) {
  return {cell.lock, cell.scenario};
}

// "mutual_exclusion overrun", each once, in whatever number of trials.
std::set<std::string> kinds_of(const Cell& cell) {
  std::set<std::string> out;
  for (const auto& trial : cell.trials) {
    for (const auto& property : trial.verdict.properties) {
      if (property.judgement != Judgement::violated) continue;
      for (const auto& [kind, count] : property.kinds) out.insert(property.property + " " + kind);
    }
  }
  return out;
}

bool other_duration(const Cell& before, const Cell& now) {
  const double from_s = mean_seconds(before);
  const double to_s = mean_seconds(now);
  if (from_s <= 0 || to_s <= 0 || std::abs(to_s - from_s) < kDurationLeast_s) return false;
  return std::max(from_s, to_s) >= kDurationFactor * std::min(from_s, to_s);
}

CellChange change_of(const Cell& before, const Cell& now) {
  if (before.outcome != now.outcome) {
    if (is_good(before.outcome) && is_bad(now.outcome)) return CellChange::broke;
    if (is_bad(before.outcome) && is_good(now.outcome)) return CellChange::fixed;
    return CellChange::other;
  }
  if (kinds_of(before) != kinds_of(now)) return CellChange::kind;
  return other_duration(before, now) ? CellChange::duration : CellChange::same;
}

}  // namespace

const char* to_text(CellChange change) {
  static constexpr EnumWords<CellChange> kWords(
      {"broke", "another outcome", "another violation", "fixed", "another duration", "same"});
  return kWords[change];
}

double mean_seconds(const Cell& cell) {
  double all = 0;
  for (const auto& trial : cell.trials) all += trial.seconds;
  return cell.trials.empty() ? 0 : all / static_cast<double>(cell.trials.size());
}

int TwoRuns::count_of(CellChange change) const {
  return static_cast<int>(
      std::count_if(changed.begin(), changed.end(), [change](const CellPair& pair) { return pair.change == change; }));
}

TwoRuns compare_runs(const NamedRun& before, const NamedRun& now) {
  TwoRuns out{before, now, {}, {}, {}, 0};
  std::map<CellName, const Cell*> earlier;
  for (const auto& cell : before.run.cells) earlier[name_of(cell)] = &cell;
  for (const auto& cell : now.run.cells) {
    const auto found = earlier.find(name_of(cell));
    if (found == earlier.end()) {
      out.only_now.push_back(&cell);
      continue;
    }
    const CellPair pair{found->second, &cell, change_of(*found->second, cell)};
    earlier.erase(found);
    pair.change == CellChange::same ? void(++out.same) : out.changed.push_back(pair);
  }
  for (const auto& cell : before.run.cells) {
    if (earlier.count(name_of(cell)) > 0) out.only_before.push_back(&cell);
  }
  std::stable_sort(out.changed.begin(), out.changed.end(),
                   [](const CellPair& a, const CellPair& b) { return a.change < b.change; });
  return out;
}

std::string change_counts(const TwoRuns& both) {
  const auto changed = static_cast<std::int64_t>(both.changed.size());
  std::string out = changed == 0 ? "no cell changed" : "";
  if (changed > 0) {
    out = fmt::format("{} of {} changed: ", count_text(changed), plural(changed + both.same, "cell", "cells"));
    std::string parts;
    for (const CellChange change :
         {CellChange::broke, CellChange::other, CellChange::kind, CellChange::fixed, CellChange::duration}) {
      const int count = both.count_of(change);
      if (count == 0) continue;
      const bool verb = change == CellChange::broke || change == CellChange::fixed;
      parts += fmt::format("{}{} {}{}", parts.empty() ? "" : ", ", count, verb ? "" : "with ", to_text(change));
    }
    out += parts;
  }
  const std::size_t alone = both.only_before.size() + both.only_now.size();
  if (alone > 0) out += fmt::format("; {} in only one run", plural(static_cast<std::int64_t>(alone), "cell", "cells"));
  return out;
}

}  // namespace holdfast
