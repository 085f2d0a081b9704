#include "reports/lock_findings.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "artifact/property_words.hpp"
#include "reports/load_flaws.hpp"
#include "reports/suggestion.hpp"

namespace holdfast {
namespace {

constexpr const char* kLeaseOver = "lease expired";  // cause of violations that no lease prevents

// Scenarios that ask nothing special: what breaks there explains what breaks elsewhere.
bool is_plain(const Cell& cell) {
  return cell.scenario == "none" || cell.scenario == "crowd" || cell.scenario == kOverlappingLoad;
}

struct FoundCase {
  const CellAssessment* of = nullptr;
  Finding found;
  std::string kind;
  std::string cause;       // the key: equal causes are one finding
  bool special = false;    // its load asks for something special, and no fault strikes
  bool confirmed = false;  // a fault is the cause, and controls say so
  bool promised = true;
};

bool is_confirmed(const TrialResult& trial, const std::string& kind) {
  return std::any_of(trial.causes.begin(), trial.causes.end(), [&](const CauseFinding& cause) {
    return cause.of_fault && cause.kind == kind && cause.state == CauseState::confirmed;
  });
}

// When the first of a property's violations of such a kind began; nothing: unknown.
template <typename IsKind>
std::optional<std::int64_t> first_ns(const PropertyVerdict& property, const IsKind& is_kind) {
  std::optional<std::int64_t> out;
  for (const auto& witness : property.witnesses) {
    if (is_kind(witness.kind) && (!out || witness.from_ns < *out)) out = witness.from_ns;
  }
  return out;
}

// The action against an owner, if it came first: a lost lock says less.
std::string deed_to_owner(const PropertyVerdict& property) {
  if (!concerns(property.property, Concerns::owners)) return "";
  std::string out;
  std::int64_t earliest_ns = std::numeric_limits<std::int64_t>::max();
  for (const auto& kind_and_count : property.kinds) {
    const std::string& kind = kind_and_count.first;
    const KindWords* words = find_kind(kind);
    if (words == nullptr || words->without_suspect || words->answer_only || find_cause(kind) != nullptr) continue;
    const std::int64_t done_ns =
        first_ns(property, [&kind](const std::string& other) { return other == kind; }).value_or(earliest_ns - 1);
    if (done_ns >= earliest_ns) continue;
    earliest_ns = done_ns;
    out = kind;
  }
  return out;
}

// Two clients that hold at once also free each other's lock: then the overlap says more, unless it came from a lease
// that had run out.
bool follows_overlap(const TrialResult& trial, const PropertyVerdict& property, const std::string& deed) {
  const auto done_ns = first_ns(property, [&deed](const std::string& kind) { return kind == deed; });
  const auto by_itself = [](const std::string& kind) {
    const KindWords* words = find_kind(kind);
    return words != nullptr && words->weight <= KindWeight::fault;
  };
  return done_ns && std::any_of(trial.verdict.properties.begin(), trial.verdict.properties.end(),
                                [&](const PropertyVerdict& other) {
                                  const auto overlap_ns = first_ns(other, by_itself);
                                  return concerns(other.property, Concerns::holders) && overlap_ns &&
                                         *overlap_ns < *done_ns;
                                });
}

// As deed_to_owner, where it leads to what else was seen.
std::string leading_deed(const TrialResult& trial, const PropertyVerdict& property) {
  std::string deed = deed_to_owner(property);
  return deed.empty() || follows_overlap(trial, property, deed) ? "" : deed;
}

// Ranks explanations: a fault that controls have confirmed, then an action against an owner, then the most severe. If
// no promise was broken, the state of the data.
int telling_rank(const TrialResult& trial, const PropertyVerdict& property, bool promised) {
  if (is_confirmed(trial, property.kind)) return 0;
  const bool first = promised ? !leading_deed(trial, property).empty() : concerns(property.property, Concerns::data);
  return first ? 1 : 1 + rank_of(property.property);
}

const PropertyVerdict* most_telling(const Cell& cell, const TrialResult& trial, bool promised) {
  const PropertyVerdict* out = nullptr;
  for (const auto& property : trial.verdict.properties) {
    if (property.judgement != Judgement::violated || breaks_promise(cell, trial, property) != promised) continue;
    const auto rank = [&](const PropertyVerdict& one) { return telling_rank(trial, one, promised); };
    if (out == nullptr || rank(property) < rank(*out)) out = &property;
  }
  return out;
}

bool controls_refute(const TrialResult& trial, const std::string& kind) {
  return std::any_of(trial.causes.begin(), trial.causes.end(),
                     [&](const CauseFinding& cause) { return cause.kind == kind && is_refuted(cause); });
}

// Groups cases into findings. A holder that lost its lock is the same event as another client let in, and a fault that
// is not the cause leaves the lock's own statements.
std::string key_of_cause(const TrialResult& trial, const PropertyVerdict& property, const std::string& kind) {
  const KindWords* words = find_kind(kind);
  const bool by_itself = (words != nullptr && words->without_suspect) || controls_refute(trial, kind);
  if (!by_itself) return kind;
  const bool of_lease = concerns(property.property, Concerns::holders) || concerns(property.property, Concerns::data) ||
                        concerns(property.property, Concerns::owners);
  return of_lease ? kinds::kAlgorithm.name : property.property;
}

// The property's own kind is the one that accuses the lock most. Beside a fault that explains most of its violations
// that kind is a chance find.
std::string most_frequent_kind(const CellAssessment& one, const PropertyVerdict& property) {
  std::string out = property.kind;
  if (one.faults.empty()) return out;
  const auto count = [&property](const std::string& kind) {
    const auto found = property.kinds.find(kind);
    return found == property.kinds.end() ? 0 : found->second;
  };
  for (const auto& [kind, times] : property.kinds) {
    if (find_cause(kind) != nullptr && times > count(out)) out = kind;
  }
  return out;
}

const Witness* witness_of(const PropertyVerdict& property, const std::string& kind) {
  const auto found = std::find_if(property.witnesses.begin(), property.witnesses.end(),
                                  [&kind](const Witness& one) { return one.kind == kind; });
  if (found != property.witnesses.end()) return &*found;
  return property.witnesses.empty() ? nullptr : &property.witnesses.front();
}

// Nothing: the cell shows no violation.
std::optional<FoundCase> found_in(const CellAssessment& one) {
  if (one.severity >= Severity::nothing_broke) return std::nullopt;
  const Cell& cell = *one.cell;
  const TrialResult& trial = *one.worst;
  FoundCase out;
  out.of = &one;
  const PropertyVerdict* property = most_telling(cell, trial, true);
  out.promised = property != nullptr;
  if (property == nullptr) property = most_telling(cell, trial, false);
  if (property == nullptr) return std::nullopt;
  const std::string kind = out.promised ? most_frequent_kind(one, *property) : property->kind;
  out.found = {&cell, &trial, property, witness_of(*property, kind)};
  const std::string deed = out.promised ? leading_deed(trial, *property) : "";
  out.confirmed = is_confirmed(trial, kind);
  out.kind = deed.empty() || out.confirmed ? kind : deed;
  out.cause = out.promised ? key_of_cause(trial, *property, out.kind) : kLeaseOver;
  // A load that asks for something special (keys that look alike) may break for a reason of its own.
  out.special = one.faults.empty() && !is_plain(cell) && !one.explored;
  return out;
}

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
  out.schedule = schedule_of(one, schedules);
  const bool same_kind = out.schedule && (out.kind == kinds::kAlgorithm.name || out.kind == out.schedule->invariant);
  if (same_kind && !out.schedule->flaw.empty()) {
    out.flaw = out.schedule->flaw;
    out.flaw_of_schedule = true;
  }
  return out;
}

// A finding, and what else it explains.
struct Cause {
  std::string name;
  std::string property;
  LockFinding finding;
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

void name_by_struck_load(LockFinding& finding) {
  if (!finding.promised || finding.kind_names_flaw || finding.flaw_of_schedule || finding.cases.size() > 1) return;
  const std::string flaw = struck_load_flaw(finding.cases.front()->scenario, finding.kind);
  if (!flaw.empty()) finding.flaw = flaw;
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
      out.push_back({one.cause, one.found.property->property, finding_from(one, schedules)});
      continue;
    }
    LockFinding& finding = known->finding;
    finding.cases.push_back(one.of->cell);
    finding.severity = std::min(finding.severity, severity_of(one));
    finding.loads_differ = finding.loads_differ && one.special;
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

std::vector<LockFinding> findings_of(const std::vector<CellAssessment>& cells,
                                     const std::vector<FoundSchedule>& schedules) {
  std::vector<FoundCase> cases;
  for (const auto& cell : cells) {
    if (auto one = found_in(cell)) cases.push_back(std::move(*one));
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
    name_by_struck_load(finding);
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
