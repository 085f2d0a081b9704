#include "reports/promises.hpp"

#include <algorithm>

#include "artifact/property_words.hpp"
#include "reports/outcome_words.hpp"

namespace holdfast {
namespace {

// Every property must hold, or be violated only as is allowed.
bool judged_by_promises(const Cell& cell) {
  return !cell.expected.empty() && std::all_of(cell.expected.begin(), cell.expected.end(),
                                               [](const auto& stated) { return allows(stated.second); });
}

// A search states nothing, and grades no lock by itself.
bool by_promises_alone(const LockAssessment& lock) {
  const auto& all = lock.cells;
  return std::any_of(all.begin(), all.end(), [](const CellAssessment* one) { return !one->explored; }) &&
         std::all_of(all.begin(), all.end(),
                     [](const CellAssessment* one) { return one->explored || judged_by_promises(*one->cell); });
}

template <typename Is>
bool any_violated(const Cell& cell, const Is& is) {
  return std::any_of(cell.trials.begin(), cell.trials.end(), [&is](const TrialResult& trial) {
    const auto& all = trial.verdict.properties;
    return std::any_of(all.begin(), all.end(),
                       [&](const PropertyVerdict& p) { return p.judgement == Judgement::violated && is(trial, p); });
  });
}

// True if a property with this subject was violated in an allowed way.
bool allowed_violation(const Cell& cell, Concerns what) {
  return any_violated(cell, [what](const TrialResult& trial, const PropertyVerdict& p) {
    return concerns(p.property, what) && !is_mismatch(trial, p.property);
  });
}

// True if two held at once, and each overlap came from state that the server lost, none from a lease that was over.
bool server_forgot(const Cell& cell) {
  const auto lost = [](const auto& kind) { return is_of_lost_state(kind.first); };
  const auto of_holders = [](const TrialResult&, const PropertyVerdict& p) {
    return concerns(p.property, Concerns::holders);
  };
  return any_violated(cell, of_holders) && !any_violated(cell, [&lost](const TrialResult&, const PropertyVerdict& p) {
           return concerns(p.property, Concerns::holders) &&
                  (p.kinds.empty() || !std::all_of(p.kinds.begin(), p.kinds.end(), lost));
         });
}

// True if all that broke came from entries that the server lost, which no token can make up for. A session that is lost
// is as a lease that is over.
bool only_forgotten(const Cell& cell) {
  const auto lost = [](const auto& kind) { return is_of_lost_state(kind.first) && kind.first != "session_lost"; };
  return !any_violated(cell, [&lost](const TrialResult&, const PropertyVerdict& p) {
    return p.kinds.empty() || !std::all_of(p.kinds.begin(), p.kinds.end(), lost);
  });
}

// True if some overlap came from a lease that was over.
bool past_lease(const Cell& cell) {
  return any_violated(cell, [](const TrialResult&, const PropertyVerdict& p) {
    return concerns(p.property, Concerns::holders) &&
           std::any_of(p.kinds.begin(), p.kinds.end(), [](const auto& kind) { return !find_cause(kind.first); });
  });
}

// Excuses of violations that are allowed: causes other than lost state, such as faults that the lock's
// documentation rules out.
std::set<std::string> excusing_causes(const Cell& cell) {
  std::set<std::string> out;
  for (const TrialResult& trial : cell.trials) {
    for (const PropertyVerdict& p : trial.verdict.properties) {
      if (p.judgement != Judgement::violated || is_mismatch(trial, p.property)) continue;
      for (const auto& [kind, count] : p.kinds) {
        if (find_cause(kind) != nullptr && !is_of_lost_state(kind)) out.insert(kind);
      }
    }
  }
  return out;
}

// True if each overlap came from a session that the server ended.
bool session_ended(const Cell& cell) {
  return !any_violated(cell, [](const TrialResult&, const PropertyVerdict& p) {
    return concerns(p.property, Concerns::holders) && (p.kinds.size() != 1 || p.kinds.begin()->first != "session_lost");
  });
}

Overlaps& lost_by_server(const CellAssessment& one, LockAssessment& out) {
  if (session_ended(*one.cell)) return out.session_ended;
  return one.faults.contains("server_flush") ? out.dropped : out.forgotten;
}

void add(Overlaps& sort, bool damage, bool judged) {
  ++sort.cells;
  sort.judged += judged ? 1 : 0;
  sort.damaged += damage ? 1 : 0;
}

void add_cell(const CellAssessment& one, LockAssessment& out) {
  const Cell& cell = *one.cell;
  out.cells.push_back(&one);
  out.fenced = out.fenced || one.fenced;
  const bool broken = one.explored ? one.broken < Severity::nothing_broke
                                   : cell.outcome == Outcome::unexpected || cell.outcome == Outcome::missed;
  if (broken) out.broken.push_back(&cell);
  const bool seen = cell.outcome == Outcome::unexpected || cell.outcome == Outcome::allowed;
  const bool searched_lapse = one.explored && seen;  // simulated clients do not write
  if (!broken && !searched_lapse && cell.outcome > Outcome::caught) out.silent.push_back(&cell);
  const bool searched_loss = searched_lapse && server_forgot(cell);
  if (searched_loss) add(lost_by_server(one, out), false, false);
  out.lapsed = out.lapsed || (searched_loss && !only_forgotten(cell));
  if (one.explored) return;
  const bool allowed = cell.outcome == Outcome::allowed && one.severity < Severity::nothing_broke;
  out.lapsed = out.lapsed || (allowed && !only_forgotten(cell));
  const bool overlap = allowed_violation(cell, Concerns::holders);
  const bool damage = allowed_violation(cell, Concerns::data);
  const auto causes = excusing_causes(cell);
  out.causes.insert(causes.begin(), causes.end());
  if (!causes.empty()) add(out.excused, damage, one.data_judged);
  if (overlap && (causes.empty() || past_lease(cell)))
    add(server_forgot(cell) ? lost_by_server(one, out) : out.past_lease, damage, one.data_judged);
  out.late_writes += damage && !overlap && causes.empty() ? 1 : 0;
}

}  // namespace

std::vector<LockAssessment> assess_locks(const RunVerdict& run, const std::vector<CellAssessment>& cells) {
  std::vector<LockAssessment> out;
  for (const auto& one : cells) {
    const std::string name = lock_name(one.cell->lock);
    auto known = std::find_if(out.begin(), out.end(), [&](const LockAssessment& lock) { return lock.lock == name; });
    if (known == out.end()) {
      out.emplace_back().lock = name;
      known = out.end() - 1;
    }
    add_cell(one, *known);
  }
  for (auto& lock : out) {
    lock.by_promises = run.shard.empty() && by_promises_alone(lock);  // a shard has only part of the evidence
    if (lock.by_promises) lock.grade = grade_of(run, lock);
  }
  return out;
}

}  // namespace holdfast
