#include "reports/lock_findings.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "artifact/property_words.hpp"
#include "reports/found_case.hpp"
#include "reports/load_flaws.hpp"
#include "reports/suggestion.hpp"

namespace holdfast {
namespace {

// The simplest first: real processes before a search, no fault before one, one before two; else in the run's order.
std::size_t complexity(const CellAssessment& one) {
  return one.explored ? 3 : std::min<std::size_t>(one.faults.size(), 2);
}

bool has_one_of(const std::vector<std::string>& some, const std::set<std::string>& names) {
  return std::any_of(some.begin(), some.end(), [&](const std::string& name) { return names.contains(name); });
}

// The faults that controls have confirmed to be the cause; none: none is.
std::set<std::string> confirmed_faults(const FoundCase& one) {
  std::set<std::string> out;
  for (const auto& cause : one.found.trial->causes) {
    const bool told = cause.of_fault && cause.kind == one.kind && cause.state == CauseState::confirmed;
    if (told) out.insert(cause.faults.begin(), cause.faults.end());
  }
  return out;
}

// A violation that real processes showed without a fault cannot be explained by a schedule that needs one; a fault that
// controls have confirmed must be in the schedule.
bool faults_agree(const FoundCase& one, const FoundSchedule& schedule) {
  if (one.of->explored) return schedule.kind == one.kind;
  const bool possible =
      std::all_of(schedule.faults.begin(), schedule.faults.end(),
                  [&](const std::vector<std::string>& like) { return has_one_of(like, one.of->faults); });
  const std::set<std::string> confirmed = confirmed_faults(one);
  return possible && (confirmed.empty() || std::any_of(schedule.faults.begin(), schedule.faults.end(),
                                                       [&](const auto& like) { return has_one_of(like, confirmed); }));
}

// True if the case violates the same as the schedule: an action against an owner by its own name, else the property.
bool same_violation(const FoundCase& one, const FoundSchedule& schedule, const std::vector<FoundSchedule>& all) {
  const bool deed =
      std::any_of(all.begin(), all.end(), [&](const FoundSchedule& other) { return other.invariant == one.kind; });
  if (deed) return schedule.invariant == one.kind;
  const PropertyVerdict* property = one.found.trial->verdict.find(schedule.property);
  return property != nullptr && property->judgement == Judgement::violated &&
         breaks_promise(*one.of->cell, *one.found.trial, *property);
}

// The cheapest schedule that shows what the case shows; that of the very property before others.
std::optional<FoundSchedule> schedule_of(const FoundCase& one, const std::vector<FoundSchedule>& all) {
  std::optional<FoundSchedule> out;
  // A search has one key, one time zone and one lease: what only a special load shows, it cannot have met.
  if (!one.promised || one.special) return out;
  for (const auto& schedule : all) {
    if (!same_violation(one, schedule, all) || !faults_agree(one, schedule)) continue;
    if (schedule.property == one.found.property->property) return schedule;
    if (!out) out = schedule;
  }
  return out;
}

// A broken promise is not made worse by what no lease prevents beside it.
Severity severity_of(const FoundCase& one) {
  return one.promised ? one.of->broken : one.of->severity;
}

std::string names_of_faults(const CauseFinding& cause) {
  std::string out;
  for (const auto& fault : cause.faults) out += (out.empty() ? "" : " and ") + fault;
  return out;
}

// Names the faults that the kind needs to show; empty: not known.
std::string needs_of(const FoundCase& one) {
  if (one.of->without_fault()) return kNeedsNoFault;
  for (const auto& cause : one.found.trial->causes) {
    if (cause.kind != one.kind || cause.faults.empty() || cause.state == CauseState::open) continue;
    if (cause.state == CauseState::confirmed) {
      return names_of_faults(cause) + " (" + std::to_string(cause.held) + " of " + std::to_string(cause.judged) +
             " controls without it held)";
    }
    if (!cause.of_fault) return kNeedsNoFault;
  }
  return "";
}

void set_schedule(LockFinding& finding, std::optional<FoundSchedule> schedule, bool fenced) {
  finding.schedule = std::move(schedule);
  if (!finding.schedule) return;
  const FoundSchedule& found = *finding.schedule;
  const bool by_itself = finding.kind == kinds::kAlgorithm.name;
  if (finding.kind != found.invariant && !by_itself) return;
  // Where the schedule ends in an action against an owner, that is the kind.
  if (by_itself && find_kind(found.invariant) != nullptr) finding.kind = found.invariant;
  if (!found.flaw.empty()) {
    finding.flaw = found.flaw;
  } else if (finding.kind == found.invariant) {
    finding.flaw = likely_flaw({found.property, finding.kind, fenced, nullptr});
  }
  finding.flaw_of_schedule = !found.flaw.empty() || (finding.kind == found.invariant && !finding.flaw.empty());
}

LockFinding finding_from(const FoundCase& one, const std::vector<FoundSchedule>& schedules) {
  LockFinding out;
  out.severity = severity_of(one);
  out.kind = one.kind;
  out.cases = {one.of->cell};
  out.without_fault = one.of->without_fault() && one.of->cell->outcome != Outcome::allowed;
  out.promised = one.promised;
  out.loads_differ = one.special;
  out.told = narrate(one.found, nullptr);
  out.flaw = likely_flaw({one.found.property->property, one.kind, one.of->fenced, nullptr});
  const KindWords* const words = find_kind(one.kind);
  out.kind_names_flaw = words != nullptr && words->names_flaw;
  out.needs = needs_of(one);
  out.confirmed = one.confirmed;
  set_schedule(out, schedule_of(one, schedules), one.of->fenced);
  return out;
}

// A finding, and what else it explains.
struct Cause {
  std::string name;
  std::string property;
  LockFinding finding;
  const FoundCase* lead = nullptr;  // the first of its cases
};

bool breaks(const FoundCase& one, const std::string& property) {
  const auto& all = one.found.trial->verdict.properties;
  return std::any_of(all.begin(), all.end(), [&](const PropertyVerdict& each) {
    return each.property == property && each.judgement == Judgement::violated &&
           breaks_promise(*one.of->cell, *one.found.trial, each);
  });
}

// A lock that breaks under a plain load breaks under every fault, too: a second finding needs controls that show it.
// Nor is what a search finds of a property that real processes broke: the kind is only what its schedule happened to
// have.
bool explains(const Cause& cause, const FoundCase& one) {
  if (one.confirmed || !one.promised || !cause.finding.promised) return false;
  const bool searched = one.of->explored && !cause.finding.loads_differ;  // a search asks for nothing special
  return is_plain(*cause.finding.cases.front()) || (searched && breaks(one, cause.property));
}

// If only special loads of one sort break, they name the flaw. With several sorts any may be a chance find. A stopped
// client sends nothing, like one with a long job.
void name_by_load(LockFinding& finding, const std::vector<FoundCase>& cases) {
  if (finding.kind_names_flaw || !finding.promised || !finding.without_fault) return;
  std::vector<std::string> loads;
  for (const auto& one : cases) {
    if (std::find(finding.cases.begin(), finding.cases.end(), one.of->cell) == finding.cases.end()) continue;
    const bool stops = one.of->faults.contains("pause") && also_when_stopped(finding.cases.front()->scenario);
    const bool told = names_a_flaw(one.of->cell->scenario);
    if (!one.special && !stops && !told) return;
    if (one.special || told) loads.push_back(one.of->cell->scenario);
  }
  const std::string flaw = load_flaw(loads);
  if (flaw.empty()) return;
  finding.flaw = flaw;
  finding.flaw_of_load = true;
  finding.loads_differ = false;
}

// A search takes a statement as one step. Where it ran all orders of steps and found none that breaks the lock, and the
// load breaks it whose statements overlap inside the server, two statements interfere.
void name_by_overlap(LockFinding& finding, const std::vector<CellAssessment>& cells) {
  if (finding.kind != kinds::kAlgorithm.name || !finding.without_fault || finding.schedule) return;
  const bool overlaps = std::any_of(finding.cases.begin(), finding.cases.end(),
                                    [](const Cell* cell) { return cell->scenario == kOverlappingLoad; });
  const bool searched = std::any_of(cells.begin(), cells.end(), [](const CellAssessment& one) {
    return one.explored && !one.cell->trials.empty() && one.cell->trials.front().verdict.judgement == Judgement::holds;
  });
  if (overlaps && searched) finding.flaw = kOverlapFlaw;
}

// The cell whose load with a fault names the flaw: the only one, or one with whose faults all others break, too.
const Cell* struck_load_of(const LockFinding& finding, const std::vector<CellAssessment>& cells) {
  if (finding.cases.size() == 1) return finding.cases.front();
  const auto named = std::find_if(finding.cases.begin(), finding.cases.end(),
                                  [](const Cell* cell) { return is_named_by_all(cell->scenario); });
  if (named == finding.cases.end()) return nullptr;
  const auto faults_of = [&cells](const Cell* cell) {
    const auto of = std::find_if(cells.begin(), cells.end(), [cell](const auto& one) { return one.cell == cell; });
    return of == cells.end() ? std::set<std::string>() : of->faults;
  };
  const bool alike = std::all_of(finding.cases.begin(), finding.cases.end(),
                                 [&](const Cell* cell) { return faults_of(cell) == faults_of(*named); });
  return alike ? *named : nullptr;
}

void name_by_struck_load(LockFinding& finding, const std::vector<CellAssessment>& cells) {
  if (!finding.promised || finding.kind_names_flaw || finding.flaw_of_schedule) return;
  const Cell* const named = struck_load_of(finding, cells);
  const std::string flaw = named == nullptr ? "" : struck_load_flaw(named->scenario, finding.kind);
  if (!flaw.empty()) finding.flaw = flaw;
}

// A kill alone left the lock stuck in the case that leads, and nothing did so without a fault.
void name_by_kill(LockFinding& finding, const std::vector<CellAssessment>& cells) {
  if (!finding.promised || finding.kind != "stuck" || finding.without_fault || finding.flaw_is_known()) return;
  const std::set<std::string> alone{"kill"};
  const bool killed = std::any_of(cells.begin(), cells.end(), [&](const CellAssessment& one) {
    return one.cell == finding.cases.front() && one.faults == alone;
  });
  if (!killed) return;
  finding.flaw = kLeftByTheDead;
  finding.flaw_of_load = true;
}

// Returns true if one flaw explains both: they have the same schedule, and controls name no fault. An action that needs
// no fault, such as a release of another client's lock, explains schedules with faults that end in it, too.
bool shares_flaw(const Cause& cause, const FoundCase& one, const std::vector<FoundSchedule>& schedules) {
  const LockFinding& known = cause.finding;
  const auto schedule = schedule_of(one, schedules);
  if (!schedule || !known.promised) return false;
  if (known.without_fault && schedule->invariant == known.kind) return true;
  return known.schedule && !one.confirmed && !known.confirmed && schedule->replay == known.schedule->replay;
}

// A special load came first, which no search can have met; this case is the same flaw, and a search may have met it.
// The schedule must have the lead's faults.
void take_schedule(const FoundCase& lead, LockFinding& finding, const FoundCase& one,
                   const std::vector<FoundSchedule>& schedules) {
  if (finding.schedule || one.special || one.kind != finding.kind) return;
  const auto schedule = schedule_of(one, schedules);
  const bool fits = schedule && faults_agree(lead, *schedule) &&
                    (schedule->invariant == finding.kind || finding.kind == kinds::kAlgorithm.name);
  if (fits) set_schedule(finding, schedule, one.of->fenced);
}

std::vector<Cause> causes_of(const std::vector<FoundCase>& cases, const std::vector<FoundSchedule>& schedules) {
  std::vector<Cause> out;
  for (const auto& one : cases) {
    auto known = out.end();
    if (one.of->explored)
      known =
          std::find_if(out.begin(), out.end(), [](const Cause& cause) { return cause.finding.schedule.has_value(); });
    if (known == out.end()) {
      known = std::find_if(out.begin(), out.end(), [&](const Cause& cause) {
        return cause.name == one.cause && !(one.of->explored && cause.finding.loads_differ);
      });
    }
    if (known == out.end()) {
      known = std::find_if(out.begin(), out.end(), [&](const Cause& cause) { return explains(cause, one); });
    }
    if (known == out.end()) {
      known =
          std::find_if(out.begin(), out.end(), [&](const Cause& cause) { return shares_flaw(cause, one, schedules); });
    }
    if (known == out.end()) {
      out.push_back({one.cause, one.found.property->property, finding_from(one, schedules), &one});
      continue;
    }
    LockFinding& finding = known->finding;
    finding.cases.push_back(one.of->cell);
    finding.severity = std::min(finding.severity, severity_of(one));
    finding.loads_differ = finding.loads_differ && one.special;
    take_schedule(*known->lead, finding, one, schedules);
  }
  for (auto& cause : out) name_by_load(cause.finding, cases);
  return out;
}

// A late client of a lock whose tokens fall damages the data because they fall: that is the same cause.
void blame_tokens(std::vector<FoundCase>& cases) {
  const auto of_tokens = [](const FoundCase& one) {
    return one.promised && concerns(one.found.property->property, Concerns::tokens);
  };
  const auto fallen = std::find_if(cases.begin(), cases.end(), of_tokens);
  if (fallen == cases.end()) return;
  for (auto& one : cases) {
    const KindWords* words = find_kind(one.kind);
    const bool late = words != nullptr && words->weight >= KindWeight::late_notice;
    if (one.promised && late && concerns(one.found.property->property, Concerns::data)) one.cause = fallen->cause;
  }
}

}  // namespace

std::string beyond_promise(const LockFinding& finding) {
  if (finding.promised) return "";
  if (finding.kind == "session_lost") return ", which a session alone cannot prevent";
  return is_of_lost_state(finding.kind) ? ", which no client can prevent" : ", which a lease alone cannot prevent";
}

std::vector<LockFinding> findings_of(const std::vector<CellAssessment>& cells,
                                     const std::vector<FoundSchedule>& schedules) {
  std::vector<FoundCase> cases;
  for (const auto& cell : cells) {
    if (auto one = found_case(cell)) cases.push_back(std::move(*one));
  }
  blame_tokens(cases);
  std::stable_sort(cases.begin(), cases.end(), [](const FoundCase& a, const FoundCase& b) {
    const auto rank = [](const FoundCase& one) { return std::pair{!is_plain(*one.of->cell), complexity(*one.of)}; };
    return rank(a) < rank(b);
  });
  std::vector<LockFinding> out;
  for (auto& cause : causes_of(cases, schedules)) out.push_back(std::move(cause.finding));
  for (auto& finding : out) {
    name_by_overlap(finding, cells);
    name_by_struck_load(finding, cells);
    name_by_kill(finding, cells);
  }
  std::stable_sort(out.begin(), out.end(), [](const LockFinding& a, const LockFinding& b) {
    const auto rank = [](const LockFinding& one) {
      return std::tuple{!(one.without_fault && one.promised), !one.promised, one.severity};
    };
    return rank(a) < rank(b);
  });
  return out;
}

}  // namespace holdfast
