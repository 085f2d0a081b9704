#include "reports/outcome_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/enumeration.hpp"

namespace holdfast {

const OutcomeWords& words_of(Outcome outcome) {
  static const EnumTable<Outcome, OutcomeWords> kWords({
      {"ok", "✓", "ok", "as expected", "32"},
      {"(x)", "(✗)", "allowed", "violated in an allowed way", "36"},
      {"x exp", "✗", "caught", "violated as expected", "36"},
      {"-", "–", "unavailable", "this machine cannot run it", "2"},
      {"...", "…", "not run", "the run ended before this cell", "33"},
      {"o", "○", "nothing judged", "no property was tested", "33"},
      {"?", "?", "undecided", "undecided or not exercised", "33"},
      {"E err", "E", "error", "the harness failed", "35"},
      {"!", "!", "missed", "an expected violation was not seen", "1;33"},
      {"x!", "✗!", "unexpected", "violated unexpectedly", "1;31"},
  });
  return kWords[outcome];
}

std::string seen_word(const PropertyVerdict& verdict) {
  const std::string word = to_text(verdict.judgement);
  return verdict.kind.empty() ? word : word + ":" + verdict.kind;
}

std::string expected_word(const std::string& stated) {
  constexpr std::string_view kAllowed = "allowed";
  if (stated.empty()) return "holds";
  if (stated == kAllowed) return "holds, or not exercised";
  if (stated.rfind(kHoldsBut, 0) == 0) return "holds, or violated:" + stated.substr(std::string(kHoldsBut).size());
  if (stated.rfind(std::string(kAllowed) + ":", 0) != 0) return stated;
  return "holds, not exercised, or violated" + stated.substr(kAllowed.size());
}

bool allows(const std::string& stated) {
  return stated.rfind("allowed", 0) == 0 || stated.rfind(kHoldsBut, 0) == 0;
}

const char* glyph_of(Judgement judgement) {
  static constexpr EnumWords<Judgement> kGlyphs({"✓", "✗", "?", "◌", "–"});
  return kGlyphs[judgement];
}

std::string spaced(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

std::string repeated_text(const Cell& cell) {
  const bool counts = cell.trials_planned() > 1 && cell.outcome != Outcome::unavailable;
  return counts ? fmt::format("{}/{}", cell.trials_as_expected, cell.trials_planned()) : "";
}

bool has_blanks(const RunVerdict& run) {
  return run.cells.size() < run.locks.size() * run.scenarios.size();
}

const Cell* find_cell(const RunVerdict& run, const std::string& lock, const std::string& scenario) {
  for (const auto& cell : run.cells) {
    if (cell.lock == lock && cell.scenario == scenario) return &cell;
  }
  return nullptr;
}

}  // namespace holdfast
