#include "reports/lock_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>

#include "reports/durations.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostCells = 6;

std::string unbroken(const RunAssessment& found) {
  int acted = 0;
  int planned = 0;
  for (const auto& proof : found.run.faults) {
    acted += proof.acted;
    planned += proof.planned;
  }
  if (planned == 0 || acted == 0) return "nothing broke, but no fault was injected";
  const std::string out = fmt::format("nothing broke, faults acted {} of {}", acted, planned);
  return found.stale.safe ? out + "; two believed at once past a lease, and " + safe_data_words(found.stale.refused)
                          : out;
}

std::string names_of(const std::vector<const Cell*>& cells) {
  std::string out;
  for (std::size_t i = 0; i < std::min(cells.size(), kMostCells); ++i) {
    out += (i == 0 ? "" : ", ") + cells[i]->scenario;
  }
  return cells.size() <= kMostCells ? out : fmt::format("{} and {} more", out, cells.size() - kMostCells);
}

std::string kept_text(const LockAssessment& n) {
  const auto all = static_cast<std::int64_t>(n.cells.size());
  const std::string cells = plural(all, "cell", "cells");
  if (!n.broken.empty()) {
    return fmt::format("No: it broke a promise in {} of {} ({}).",
                       count_text(static_cast<std::int64_t>(n.broken.size())), cells, names_of(n.broken));
  }
  const auto silent = static_cast<std::int64_t>(n.silent.size());
  if (silent == all) return fmt::format("Nothing is known: none of {} tells anything.", cells);
  if (silent > 0) {
    return fmt::format("Not known: it kept every promise in {} of {}, and {} told nothing ({}).",
                       count_text(all - silent), cells, count_text(silent), names_of(n.silent));
  }
  const bool lapsed = n.past_lease.cells + n.forgotten.cells + n.late_writes > 0;
  const char* const yes = lapsed ? "As far as a lease can" : n.excused.cells > 0 ? "As far as it promises" : "Yes";
  return fmt::format("{}: it kept every promise {}.", yes, all == 1 ? "in the one cell" : "in all " + cells);
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
std::string allowed_text(const LockAssessment& n) {
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

std::string headline_text(const RunAssessment& found) {
  if (found.severity == Severity::nothing_broke) return unbroken(found);
  const bool safe = found.severity == Severity::two_believed && found.stale.safe;
  return severity_words(found.severity) + (safe ? ", " + safe_data_words(found.stale.refused) : "");
}

std::string answer_of(const RunAssessment& found) {
  if (found.locks.size() != 1 || found.run.suite != "generated") return "";
  return found.locks.front().lock + ": " + headline_text(found);
}

std::vector<std::string> lock_answers(const RunAssessment& found) {
  std::vector<std::string> out;
  for (const LockAssessment& lock : found.locks) {
    if (!lock.by_promises) continue;
    out.push_back(fmt::format("Does {} hold? {}{}", lock.lock, kept_text(lock), allowed_text(lock)));
    if (!lock.damaged()) continue;
    out.back() += lock.fenced ? " Its tokens did not keep the data safe: look at how the resource compares them."
                              : " A fencing token that the resource checks would keep the data safe.";
  }
  return out;
}

std::vector<std::string> data_answers(const RunAssessment& found) {
  std::map<std::string, std::vector<std::string>> damaged;
  std::map<std::string, std::vector<std::string>> believed;
  std::int64_t refused = 0;
  for (const LockAssessment& lock : found.locks) {
    for (const CellAssessment* one : lock.cells) {
      if (lock.by_promises || one->explored) continue;
      if (one->severity == Severity::data_damaged) {
        damaged[one->cell->lock].push_back(one->cell->scenario);
      } else if (one->stale.safe) {
        believed[one->cell->lock].push_back(one->cell->scenario);
        refused += one->stale.refused;
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
