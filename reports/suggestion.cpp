#include "reports/suggestion.hpp"

#include <fmt/format.h>

#include <utility>

#include "artifact/property_words.hpp"

namespace holdfast {
namespace {

// "client_skew and pause": the faults that the controls were without.
std::string removed_text(const CauseFinding& cause) {
  std::string out;
  for (const auto& fault : cause.faults) out += (out.empty() ? "" : " and ") + fault;
  return out;
}

std::string need_text(const CauseFinding& cause) {
  if (cause.faults.empty()) return "none needed, because the plan has no fault";
  const std::string counts = fmt::format("{} of {} held without any fault", cause.held, cause.judged);
  switch (cause.state) {
    case CauseState::confirmed:
      return "only with the faults, " + counts;
    case CauseState::unconfirmed:
      return "also without any fault: " + counts;
    case CauseState::open:
      break;
  }
  return "unknown whether the faults are needed: " + (cause.judged == 0 ? "no control could be judged" : counts);
}

std::string outcome_text(const CauseFinding& cause) {
  if (!cause.of_fault) return need_text(cause);
  if (cause.faults.empty()) return "unconfirmed; no control ran, because the plan has no fault to remove";
  return confirmation_text(cause) + (cause.judged == 0 ? "" : " held without " + removed_text(cause));
}

// The advice of a kind, or of a property.
template <typename Words>
std::string advice_of(const Words& words, bool fenced) {
  return fenced && *words.advice_fenced != '\0' ? words.advice_fenced : words.advice;
}

std::string of_property(const Suspicion& about) {
  const PropertyWords* property = find_entry(property_words(), about.property);
  if (property != nullptr && *property->advice != '\0') return advice_of(*property, about.fenced);
  if (about.kind.empty()) return "";
  return fmt::format(
      "\"{}\" was active between the earlier grant and the violation; check what the lock relies on there.",
      about.kind);
}

std::string counts(const CauseFinding& cause) {
  return fmt::format("{} of {}", cause.held, cause.judged);
}

// Why no control says anything of a suspected fault; empty: one does.
std::string why_no_control(const CauseFinding& cause) {
  if (cause.judged > 0) return "";
  if (cause.faults.empty()) return "no control ran, because the plan of this trial has no fault to remove";
  return fmt::format("no control without {} was {}{}", removed_text(cause), cause.folders.empty() ? "run" : "judged",
                     cause.note.empty() ? "" : " (" + cause.note + ")");
}

std::string unweighed(const Suspicion& about, const std::string& why, const std::string& text) {
  return fmt::format("{} is suspected but not confirmed: {}. If it is the cause: {}", about.kind, why, text);
}

// A fault's cause: what is known of it comes first, since the advice is of use only where it is the cause.
std::string weighed(const Suspicion& about, const std::string& text) {
  if (about.cause == nullptr) return unweighed(about, "no controls without it ran", text);
  if (const std::string why = why_no_control(*about.cause); !why.empty()) return unweighed(about, why, text);
  const std::string without = removed_text(*about.cause);
  switch (about.cause->state) {
    case CauseState::confirmed:
      return fmt::format("{}: {} controls without {} held. So {}", about.kind, counts(*about.cause), without, text);
    case CauseState::unconfirmed:
      return fmt::format(
          "{}: only {} controls without {} held, so the violation also happens without it. Look at the lock's own "
          "statements first.",
          about.kind, counts(*about.cause), without);
    case CauseState::open:
      break;
  }
  return fmt::format(
      "{} is suspected but not confirmed: {} controls without {} held, {} are required ({}). If it is the cause: {}",
      about.kind, counts(*about.cause), without, kCauseControls, about.cause->note, text);
}

// For a kind that no fault gives: true if it needs the faults of the trial.
std::string need(const CauseFinding& cause) {
  if (cause.faults.empty() || cause.state == CauseState::open) return "";
  if (cause.state == CauseState::confirmed) {
    return fmt::format(" It needs the faults: all {} controls without a fault held.", cause.judged);
  }
  return fmt::format(" It also happens without any fault: only {} controls without one held.", counts(cause));
}

}  // namespace

bool is_refuted(const CauseFinding& cause) {
  return cause.of_fault && cause.state == CauseState::unconfirmed && cause.judged > 0;
}

const CauseFinding* cause_of(const TrialResult& trial, const std::string& property, const std::string& kind) {
  for (const auto& cause : trial.causes) {
    if (cause.property == property && cause.kind == kind) return &cause;
  }
  return nullptr;
}

std::vector<std::string> cause_lines(const TrialResult& trial) {
  struct Line {
    std::string kind, properties, text;
  };
  std::vector<Line> lines;
  for (const auto& cause : trial.causes) {
    const bool told = cause.faults.empty() || cause.note.empty();
    std::string text = outcome_text(cause) + (told ? "" : "; " + cause.note);
    bool known = false;
    for (auto& line : lines) {
      if (line.kind != cause.kind || line.text != text) continue;
      line.properties += ", " + cause.property;
      known = true;
    }
    if (!known) lines.push_back({cause.kind, cause.property, std::move(text)});
  }
  std::vector<std::string> out;
  out.reserve(lines.size());
  for (const auto& line : lines) out.push_back(fmt::format("{} ({}): {}", line.kind, line.properties, line.text));
  return out;
}

std::string likely_flaw(const Suspicion& about) {
  const KindWords* kind = find_kind(about.kind);
  const bool of_tokens = about.kind == kinds::kAlgorithm.name && concerns(about.property, Concerns::tokens);
  const bool known = kind != nullptr && *kind->advice != '\0' && !of_tokens;
  return known ? advice_of(*kind, about.fenced) : of_property(about);
}

std::string suggested_cause(const Suspicion& about) {
  const bool of_fault = find_cause(about.kind) != nullptr;
  const std::string text = likely_flaw(about);
  if (about.cause != nullptr ? about.cause->of_fault : of_fault) return weighed(about, text);
  return about.cause == nullptr ? text : text + need(*about.cause);
}

std::string suggestion_label(const Suspicion& about) {
  if (about.cause == nullptr || !about.cause->of_fault || about.cause->judged == 0) return kLikelyCause;
  switch (about.cause->state) {
    case CauseState::confirmed:
      return kConfirmedCause;
    case CauseState::unconfirmed:
      return kNotTheCause;
    case CauseState::open:
      break;
  }
  return kLikelyCause;
}

std::string remedy_of_control() {
  return "the control must reach the same moment and hold there: use a longer duration, more clients, or a control "
         "that differs only by the flaw.";
}

std::string remedy_of_search() {
  return "use a larger --budget, or smaller bounds: --faults 0, --time-jumps 1, --preemptions 1.";
}

std::string remedy_of_not_applicable() {
  return "the lock does not promise this property, so no run can show a violation: remove it from what the scenario "
         "expects of this lock.";
}

std::string remedy_of(Outcome outcome, Judgement judgement) {
  if (outcome == Outcome::missed) {
    return "use --repeat 10 to see how often it happens; if it never does, the scenario's fault or its expectation is "
           "wrong.";
  }
  if (outcome != Outcome::undecided && outcome != Outcome::nothing_judged) return "";
  if (judgement == Judgement::not_exercised) {
    return "the dangerous moment never came: try other seeds (--seeds 1..5), a longer duration, or more clients.";
  }
  return "try other seeds (--seeds 1..5); if the machine stalled, run fewer trials in parallel (--jobs 2).";
}

}  // namespace holdfast
