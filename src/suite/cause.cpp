#include "suite/cause.hpp"

#include <algorithm>

#include "artifact/property_words.hpp"
#include "nemesis/fault.hpp"
#include "suite/expectation.hpp"

namespace holdfast {
namespace {

// Returns true for the kinds of violations without a suspected fault.
bool without_suspect(const std::string& kind) {
  const KindWords* words = find_kind(kind);
  return words != nullptr && words->without_suspect;
}

bool given_by_a_fault(const std::string& kind) {
  return std::any_of(faults().begin(), faults().end(),
                     [&kind](const auto& entry) { return *entry.type->cause != '\0' && kind == entry.type->cause; });
}

// Returns true if a control shows the cell's violation. Without the fault the checker cannot suspect it: then the same
// violation has another fault as its explanation, or none. One explained by a lapsed lease (`overrun`, `late_grant`) is
// different.
bool same_story(const CauseFinding& cause, const std::string& kind) {
  if (kind == cause.kind) return true;
  return cause.of_fault && (without_suspect(kind) || given_by_a_fault(kind));
}

bool shows_lapse(const PropertyVerdict& property) {
  return std::any_of(property.kinds.begin(), property.kinds.end(), [](const auto& kind) {
    const KindWords* words = find_kind(kind.first);
    return words != nullptr && words->weight >= KindWeight::late_notice;
  });
}

// A holder that is told within its lease that it holds nothing: any release can show this. The other violations of
// ownership, releases after a lapsed lease, concern those that take another's lock.
bool shows_losses(const CauseFinding& cause, const PropertyVerdict& property) {
  const bool of_another = cause.kind == "foreign_release" || cause.kind == "foreign_renew";
  if (!concerns(property.property, Concerns::owners) || of_another) return false;
  const auto releases = property.coverage.find("releases");
  return releases != property.coverage.end() && releases->second > 0;
}

bool tells(const CauseFinding& cause, const PropertyVerdict& property) {
  if (property.judgement == Judgement::not_exercised) return shows_losses(cause, property);
  return property.judgement == Judgement::holds || property.judgement == Judgement::violated;
}

bool unexpected(const TrialResult& trial, const std::string& property) {
  return std::any_of(trial.mismatches.begin(), trial.mismatches.end(),
                     [&property](const Mismatch& m) { return m.property == property; });
}

CauseFinding question(const std::string& property, const std::string& kind, const FaultsByCause& causes,
                      const std::vector<FaultSpec>& planned) {
  CauseFinding out;
  out.property = property;
  out.kind = kind;
  const auto given = causes.find(kind);
  out.of_fault = given != causes.end();
  for (const auto& spec : planned) {
    if (out.of_fault && !given->second.contains(spec.fault)) continue;
    if (std::find(out.faults.begin(), out.faults.end(), spec.fault) == out.faults.end())
      out.faults.push_back(spec.fault);
  }
  return out;
}

// The kind that the scenario expects: the first one.
std::string claimed_kind(const std::string& expected) {
  const auto colon = expected.find(':');
  if (expected.rfind("violated", 0) != 0 || colon == std::string::npos) return "";
  return expected.substr(colon + 1, expected.find(',') - colon - 1);
}

}  // namespace

FaultsByCause faults_by_cause(const Timeline& timeline) {
  FaultsByCause out;
  for (const auto& span : timeline.faults) {
    if (!span.cause.empty()) out[span.cause].insert(span.fault);
  }
  return out;
}

std::vector<CauseFinding> causes_to_ask(const TrialResult& trial, const FaultsByCause& causes,
                                        const std::vector<FaultSpec>& planned, bool expected_ones) {
  std::vector<CauseFinding> out;
  for (const auto& property : trial.verdict.properties) {
    if (property.judgement != Judgement::violated) continue;
    const bool surprising = unexpected(trial, property.property);
    if (!surprising && !expected_ones) continue;
    for (const auto& [kind, count] : property.kinds) {
      CauseFinding asked = question(property.property, kind, causes, planned);
      if (surprising || asked.of_fault) out.push_back(std::move(asked));
    }
  }
  return out;
}

bool take(CauseFinding& cause, const TrialVerdict& control, bool renews_unseen) {
  const PropertyVerdict* property = control.find(cause.property);
  if (property == nullptr || !tells(cause, *property)) return false;
  const bool shown = std::any_of(property->kinds.begin(), property->kinds.end(),
                                 [&cause](const auto& kind) { return same_story(cause, kind.first); });
  if (!shown && cause.of_fault && renews_unseen && shows_lapse(*property)) return false;
  ++cause.judged;
  if (!shown) ++cause.held;
  return true;
}

bool is_open(const CauseFinding& cause) {
  return !cause.faults.empty() && cause.held == cause.judged && cause.judged < kCauseControls;
}

void settle(CauseFinding& cause, const std::string& why_no_more) {
  cause.note.clear();
  if (cause.faults.empty()) {
    cause.state = CauseState::unconfirmed;
    cause.note = "the plan has no faults";
    return;
  }
  const bool refuted = cause.held < cause.judged;
  cause.state = refuted ? CauseState::unconfirmed : CauseState::open;
  if (!refuted && cause.judged >= kCauseControls) cause.state = CauseState::confirmed;
  if (cause.judged < kCauseControls) {
    cause.note = refuted ? "stopped early because the controls could no longer all hold" : why_no_more;
  }
}

void compare_causes(const std::map<std::string, std::string>& expected, TrialResult& trial) {
  std::map<std::string, std::vector<const CauseFinding*>> claimed;
  for (const auto& cause : trial.causes) {
    const auto stated = expected.find(cause.property);
    const bool wanted = stated != expected.end() && claimed_kind(stated->second) == cause.kind;
    if (cause.of_fault && wanted) claimed[cause.kind].push_back(&cause);
  }
  for (const auto& [kind, causes] : claimed) {
    const auto any = [&all = causes](CauseState state) {
      return std::any_of(all.begin(), all.end(), [state](const auto* cause) { return cause->state == state; });
    };
    const bool refuted = any(CauseState::unconfirmed);
    if (!refuted && any(CauseState::confirmed)) continue;
    trial.outcome = worse(trial.outcome, refuted ? Outcome::unexpected : Outcome::undecided);
    for (const auto* cause : causes) {
      if (cause->state == CauseState::confirmed) continue;
      trial.mismatches.push_back(
          {cause->property, expected.at(cause->property), "violated, " + kind + " " + confirmation_text(*cause)});
    }
  }
}

}  // namespace holdfast
