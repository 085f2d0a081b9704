#include "reports/lock_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "artifact/property_words.hpp"
#include "reports/durations.hpp"
#include "reports/finding.hpp"
#include "reports/outcome_words.hpp"
#include "reports/severity.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostCells = 6;

// Cells of one lock, whatever the variant of its connection.
struct CellsOfLock {
  std::string lock;
  std::vector<const Cell*> cells;
};

std::vector<CellsOfLock> by_lock(const RunVerdict& run) {
  std::vector<CellsOfLock> out;
  for (const auto& cell : run.cells) {
    const std::string lock = cell.lock.substr(0, cell.lock.find('+'));
    const auto known = std::find_if(out.begin(), out.end(), [&](const auto& one) { return one.lock == lock; });
    known == out.end() ? out.push_back({lock, {&cell}}) : known->cells.push_back(&cell);
  }
  return out;
}

// Every property must hold, or be violated only as is allowed.
bool judged_by_promises(const Cell& cell) {
  return !cell.expected.empty() && std::all_of(cell.expected.begin(), cell.expected.end(),
                                               [](const auto& stated) { return allows(stated.second); });
}

// Whether a property that is about this was violated, as is allowed.
bool allowed_violation(const Cell& cell, Concerns what) {
  return std::any_of(cell.trials.begin(), cell.trials.end(), [what](const TrialResult& trial) {
    const auto& all = trial.verdict.properties;
    return std::any_of(all.begin(), all.end(), [&](const PropertyVerdict& p) {
      return p.judgement == Judgement::violated && concerns(p.property, what) && !is_mismatch(trial, p.property);
    });
  });
}

// Its grants carry tokens, so that advice to have some would miss it.
bool has_tokens(const std::vector<const Cell*>& cells) {
  return std::any_of(cells.begin(), cells.end(), [](const Cell* cell) {
    return std::any_of(cell->trials.begin(), cell->trials.end(), [](const TrialResult& trial) {
      const auto& all = trial.verdict.properties;
      return std::any_of(all.begin(), all.end(), [](const PropertyVerdict& p) {
        return concerns(p.property, Concerns::tokens) && p.judgement != Judgement::not_applicable;
      });
    });
  });
}

bool is_of_lost_state(const std::string& kind) {
  return kind == "server_lost_state" || kind == "session_lost" || kind == "server_partition";
}

// Whether each overlap that is allowed came of what the server lost, and none of a lease that was over.
bool server_forgot(const Cell& cell) {
  const auto lost = [](const auto& kind) { return is_of_lost_state(kind.first); };
  return std::all_of(cell.trials.begin(), cell.trials.end(), [&lost](const TrialResult& trial) {
    const auto& all = trial.verdict.properties;
    return std::all_of(all.begin(), all.end(), [&](const PropertyVerdict& p) {
      return p.judgement != Judgement::violated || !concerns(p.property, Concerns::holders) ||
             (!p.kinds.empty() && std::all_of(p.kinds.begin(), p.kinds.end(), lost));
    });
  });
}

// What else excuses a violation that is allowed: causes other than lost state, such as faults that the lock's
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

// Whether some overlap that is allowed came of a lease that was over.
bool past_lease(const Cell& cell) {
  return std::any_of(cell.trials.begin(), cell.trials.end(), [](const TrialResult& trial) {
    const auto& all = trial.verdict.properties;
    return std::any_of(all.begin(), all.end(), [&](const PropertyVerdict& p) {
      return p.judgement == Judgement::violated && concerns(p.property, Concerns::holders) &&
             std::any_of(p.kinds.begin(), p.kinds.end(), [](const auto& kind) { return !find_cause(kind.first); });
    });
  });
}

// Cells with violations of one sort.
struct Overlaps {
  std::int64_t cells = 0;
  std::int64_t damaged = 0;  // of those: those in which the data was, too
};

struct Tally {
  std::int64_t cells = 0;
  std::vector<const Cell*> broken;
  std::vector<const Cell*> silent;  // that tell nothing
  Overlaps past_lease;              // as no lease prevents
  Overlaps forgotten;               // by the server
  Overlaps excused;                 // by one of `causes`: overlaps, and what else is allowed under them
  std::set<std::string> causes;
  std::int64_t late_writes = 0;  // the data alone
};

void add(Overlaps& sort, bool damage) {
  ++sort.cells;
  sort.damaged += damage ? 1 : 0;
}

Tally tally(const std::vector<const Cell*>& cells) {
  Tally out;
  for (const Cell* cell : cells) {
    ++out.cells;
    const bool broken = cell->outcome == Outcome::unexpected || cell->outcome == Outcome::missed;
    if (broken) out.broken.push_back(cell);
    if (!broken && cell->outcome > Outcome::caught) out.silent.push_back(cell);
    const bool overlap = allowed_violation(*cell, Concerns::holders);
    const bool damage = allowed_violation(*cell, Concerns::data);
    const auto causes = excusing_causes(*cell);
    out.causes.insert(causes.begin(), causes.end());
    if (!causes.empty()) add(out.excused, damage);
    if (overlap && (causes.empty() || past_lease(*cell))) {
      add(server_forgot(*cell) ? out.forgotten : out.past_lease, damage);
    }
    out.late_writes += damage && !overlap && causes.empty() ? 1 : 0;
  }
  return out;
}

std::string names_of(const std::vector<const Cell*>& cells) {
  std::string out;
  for (std::size_t i = 0; i < std::min(cells.size(), kMostCells); ++i) {
    out += (i == 0 ? "" : ", ") + cells[i]->scenario;
  }
  return cells.size() <= kMostCells ? out : fmt::format("{} and {} more", out, cells.size() - kMostCells);
}

std::string kept_text(const Tally& n) {
  const std::string cells = plural(n.cells, "cell", "cells");
  if (!n.broken.empty()) {
    return fmt::format("No: it broke a promise in {} of {} ({}).",
                       count_text(static_cast<std::int64_t>(n.broken.size())), cells, names_of(n.broken));
  }
  const auto silent = static_cast<std::int64_t>(n.silent.size());
  if (silent == n.cells) return fmt::format("Nothing is known: none of {} tells anything.", cells);
  if (silent > 0) {
    return fmt::format("Not known: it kept every promise in {} of {}, and {} told nothing ({}).",
                       count_text(n.cells - silent), cells, count_text(silent), names_of(n.silent));
  }
  const bool lapsed = n.past_lease.cells + n.forgotten.cells + n.late_writes > 0;
  const char* const yes = lapsed ? "As far as a lease can" : n.excused.cells > 0 ? "As far as it promises" : "Yes";
  const std::string all = n.cells == 1 ? "in the one cell" : "in all " + cells;
  return fmt::format("{}: it kept every promise {}.", yes, all);
}

std::string overlaps_text(const Overlaps& n, const std::string& what) {
  if (n.cells == 0) return "";
  const std::string damage = n.damaged == 0
                                 ? "; the data was not damaged."
                                 : fmt::format("; in {} of these the data was damaged.", count_text(n.damaged));
  return fmt::format(" In {} {}{}", plural(n.cells, "cell", "cells"), what, damage);
}

// The kinds are those that scenarios of this sort allow: the lease was over, whether its holder knew or not, or the
// server did not know of it any more; and faults that the documentation of the lock rules out.
std::string allowed_text(const Tally& n) {
  std::string out =
      overlaps_text(n.past_lease,
                    "a holder that was stopped, cut off or at work past its lease acted beside another, which no lease "
                    "prevents") +
      overlaps_text(n.forgotten,
                    "the server did not know any more of a grant that it had acknowledged, so that two acted at once, "
                    "which no client prevents") +
      overlaps_text(n.excused,
                    fmt::format("something was broken, as is allowed here under {}", fmt::join(n.causes, ", ")));
  if (n.late_writes == 0) return out;
  out +=
      fmt::format(" In {} a write that came after the lease damaged the data.", plural(n.late_writes, "cell", "cells"));
  return out;
}

}  // namespace

std::vector<std::string> lock_answers(const RunVerdict& run) {
  std::vector<std::string> out;
  for (const auto& [lock, cells] : by_lock(run)) {
    if (!std::all_of(cells.begin(), cells.end(), [](const Cell* cell) { return judged_by_promises(*cell); })) continue;
    const Tally n = tally(cells);
    std::string answer = fmt::format("Does {} hold? {}{}", lock, kept_text(n), allowed_text(n));
    if (n.past_lease.damaged + n.forgotten.damaged + n.excused.damaged + n.late_writes > 0) {
      answer += has_tokens(cells) ? " Its tokens did not keep the data safe: look at how the resource compares them."
                                  : " A fencing token that the resource checks would keep the data safe.";
    }
    out.push_back(std::move(answer));
  }
  return out;
}

namespace {

StaleWrites stale_writes_of(const Cell& cell) {
  StaleWrites out;
  out.safe = true;  // wherever two believed at once
  for (const auto& trial : cell.trials) {
    const StaleWrites one = stale_writes_of(trial.verdict);
    out.overlapped = out.overlapped || one.overlapped;
    out.safe = out.safe && (one.safe || !one.overlapped);
    out.refused += one.refused;
  }
  return out;
}

std::string places(const std::map<std::string, std::vector<std::string>>& cells) {
  std::string out;
  for (const auto& [lock, scenarios] : cells) {
    out += out.empty() ? "" : ", ";
    out += scenarios.size() == 1
               ? lock + "/" + scenarios.front()
               : fmt::format("{} ({} cells)", lock, count_text(static_cast<std::int64_t>(scenarios.size())));
  }
  return out;
}

}  // namespace

std::vector<std::string> data_answers(const RunVerdict& run) {
  std::map<std::string, std::vector<std::string>> damaged;
  std::map<std::string, std::vector<std::string>> believed;
  std::int64_t refused = 0;
  for (const auto& [lock, cells] : by_lock(run)) {
    if (std::all_of(cells.begin(), cells.end(), [](const Cell* cell) { return judged_by_promises(*cell); })) continue;
    for (const Cell* cell : cells) {
      if (is_explored(*cell)) continue;
      const StaleWrites stale = stale_writes_of(*cell);
      if (severity_of(*cell) == Severity::data_damaged) {
        damaged[cell->lock].push_back(cell->scenario);
      } else if (stale.overlapped && stale.safe) {
        believed[cell->lock].push_back(cell->scenario);
        refused += stale.refused;
      }
    }
  }
  std::vector<std::string> out;
  if (!damaged.empty()) out.push_back("Data damaged: " + places(damaged) + ".");
  if (!believed.empty()) {
    const std::string writes = refused == 0 ? "" : fmt::format(" (stale writes refused: {})", count_text(refused));
    out.push_back(fmt::format("Two believed at once, and the data was not damaged{}: {}.", writes, places(believed)));
  }
  return out;
}

}  // namespace holdfast
