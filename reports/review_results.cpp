#include "reports/review_results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/property_words.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/rerun.hpp"
#include "reports/shortened.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostMessage = 2'000;

ReviewLevel level_of(Outcome outcome) {
  if (outcome == Outcome::unavailable) return ReviewLevel::notice;
  const bool open = outcome == Outcome::undecided || outcome == Outcome::nothing_judged || outcome == Outcome::not_run;
  return open ? ReviewLevel::warning : ReviewLevel::error;
}

// FNV-1a. It identifies a result and protects nothing.
std::uint64_t hash_of(std::string_view text, std::uint64_t start) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  for (const char c : text) start = (start ^ static_cast<unsigned char>(c)) * kPrime;
  return start;
}

std::string identity_of(const Cell& cell, const std::string& rule) {
  constexpr std::uint64_t kStart = 0xcbf29ce484222325;
  const std::string name = cell.suite + "\n" + cell.lock + "\n" + cell.scenario + "\n" + rule;
  return fmt::format("{:016x}{:016x}", hash_of(name, kStart), hash_of("\n" + name, kStart));
}

std::string rule_of(const CellAssessment& one) {
  const bool violated = one.cell->outcome == Outcome::unexpected && one.told.property != nullptr;
  return violated ? one.told.property->property : to_text(one.cell->outcome);
}

// The trial's verdict below the run's folder; the run's own if no trial is known.
std::string verdict_of(const TrialResult* trial) {
  const bool known = trial != nullptr && is_below_top(trial->folder);
  return (known ? trial->folder + "/" : "") + "verdict.json";
}

ReviewResult result_of(const RunAssessment& found, const SourcePlaces& sources, const CellAssessment& one) {
  const Cell& cell = *one.cell;
  ReviewResult out;
  out.cell = &one;
  // A result that the baseline has, too, is worth reading, but does not fail the build.
  out.level = is_known(found, one) ? ReviewLevel::notice : level_of(cell.outcome);
  out.rule = rule_of(one);
  out.title = "holdfast: " + cell.lock + "/" + cell.scenario;
  out.headline = shortened(headline(one.told), kMostMessage);
  out.rerun = rerun_command(found.run, cell);
  out.identity = identity_of(cell, out.rule);
  const auto source = sources.find(lock_name(cell.lock));
  out.in_sources = source != sources.end();
  out.place = out.in_sources ? source->second : SourcePlace{verdict_of(one.told.trial), 1};
  return out;
}

}  // namespace

bool is_known(const RunAssessment& found, const CellAssessment& one) {
  const Outcome outcome = one.cell->outcome;
  const bool wrong = outcome == Outcome::unexpected || outcome == Outcome::missed;
  return wrong && !found.run.baseline.empty() && one.novelty == Novelty::known;
}

std::string rule_text(const std::string& rule) {
  if (const PropertyWords* words = find_entry(property_words(), rule)) return words->summary;
  Outcome outcome = Outcome::unexpected;
  return std::string(words_of(from_text(rule, outcome) ? outcome : Outcome::unexpected).meaning.view());
}

std::vector<ReviewResult> review_results(const RunAssessment& found, const SourcePlaces& sources) {
  std::vector<ReviewResult> out;
  for (const auto& one : found.cells) {
    if (one.cell->outcome > Outcome::caught) out.push_back(result_of(found, sources, one));
  }
  std::stable_sort(out.begin(), out.end(), [](const ReviewResult& a, const ReviewResult& b) {
    return a.cell->cell->outcome > b.cell->cell->outcome;
  });
  return out;
}

}  // namespace holdfast
