#include "reports/lock_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

#include "artifact/error.hpp"
#include "reports/assertion_text.hpp"
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
  const std::string out = fmt::format("nothing broke; {} of {} planned faults acted", acted, planned);
  return found.stale.safe ? out + "; two clients acted as holder at once after a lease had expired, and " +
                                safe_data_words(found.stale.refused)
                          : out;
}

std::string names_of(const std::vector<const Cell*>& cells) {
  std::string out;
  for (std::size_t i = 0; i < std::min(cells.size(), kMostCells); ++i) {
    out += (i == 0 ? "" : ", ") + cells[i]->scenario;
  }
  return cells.size() <= kMostCells ? out : fmt::format("{} and {} more", out, cells.size() - kMostCells);
}

bool begun(const Cell* cell) {
  return !cell->trials.empty() || cell->outcome != Outcome::not_run;
}

// The cells without a conclusive result: those that ran, and those whose trials had no time to begin.
std::string silent_text(const std::vector<const Cell*>& silent) {
  std::vector<const Cell*> ran;
  std::copy_if(silent.begin(), silent.end(), std::back_inserter(ran), begun);
  const auto not_begun = static_cast<std::int64_t>(silent.size() - ran.size());
  std::string out;
  if (!ran.empty()) {
    const bool one = ran.size() == 1;
    out = fmt::format("{} {} inconclusive ({})", count_text(static_cast<std::int64_t>(ran.size())),
                      one ? "was" : "were", names_of(ran));
  }
  if (not_begun == 0) return out;
  return out + fmt::format("{}{} did not run", out.empty() ? "" : ", ", count_text(not_begun));
}

std::string kept_text(const LockAssessment& n) {
  const auto all = static_cast<std::int64_t>(n.cells.size());
  const std::string cells = plural(all, "cell", "cells");
  if (!n.broken.empty()) {
    const auto not_begun =
        std::count_if(n.silent.begin(), n.silent.end(), [](const Cell* cell) { return !begun(cell); });
    const std::string others = fmt::format("; {} did not run", count_text(not_begun));
    return fmt::format("it broke a promise in {} of {} ({}){}.", count_text(static_cast<std::int64_t>(n.broken.size())),
                       plural(all - not_begun, "cell", "cells"), names_of(n.broken), not_begun == 0 ? "" : others);
  }
  const auto silent = static_cast<std::int64_t>(n.silent.size());
  if (silent == all) return fmt::format("none of {} had a conclusive result.", cells);
  if (silent == 0) return fmt::format("it kept every promise {}.", all == 1 ? "in the one cell" : "in all " + cells);
  return fmt::format("it kept every promise in {} of {}; {}.", count_text(all - silent), cells, silent_text(n.silent));
}

// Words that make a list, "a kill, a pause and a cut".
std::string words_of_list(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  }
  return out;
}

// The conditions of a good grade that were not met.
std::string missing_text(const LockGrade& grade) {
  if (grade.grade != Grade::not_known || grade.missing.empty()) return "";
  return " A better grade needs " + words_of_list(grade.missing) + ".";
}

std::string unreached_text(const LockGrade& grade) {
  return grade.unreached.empty() ? "" : " Never reached: " + some_assertions(grade.unreached) + ".";
}

// The reason why a lease is graded no higher although nothing lapsed.
std::string lease_text(const LockAssessment& lock) {
  if (lock.grade.grade != Grade::lease || lock.lapsed) return "";
  return " A holder that is stopped past its lease may still act alongside the next one, which a lease cannot prevent. "
         "A fencing token that the resource checks would keep the data safe.";
}

std::string overlaps_text(const Overlaps& n, const std::string& what) {
  if (n.cells == 0) return "";
  std::string damage = "; the data was damaged";
  if (n.damaged == 0) damage = n.judged > 0 ? "; the data was not damaged" : "; the data was not checked";
  if (n.damaged > 0 && n.damaged < n.cells) damage += fmt::format(" in {} of them", count_text(n.damaged));
  return fmt::format(" In {} {}{}.", plural(n.cells, "cell", "cells"), what, damage);
}

// The kinds are those that scenarios of this sort allow: the lease was over, whether its holder knew or not, or the
// server did not know of it any more; and faults that the documentation of the lock rules out.
std::string allowed_text(const LockAssessment& n) {
  std::string out =
      overlaps_text(n.forgotten,
                    "the server lost a grant that it had acknowledged, so two clients acted as holder at "
                    "once, which no client can prevent") +
      overlaps_text(n.dropped,
                    "holdfast deleted all entries at the server, as an operator or an eviction may, so two "
                    "clients acted as holder at once, which no client can prevent") +
      overlaps_text(n.session_ended,
                    "the server ended the session that held the lock, and its client acted alongside the "
                    "next holder, which a session alone cannot prevent") +
      overlaps_text(n.excused,
                    fmt::format("a promise was broken, which is allowed here under {}", fmt::join(n.causes, ", "))) +
      overlaps_text(n.past_lease,
                    "a holder that was stopped, cut off or still working past its lease acted alongside "
                    "another, which a lease cannot prevent");
  if (n.late_writes == 0) return out;
  out += fmt::format(" In {} a write that arrived after the lease damaged the data.",
                     plural(n.late_writes, "cell", "cells"));
  return out;
}

std::string places(const std::map<std::string, std::vector<std::string>>& cells) {
  constexpr std::size_t kMostPlaces = 10;
  std::string out;
  std::size_t told = 0;
  for (const auto& [lock, scenarios] : cells) {
    if (++told > kMostPlaces && cells.size() > kMostPlaces + 1)
      return fmt::format("{} and {} more locks", out, cells.size() - kMostPlaces);
    out += out.empty() ? "" : ", ";
    out += scenarios.size() == 1
               ? lock + "/" + scenarios.front()
               : fmt::format("{} ({} cells)", lock, count_text(static_cast<std::int64_t>(scenarios.size())));
  }
  return out;
}

std::string worst_words(const RunAssessment& found, Severity severity) {
  const bool safe = severity == Severity::two_believed && found.stale.safe;
  return severity_words(severity) + (safe ? ", " + safe_data_words(found.stale.refused) : "");
}

// Text after the grade: the worst of the broken promises, or the remark that not everything was tried.
std::string detail_of(const RunAssessment& found) {
  const LockGrade& grade = found.locks.front().grade;
  if (grade.grade == Grade::not_known) {
    if (found.severity == Severity::nothing_judged) return ": nothing was judged";
    return grade.missing.empty() ? ": nothing broke, but an assertion was never reached"
                                 : ": nothing broke, but not everything was tried";
  }
  if (grade.grade != Grade::broken) return "";
  Severity worst = Severity::nothing_broke;
  for (const auto& one : found.cells) worst = std::min(worst, one.broken);
  if (worst < Severity::nothing_broke) return ": " + worst_words(found, worst);
  return ", by --strict: a lease expired";
}

}  // namespace

std::string grade_reason(const LockAssessment& lock) {
  std::string out =
      kept_text(lock) + missing_text(lock.grade) + unreached_text(lock.grade) + allowed_text(lock) + lease_text(lock);
  // A token does not help where the server forgot the grants, and with them the tokens.
  if (lock.past_lease.damaged + lock.excused.damaged + lock.late_writes == 0) return out;
  return out + (lock.fenced ? " Its tokens did not keep the data safe: check how the resource compares them."
                            : " A fencing token that the resource checks would keep the data safe.");
}

int exit_code_with_grades(const RunAssessment& found) {
  const int own = found.run.exit_code;
  const auto any = [&](Grade grade) {
    return std::any_of(found.locks.begin(), found.locks.end(),
                       [grade](const LockAssessment& lock) { return lock.by_promises && lock.grade.grade == grade; });
  };
  const bool known_failure = !found.run.baseline.empty();  // a violation that the baseline has as well is not new
  if (own == kExitInterrupted || known_failure) return own;
  if (any(Grade::broken)) return kExitNotAsExpected;
  return own == kExitAsExpected && any(Grade::not_known) ? kExitUndecided : own;
}

std::vector<GradeRecord> grade_records(const RunAssessment& found) {
  std::vector<GradeRecord> out;
  for (const LockAssessment& lock : found.locks) {
    if (lock.by_promises) out.push_back({lock.lock, to_text(lock.grade.grade), grade_reason(lock), lock.grade.missing});
  }
  return out;
}

std::string headline_text(const RunAssessment& found) {
  if (const LockAssessment* const lock = found.graded()) return grade_words(lock->grade.grade) + detail_of(found);
  if (found.severity == Severity::nothing_broke) return unbroken(found);
  return worst_words(found, found.severity);
}

std::string answer_of(const RunAssessment& found) {
  if (found.locks.size() != 1 || found.run.suite != "generated") return "";
  return found.locks.front().lock + ": " + headline_text(found);
}

std::vector<std::string> lock_answers(const RunAssessment& found) {
  std::vector<std::string> out;
  for (const LockAssessment& lock : found.locks) {
    if (!lock.by_promises) continue;
    out.push_back(fmt::format("{} is {}: {}", lock.lock, grade_words(lock.grade.grade), grade_reason(lock)));
  }
  return out;
}

std::vector<std::string> data_answers(const RunAssessment& found) {
  std::map<std::string, std::vector<std::string>> damaged;
  std::map<std::string, std::vector<std::string>> damaged_by_known_flaws;
  std::map<std::string, std::vector<std::string>> believed;
  std::int64_t refused = 0;
  for (const LockAssessment& lock : found.locks) {
    for (const CellAssessment* one : lock.cells) {
      if (lock.by_promises || one->explored) continue;
      if (one->severity == Severity::data_damaged) {
        auto& where = one->cell->outcome == Outcome::caught ? damaged_by_known_flaws : damaged;
        where[one->cell->lock].push_back(one->cell->scenario);
      } else if (one->stale.safe) {
        believed[one->cell->lock].push_back(one->cell->scenario);
        refused += one->stale.refused;
      }
    }
  }
  std::vector<std::string> out;
  if (!damaged.empty()) out.push_back("Data damaged: " + places(damaged) + ".");
  if (!damaged_by_known_flaws.empty()) {
    out.push_back("Data damaged by known flaws, as expected: " + places(damaged_by_known_flaws) + ".");
  }
  if (!believed.empty()) {
    const std::string writes = refused == 0 ? "" : fmt::format(" (stale writes refused: {})", count_text(refused));
    out.push_back(fmt::format("Two clients acted as holder at once, but the data was not damaged{}: {}.", writes,
                              places(believed)));
  }
  return out;
}

}  // namespace holdfast
