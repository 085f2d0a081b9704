#include "reports/severity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/enumeration.hpp"
#include "artifact/property_words.hpp"
#include "reports/durations.hpp"

namespace holdfast {
namespace {

struct SeverityWords {
  const char* name;
  const char* words;
};

const SeverityWords& entry_of(Severity severity) {
  static constexpr EnumTable<Severity, SeverityWords> kAll(
      {{"data_damaged", "data damaged"},
       {"two_believed", "two holders at once"},
       {"not_its_owner", "ownership violated"},
       {"token_fell", "a fencing token did not increase"},
       {"stuck", "stuck"},
       {"wrong_answer", "a release took effect but was answered as a loss"},
       {"assertion", "an assertion of the lock's author was false"},
       {"nothing_broke", "nothing broke"},
       {"nothing_judged", "nothing was judged"}});
  return kAll[severity];
}

bool is_lapse(const std::string& kind) {
  const KindWords* words = find_kind(kind);
  return words != nullptr && (words->weight == KindWeight::lapse || words->weight == KindWeight::late_answer);
}

// All of it comes of leases that had run out.
bool only_lapses(const PropertyVerdict& property) {
  return std::all_of(property.kinds.begin(), property.kinds.end(),
                     [](const auto& kind) { return is_lapse(kind.first); });
}

bool only_answers(const std::map<std::string, std::int64_t>& kinds) {
  return !kinds.empty() && std::all_of(kinds.begin(), kinds.end(), [](const auto& kind) {
    const KindWords* words = find_kind(kind.first);
    return words != nullptr && words->answer_only;
  });
}

bool has_judgement(const TrialVerdict& verdict, Concerns what, Judgement judgement) {
  return std::any_of(verdict.properties.begin(), verdict.properties.end(),
                     [&](const PropertyVerdict& p) { return concerns(p.property, what) && p.judgement == judgement; });
}

// True if fencing makes it harmless, or, for a search, if it needs fencing.
bool is_borne(const Cell& cell, const TrialVerdict& verdict, const PropertyVerdict& property) {
  if (!concerns(property.property, Concerns::holders) || !only_lapses(property)) return false;
  if (is_explored(cell)) return true;
  return is_fenced(verdict) && has_judgement(verdict, Concerns::data, Judgement::holds);
}

bool was_carried_out(const TrialResult& trial) {
  return trial.outcome != Outcome::harness_error && trial.outcome != Outcome::unavailable &&
         trial.outcome != Outcome::not_run;
}

}  // namespace

const char* to_text(Severity severity) {
  return entry_of(severity).name;
}

std::string severity_words(Severity severity) {
  return entry_of(severity).words;
}

Severity severity_of_violation(const std::string& property, const std::map<std::string, std::int64_t>& kinds) {
  if (concerns(property, Concerns::data)) return Severity::data_damaged;
  if (concerns(property, Concerns::holders)) return Severity::two_believed;
  if (concerns(property, Concerns::owners))
    return only_answers(kinds) ? Severity::wrong_answer : Severity::not_its_owner;
  if (concerns(property, Concerns::tokens)) return Severity::token_fell;
  if (concerns(property, Concerns::author)) return Severity::assertion;
  return concerns(property, Concerns::waiters) ? Severity::stuck : Severity::two_believed;
}

bool is_fenced(const TrialVerdict& verdict) {
  return std::any_of(verdict.properties.begin(), verdict.properties.end(), [](const PropertyVerdict& p) {
    return concerns(p.property, Concerns::tokens) && p.judgement != Judgement::not_applicable;
  });
}

Severity severity_of(const Cell& cell, const TrialResult& trial) {
  if (!was_carried_out(trial)) return Severity::nothing_judged;
  Severity worst = Severity::nothing_judged;
  for (const auto& property : trial.verdict.properties) {
    if (property.judgement == Judgement::violated) {
      const bool borne = is_borne(cell, trial.verdict, property);
      worst =
          std::min(worst, borne ? Severity::nothing_broke : severity_of_violation(property.property, property.kinds));
    } else if (property.judgement == Judgement::holds) {
      worst = std::min(worst, Severity::nothing_broke);
    }
  }
  const bool open = trial.outcome == Outcome::undecided || trial.outcome == Outcome::nothing_judged;
  return open && worst == Severity::nothing_broke ? Severity::nothing_judged : worst;
}

void StaleWrites::add(const StaleWrites& more) {
  if (!more.overlapped) return;
  safe = more.safe && (safe || !overlapped);
  overlapped = true;
  refused += more.refused;
}

std::string safe_data_words(std::int64_t refused) {
  return refused == 0 ? "the data was not damaged"
                      : fmt::format("the data is safe (stale writes refused: {})", count_text(refused));
}

StaleWrites stale_writes_of(const TrialVerdict& verdict) {
  StaleWrites out;
  out.overlapped = has_judgement(verdict, Concerns::holders, Judgement::violated);
  out.safe = out.overlapped && has_judgement(verdict, Concerns::data, Judgement::holds);
  for (const auto& property : verdict.properties) {
    const auto stale = property.coverage.find("stale_tokens_presented");
    const bool told = out.safe && concerns(property.property, Concerns::tokens) &&
                      property.judgement == Judgement::holds && stale != property.coverage.end();
    if (told) out.refused += stale->second;
  }
  return out;
}

}  // namespace holdfast
