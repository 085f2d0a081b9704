#include "reports/causes_once.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/property_words.hpp"
#include "reports/narration.hpp"

namespace holdfast {
namespace {

bool is_unexpected(const CellAssessment& one) {
  return one.cell->outcome == Outcome::unexpected;
}

// The same of two findings that are one. Kinds that explain themselves need no suggestion, in which controls may
// differ. Empty: it stays by itself.
std::string name_of_cause(const CellAssessment& one) {
  if (!is_unexpected(one) || one.told.witness == nullptr) return "";
  const std::string kind = one.told.witness->kind;
  const KindWords* words = find_kind(kind);
  const bool explains_itself = words != nullptr && words->leads_to_more;
  const std::string suggestion = explains_itself ? "" : narrate(one.told, nullptr).suggestion;
  return fmt::format("{}\n{}\n{}\n{}", one.cell->lock, one.told.property->property, kind, suggestion);
}

// Known violations explain no new ones.
bool explains(const CellAssessment& first, const std::string& cause, const CellAssessment& other,
              const std::string& cause_of_other) {
  if (!is_unexpected(first) || !is_unexpected(other) || first.novelty != other.novelty) return false;
  if (first.without_fault() && first.cell->lock == other.cell->lock && other.confirmed.empty()) return true;
  return !cause.empty() && cause == cause_of_other;
}

}  // namespace

std::vector<CauseOnce> causes_once(const std::vector<CellAssessment>& all) {
  std::vector<const CellAssessment*> cells;
  for (const auto& one : all) {
    if (one.cell->outcome > Outcome::not_run) cells.push_back(&one);
  }
  std::stable_partition(cells.begin(), cells.end(),
                        [](const CellAssessment* one) { return is_unexpected(*one) && one->without_fault(); });
  std::vector<CauseOnce> out;
  std::vector<std::string> causes;  // one for each cell
  for (const CellAssessment* one : cells) {
    const std::string cause = name_of_cause(*one);
    std::size_t i = 0;
    while (i < out.size() && !explains(*out[i].first, causes[i], *one, cause)) ++i;
    if (i < out.size()) {
      out[i].others.push_back(one);
      continue;
    }
    out.push_back({one, {}});
    causes.push_back(cause);
  }
  return out;
}

}  // namespace holdfast
