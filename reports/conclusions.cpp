#include "reports/conclusions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "artifact/property_words.hpp"
#include "reports/durations.hpp"
#include "reports/severity.hpp"

namespace holdfast {
namespace {

// The result of one variant under one scenario.
struct CellEnd {
  Severity severity = Severity::nothing_judged;
  bool data_held = false;  // it was judged, and not damaged in any trial
  bool promised = false;   // a violation broke a promise; else none of them does
};

// Returns true if two holders at once could have been seen in some trial, or the lock has no such property.
bool exclusion_was_judged(const ComparedCell& cell) {
  bool has_it = false;
  for (const auto& property : cell.safety) {
    if (!concerns(property.property, Concerns::holders)) continue;
    if (property.judged > 0) return true;
    has_it = has_it || property.undecided + property.not_exercised > 0;
  }
  return !has_it;
}

CellEnd end_of(const ComparedCell& cell) {
  CellEnd out;
  bool damaged = false;
  bool judged_data = false;
  const bool exclusion = exclusion_was_judged(cell);
  for (const auto& property : cell.safety) {
    const bool data = concerns(property.property, Concerns::data);
    if (property.violated > 0)
      out.severity = std::min(out.severity, severity_of_violation(property.property, property.kinds));
    if (property.judged > 0 && exclusion) out.severity = std::min(out.severity, Severity::nothing_broke);
    out.promised = out.promised || (property.violated > 0 && break_promises(property.kinds));
    damaged = damaged || (data && property.violated > 0);
    judged_data = judged_data || (data && property.judged > 0);
  }
  out.data_held = judged_data && !damaged;
  return out;
}

struct VariantEnd {
  Severity worst = Severity::nothing_broke;
  std::vector<std::string> where;  // scenarios with the worst
  std::vector<std::string> open;   // in which it was not judged whether two held at once
  bool data_held = true;           // wherever the worst was seen
  std::int64_t refused = 0;
  std::int64_t longest_gap_ns = 0;
  std::int64_t uncontended_ns = 0;  // the longest median of all scenarios
  bool measured = false;
  bool judged = false;    // in some scenario
  bool promised = false;  // a promise was broken

  bool broke() const { return worst < Severity::nothing_broke && promised; }
  bool lapsed() const { return worst < Severity::nothing_broke && !promised; }
};

void add_cell(const ComparedCell& cell, VariantEnd& out) {
  const CellEnd end = end_of(cell);
  out.promised = out.promised || end.promised;
  out.judged = out.judged || end.severity != Severity::nothing_judged;
  if (end.severity == Severity::nothing_judged) {
    out.open.push_back(cell.scenario);
  } else if (end.severity < out.worst) {
    out.worst = end.severity;
    out.where = {cell.scenario};
    out.data_held = end.data_held;
    out.refused = cell.service.fencing_rejections;
  } else if (end.severity == out.worst && out.worst < Severity::nothing_broke) {
    out.where.push_back(cell.scenario);
    out.data_held = out.data_held && end.data_held;
    out.refused += cell.service.fencing_rejections;
  }
  out.measured = out.measured || cell.service.trials > 0;
  out.longest_gap_ns = std::max(out.longest_gap_ns, cell.service.longest_gap_ns);
  out.uncontended_ns = std::max(out.uncontended_ns, cell.service.uncontended.p50_ns);
}

VariantEnd end_of_variant(const Comparison& all, const std::string& name) {
  VariantEnd out;
  for (const auto& scenario : all.scenarios) {
    if (const ComparedCell* cell = find_cell(all, name, scenario)) {
      add_cell(*cell, out);
    } else {
      out.open.push_back(scenario);
    }
  }
  return out;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMostListed = 4;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i) out += (i == 0 ? "" : ", ") + names[i];
  return names.size() <= kMostListed ? out : fmt::format("{} and {} more", out, names.size() - kMostListed);
}

std::string verdict_of(const std::string& name, const VariantEnd& end) {
  std::string out = name + ": ";
  if (end.worst < Severity::nothing_broke) {
    out += severity_words(end.worst) + " under " + listed(end.where);
    if (end.lapsed()) out += ", which breaks no promise of the lock";
    if (end.worst == Severity::two_believed && end.data_held) out += "; " + safe_data_words(end.refused);
  } else {
    out += end.judged ? "nothing broke" : "nothing was judged";
  }
  if (end.judged && !end.open.empty()) out += "; unknown under " + listed(end.open);
  return out + ".";
}

// Uses the scenario with the fewest grants. The times above ignore a key that a stopped client keeps: it is not free.
std::string grants_line(const Comparison& all, const std::vector<std::pair<VariantEnd, std::string>>& ends) {
  std::string out;
  int told = 0;
  for (const auto& [end, name] : ends) {
    double least = -1;
    for (const auto& cell : all.cells) {
      const bool counts = cell.variant == name && cell.service.trials > 0;
      if (counts && (least < 0 || cell.service.grants_per_s() < least)) least = cell.service.grants_per_s();
    }
    if (least < 0) continue;
    out += fmt::format("{}{} {:.1f}", out.empty() ? "" : ", ", name, least);
    ++told;
  }
  return told < 2 ? "" : "Grants per second, in the scenario with the fewest: " + out + ".";
}

// All measured variants, the best first; empty if there are fewer than two.
std::string ranked(const char* what, std::vector<std::pair<std::int64_t, std::string>> lengths) {
  if (lengths.size() < 2) return "";
  std::stable_sort(lengths.begin(), lengths.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out;
  for (const auto& [length_ns, name] : lengths) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, length_ns == 0 ? "none" : length_text(length_ns));
  }
  return fmt::format("{}: {}.", what, out);
}

const std::string kOnlyThese = "Only these scenarios were tried; others may break it (docs/choosing.md).";

// The variants to choose from: those that nothing broke, else those whose data stayed safe. Times decide among them.
std::string choice(const std::vector<std::pair<VariantEnd, std::string>>& ends) {
  std::vector<std::string> whole;
  std::vector<std::string> safe;
  std::vector<std::string> lapsed;
  for (const auto& [end, name] : ends) {
    if (!end.measured || !end.open.empty()) continue;
    if (end.lapsed()) lapsed.push_back(name);
    if (end.worst == Severity::nothing_broke) whole.push_back(name);
    if (end.worst == Severity::two_believed && end.data_held) safe.push_back(name);
  }
  if (ends.size() < 2) return "";
  if (whole.size() == ends.size()) return "To choose: nothing broke any of them, so the times decide. " + kOnlyThese;
  const std::string kept = safe.empty() ? "" : ", and with " + listed(safe) + " the data stayed safe";
  if (!whole.empty()) return "To choose: nothing broke " + listed(whole) + kept + ". " + kOnlyThese;
  if (!safe.empty()) return "To choose: each broke; only with " + listed(safe) + " the data stayed safe.";
  if (!lapsed.empty()) {
    return "To choose: " + listed(lapsed) + (lapsed.size() == 1 ? " breaks" : " break") +
           " no promise in these trials. If a second holder can damage data, use a lock with fencing tokens, such as "
           "fenced_lease.";
  }
  const bool all_broke = std::all_of(ends.begin(), ends.end(), [](const auto& one) { return one.first.broke(); });
  return all_broke ? "To choose: each broke a promise; try others."
                   : "To choose: none can be called safe from these trials.";
}

// A lock that nothing broke here may have conditions that these scenarios do not try. Variants of a lock share them.
void add_advice(const Comparison& all, const std::vector<std::pair<VariantEnd, std::string>>& ends,
                std::vector<std::string>& out) {
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto& [end, name] = ends[i];
    std::string advice = all.variants[i].advice;
    if (!end.judged || !end.open.empty() || end.worst != Severity::nothing_broke || advice.empty()) continue;
    advice.erase(std::remove(advice.begin(), advice.end(), '`'), advice.end());
    const std::string line = fmt::format("When to use {}, and alternatives: {}", all.variants[i].lock, advice);
    if (std::find(out.begin(), out.end(), line) == out.end()) out.push_back(line);
  }
}

}  // namespace

std::string broken_words(const Comparison& all) {
  std::int64_t broken = 0;
  std::int64_t lapsed = 0;
  bool judged = false;
  bool open = false;
  for (const auto& variant : all.variants) {
    const VariantEnd end = end_of_variant(all, variant.name);
    broken += end.broke() ? 1 : 0;
    lapsed += end.lapsed() ? 1 : 0;
    judged = judged || end.judged;
    open = open || !end.open.empty();
  }
  if (!judged) return "";
  std::string out = broken > 0 ? count_text(broken) + " broke a promise" : "";
  if (lapsed > 0) out += (out.empty() ? "" : ", ") + count_text(lapsed) + " only with violations that break no promise";
  if (!out.empty()) return out;
  return open ? "nothing broke where it was judged" : "nothing broke";
}

std::vector<std::string> conclusions(const Comparison& all) {
  std::vector<std::pair<VariantEnd, std::string>> ends;
  for (const auto& variant : all.variants) ends.emplace_back(end_of_variant(all, variant.name), variant.name);
  std::vector<std::string> out;
  std::vector<std::pair<std::int64_t, std::string>> gaps;
  std::vector<std::pair<std::int64_t, std::string>> costs;
  for (const auto& [end, name] : ends) {
    out.push_back(verdict_of(name, end));
    if (end.measured) gaps.emplace_back(end.longest_gap_ns, name);
    if (end.uncontended_ns > 0) costs.emplace_back(end.uncontended_ns, name);
  }
  for (auto& line : {ranked("Longest time in which no client could acquire a free key", std::move(gaps)),
                     ranked("Median time to acquire a free lock", std::move(costs)), grants_line(all, ends)}) {
    if (!line.empty()) out.push_back(line);
  }
  if (std::string line = choice(ends); !line.empty()) out.push_back(std::move(line));
  add_advice(all, ends, out);
  out.insert(out.end(), all.notes.begin(), all.notes.end());
  return out;
}

}  // namespace holdfast
