#include "reports/assessment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/property_words.hpp"
#include "reports/finding.hpp"
#include "reports/narration.hpp"

namespace holdfast {
namespace {

constexpr const char* kNoFault = "no fault";
constexpr const char* kLongJobs = "no fault, but a job longer than its lease";
constexpr const char* kLeaseOver = "lease over";  // of what no lease prevents

std::string planned_faults(const Cell& cell) {
  std::set<std::string> names;
  for (const auto& trial : cell.trials) {
    for (const auto& proof : trial.faults) {
      if (proof.planned > 0) names.insert(proof.fault);
    }
  }
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : " and ") + name;
  return out;
}

// What no lease prevents needs no fault where a job asks for more time than its lease.
std::string faults_of(const Cell& cell) {
  if (std::string planned = planned_faults(cell); !planned.empty()) return planned;
  return cell.outcome == Outcome::allowed ? kLongJobs : kNoFault;
}

void add_case(std::vector<CaseGroup>& groups, const Cell& cell) {
  const std::string faults = faults_of(cell);
  const auto known =
      std::find_if(groups.begin(), groups.end(), [&](const CaseGroup& group) { return group.faults == faults; });
  if (known != groups.end()) return known->cases.push_back(cell.scenario);
  groups.push_back({faults, {cell.scenario}, 0});
}

void not_known(Assessment& out, const std::string& why, const std::string& what) {
  const auto known =
      std::find_if(out.unknown.begin(), out.unknown.end(), [&](const NothingKnown& one) { return one.why == why; });
  if (known != out.unknown.end()) return known->cases.push_back(what);
  out.unknown.push_back({why, {what}});
}

std::string first_reason(const TrialVerdict& verdict) {
  for (const auto& property : verdict.properties) {
    const bool open = property.judgement == Judgement::undecided || (property.judgement == Judgement::not_exercised &&
                                                                     concerns(property.property, Concerns::holders));
    if (open && !property.reason.empty()) return property.reason;
  }
  return "";
}

std::string why_unknown(const RunVerdict& run, const Cell& cell) {
  if (cell.trials.empty()) return run.stopped.empty() ? "it was not run" : run.stopped;
  const TrialResult& trial = cell.trials.front();
  if (!trial.error.empty()) return trial.error;
  const std::string reason = first_reason(trial.verdict);
  return reason.empty() ? "no property was put to the test" : reason;
}

// What was not explored stands on the page; here only the bounds.
std::string searched_words(const Cell& cell, Severity severity) {
  const std::string numbers = cell.why.substr(0, cell.why.find(" Not explored:"));
  if (severity == Severity::nothing_broke) return "none violated: " + numbers;
  if (severity == Severity::nothing_judged) return "none violated, but the search was cut off: " + numbers;
  return severity_words(severity) + ": " + numbers;
}

// Which group a case belongs to; null: nothing was judged in it.
std::vector<CaseGroup>* group_of(Assessment& out, const Cell& cell, Severity severity) {
  switch (severity) {
    case Severity::data_damaged:
      return &out.damaged;
    case Severity::two_believed:
      return &out.believed;
    case Severity::not_its_owner:
    case Severity::token_fell:
      return &out.disowned;
    case Severity::stuck:
      return &out.stuck;
    case Severity::nothing_broke:
      break;
    case Severity::nothing_judged:
      return nullptr;
  }
  const bool overlapped = std::any_of(cell.trials.begin(), cell.trials.end(), [](const TrialResult& trial) {
    return stale_writes_of(trial.verdict).overlapped;
  });
  return overlapped ? &out.believed : &out.safe;
}

void put_in_groups(const RunVerdict& run, Assessment& out) {
  std::map<std::string, int> judged;
  for (const auto& cell : run.cells) {
    const Severity severity = severity_of(cell);
    if (is_explored(cell)) {
      out.searched = searched_words(cell, severity);
      continue;
    }
    auto* const group = group_of(out, cell, severity);
    if (group == nullptr) {
      not_known(out, why_unknown(run, cell), cell.scenario);
      continue;
    }
    add_case(*group, cell);
    ++judged[faults_of(cell)];
    if (group == &out.believed) {
      for (const auto& trial : cell.trials) out.refused += stale_writes_of(trial.verdict).refused;
    }
  }
  for (auto* groups : {&out.safe, &out.damaged, &out.believed, &out.disowned, &out.stuck}) {
    for (auto& group : *groups) group.all = judged[group.faults];
  }
  for (const auto& one : run.not_tried) not_known(out, one.why, one.what);
}

// The findings: each cause once.

struct FoundCase {
  const Cell* cell = nullptr;
  Finding found;
  Severity severity = Severity::nothing_judged;
  std::string kind;
  std::string cause;       // what is one finding
  bool special = false;    // its load asks for something special, and no fault strikes
  bool confirmed = false;  // a fault is the cause, and controls say so
  bool promised = true;
};

// Nobody expects anything of a search, so what no lease prevents is told by its kind there.
bool breaks_promise(const Cell& cell, const TrialResult& trial, const PropertyVerdict& property) {
  if (trial.outcome != Outcome::unexpected) return false;
  if (!is_explored(cell)) return is_mismatch(trial, property.property);
  const KindWords* words = find_kind(property.kind);
  return words == nullptr || words->weight < KindWeight::late_answer;
}

bool is_confirmed(const TrialResult& trial, const std::string& kind) {
  return std::any_of(trial.causes.begin(), trial.causes.end(), [&](const CauseFinding& cause) {
    return cause.of_fault && cause.kind == kind && cause.state == CauseState::confirmed;
  });
}

// Of a property's violations of such a kind, when the first began; nothing: not known.
template <typename IsKind>
std::optional<std::int64_t> first_ns(const PropertyVerdict& property, const IsKind& is_kind) {
  std::optional<std::int64_t> out;
  for (const auto& witness : property.witnesses) {
    if (is_kind(witness.kind) && (!out || witness.from_ns < *out)) out = witness.from_ns;
  }
  return out;
}

// What was done to an owner, where it was done, and first: that a lock was lost says less.
std::string deed_to_owner(const PropertyVerdict& property) {
  if (!concerns(property.property, Concerns::owners)) return "";
  std::string out;
  std::int64_t earliest_ns = std::numeric_limits<std::int64_t>::max();
  for (const auto& kind_and_count : property.kinds) {
    const std::string& kind = kind_and_count.first;
    const KindWords* words = find_kind(kind);
    if (words == nullptr || words->without_suspect || find_cause(kind) != nullptr) continue;
    const std::int64_t done_ns =
        first_ns(property, [&kind](const std::string& other) { return other == kind; }).value_or(earliest_ns - 1);
    if (done_ns >= earliest_ns) continue;
    earliest_ns = done_ns;
    out = kind;
  }
  return out;
}

// What two do who hold at once is done to the other, too: then that they held at once says more.
bool follows_overlap(const TrialResult& trial, const PropertyVerdict& property, const std::string& deed) {
  const auto done_ns = first_ns(property, [&deed](const std::string& kind) { return kind == deed; });
  const auto by_itself = [](const std::string& kind) {
    const KindWords* words = find_kind(kind);
    return words != nullptr && words->without_suspect;
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

// What says most of why: a fault that controls have confirmed, then what was done to an owner, then the severest. Where
// no promise was broken, what became of the data.
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

bool is_refuted(const TrialResult& trial, const std::string& kind) {
  return std::any_of(trial.causes.begin(), trial.causes.end(), [&](const CauseFinding& cause) {
    return cause.of_fault && cause.kind == kind && cause.state == CauseState::unconfirmed;
  });
}

// What makes findings one. A holder that lost its lock is what somebody sees to whom another was let in, and a fault
// that is not the cause leaves the lock's own statements.
std::string key_of_cause(const TrialResult& trial, const PropertyVerdict& property, const std::string& kind) {
  const KindWords* words = find_kind(kind);
  const bool by_itself = (words != nullptr && words->without_suspect) || is_refuted(trial, kind);
  if (!by_itself) return kind;
  const bool of_lease = concerns(property.property, Concerns::holders) || concerns(property.property, Concerns::data) ||
                        concerns(property.property, Concerns::owners);
  return of_lease ? kinds::kAlgorithm.name : property.property;
}

// Nothing: what was seen is no finding.
std::optional<FoundCase> found_in(const Cell& cell, const std::set<std::string>& plain) {
  const Severity severity = severity_of(cell);
  if (severity >= Severity::nothing_broke) return std::nullopt;
  const auto worst = std::find_if(cell.trials.begin(), cell.trials.end(),
                                  [&](const TrialResult& trial) { return severity_of(cell, trial) == severity; });
  FoundCase out;
  out.cell = &cell;
  out.severity = severity;
  const PropertyVerdict* property = most_telling(cell, *worst, true);
  out.promised = property != nullptr;
  if (property == nullptr) property = most_telling(cell, *worst, false);
  if (property == nullptr) return std::nullopt;
  out.found = {&cell, &*worst, property, property->witnesses.empty() ? nullptr : &property->witnesses.front()};
  const std::string deed = out.promised ? leading_deed(*worst, *property) : "";
  out.kind = deed.empty() || is_confirmed(*worst, property->kind) ? property->kind : deed;
  out.confirmed = is_confirmed(*worst, property->kind);
  out.cause = out.promised ? key_of_cause(*worst, *property, out.kind) : kLeaseOver;
  // A load that asks for something special (keys that look alike) may break for a reason of its own.
  out.special = planned_faults(cell).empty() && !plain.contains(cell.scenario) && !is_explored(cell);
  return out;
}

// The simplest first: real processes before a search, no fault before one, one before two; else in the run's order.
int complexity(const FoundCase& one) {
  const std::string faults = planned_faults(*one.cell);
  if (is_explored(*one.cell)) return 3;
  return faults.empty() ? 0 : faults.find(" and ") == std::string::npos ? 1 : 2;
}

LockFinding finding_from(const FoundCase& one) {
  LockFinding out;
  out.severity = one.severity;
  out.kind = one.kind;
  out.lock = one.cell->lock;
  out.cases = {one.cell->scenario};
  out.without_fault = !is_explored(*one.cell) && faults_of(*one.cell) == kNoFault;
  out.promised = one.promised;
  const Narration told = narrate(one.found, nullptr);
  out.story = told.headline;
  out.cause = told.suggestion;
  out.cause_label = told.label;
  out.controls = told.controls;
  return out;
}

class CausesOnce {
 public:
  explicit CausesOnce(const std::set<std::string>& plain) : plain_(plain) {}

  void add(const FoundCase& one) {
    const auto same =
        std::find_if(causes_.begin(), causes_.end(), [&](const std::string& cause) { return cause == one.cause; });
    const auto place = same != causes_.end() ? same : explained_by(one);
    if (place == causes_.end()) {
      causes_.push_back(one.cause);
      properties_.push_back(one.found.property->property);
      found_.push_back(finding_from(one));
      found_.back().loads_differ = one.special;
      return;
    }
    LockFinding& finding = found_[static_cast<std::size_t>(place - causes_.begin())];
    finding.cases.push_back(one.cell->scenario);
    finding.severity = std::min(finding.severity, one.severity);
    finding.loads_differ = finding.loads_differ && one.special;
  }

  // Promises that are broken without any fault first, then all that are, then the worst.
  std::vector<LockFinding> in_order() && {
    const auto rank = [](const LockFinding& one) {
      return std::tuple{!(one.without_fault && one.promised), !one.promised, one.severity};
    };
    std::stable_sort(found_.begin(), found_.end(),
                     [&](const LockFinding& a, const LockFinding& b) { return rank(a) < rank(b); });
    return std::move(found_);
  }

 private:
  static bool breaks(const FoundCase& one, const std::string& property) {
    const auto& all = one.found.trial->verdict.properties;
    return std::any_of(all.begin(), all.end(), [&](const PropertyVerdict& each) {
      return each.property == property && each.judgement == Judgement::violated &&
             breaks_promise(*one.cell, *one.found.trial, each);
    });
  }
  // What breaks under a plain load breaks under every fault, too: that is no second finding, unless controls say so.
  // Nor is what a search finds of a property that real processes broke: the kind is only what its schedule happened to
  // have.
  std::vector<std::string>::iterator explained_by(const FoundCase& one) {
    const bool own = one.confirmed || !one.promised;
    for (std::size_t i = 0; i < found_.size() && !own; ++i) {
      const bool searched = is_explored(*one.cell) && breaks(one, properties_[i]);
      const bool explains = searched || plain_.contains(found_[i].cases.front());
      if (explains && found_[i].promised) return causes_.begin() + static_cast<std::ptrdiff_t>(i);
    }
    return causes_.end();
  }

  const std::set<std::string>& plain_;
  std::vector<std::string> causes_;  // of found_, each
  std::vector<std::string> properties_;
  std::vector<LockFinding> found_;
};

// Of a lock whose tokens fall, who is late damages the data because they do: that is no second cause.
void blame_tokens(std::vector<FoundCase>& cases) {
  const auto of_tokens = [](const FoundCase& one) {
    return one.promised && concerns(one.found.property->property, Concerns::tokens);
  };
  const auto fallen = std::find_if(cases.begin(), cases.end(), of_tokens);
  if (fallen == cases.end()) return;
  for (auto& one : cases) {
    const KindWords* words = find_kind(one.kind);
    const bool late = words != nullptr && words->weight >= KindWeight::late_answer;
    if (one.promised && late && concerns(one.found.property->property, Concerns::data)) one.cause = fallen->cause;
  }
}

std::vector<LockFinding> findings_of_run(const RunVerdict& run, const std::set<std::string>& plain) {
  std::vector<FoundCase> cases;
  for (const auto& cell : run.cells) {
    if (auto one = found_in(cell, plain)) cases.push_back(std::move(*one));
  }
  blame_tokens(cases);
  std::stable_sort(cases.begin(), cases.end(), [&plain](const FoundCase& a, const FoundCase& b) {
    const auto rank = [&plain](const FoundCase& one) {
      return std::pair{!plain.contains(one.cell->scenario), complexity(one)};
    };
    return rank(a) < rank(b);
  });
  CausesOnce out(plain);
  for (const auto& one : cases) out.add(one);
  return std::move(out).in_order();
}

int exit_code_of_assessment(const RunVerdict& run, const Assessment& out) {
  if (run.interrupted) return kExitInterrupted;
  if (out.headline.severity < Severity::nothing_broke) return kExitNotAsExpected;
  const bool failed = std::any_of(run.cells.begin(), run.cells.end(),
                                  [](const Cell& cell) { return cell.outcome == Outcome::harness_error; });
  if (failed) return kExitHarness;
  if (out.headline.severity == Severity::nothing_broke) return kExitAsExpected;
  return run.exit_code == kExitUnavailable ? kExitUnavailable : kExitUndecided;
}

}  // namespace

Assessment assess(const RunVerdict& run, const AssessmentSettings& settings) {
  Assessment out;
  out.lock = run.locks.empty() ? "" : run.locks.front();
  out.headline = headline_of(run);
  out.instead = settings.instead;
  put_in_groups(run, out);
  out.within = out.searched.empty() ? "" : run.within;
  out.findings = findings_of_run(run, settings.plain);
  out.exit_code = exit_code_of_assessment(run, out);
  return out;
}

}  // namespace holdfast
