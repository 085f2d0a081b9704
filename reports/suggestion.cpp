#include "reports/suggestion.hpp"

#include <fmt/format.h>

#include "artifact/property_words.hpp"
#include "reports/cause_words.hpp"

namespace holdfast {
namespace {

// The advice of a kind, or of a property.
template <typename Words>
std::string advice_of(const Words& words, bool fenced) {
  return fenced && *words.advice_fenced != '\0' ? words.advice_fenced : words.advice;
}

std::string of_property(const Suspicion& about) {
  const PropertyWords* property = find_entry(property_words(), about.property);
  if (property != nullptr && *property->advice != '\0') return advice_of(*property, about.fenced);
  if (about.kind.empty()) return "";
  return fmt::format("\"{}\" acted between the earlier grant and the violation; look at what the lock trusts there.",
                     about.kind);
}

std::string counts(const CauseFinding& cause) {
  return fmt::format("{} of {}", cause.held, cause.judged);
}

// A fault's cause: what is known of it comes first, since the advice is of use only where it is the cause.
std::string weighed(const Suspicion& about, const std::string& text) {
  if (about.cause == nullptr) {
    return fmt::format("{} is suspected, unconfirmed: no controls without it were run. If it is the cause: {}",
                       about.kind, text);
  }
  const std::string without = removed_text(*about.cause);
  switch (about.cause->state) {
    case CauseState::confirmed:
      return fmt::format("{}: {} controls without {} held. So {}", about.kind, counts(*about.cause), without, text);
    case CauseState::unconfirmed:
      return fmt::format(
          "not {}: only {} controls without {} held, the same came without it. Look at the lock's own "
          "statements first.",
          about.kind, counts(*about.cause), without);
    case CauseState::open:
      break;
  }
  return fmt::format(
      "{} is suspected, unconfirmed: {} controls without {} held, {} are wanted ({}). If it is the "
      "cause: {}",
      about.kind, counts(*about.cause), without, kCauseControls, about.cause->note, text);
}

// Of a kind that no fault gives: whether it needs the faults that were there.
std::string need(const CauseFinding& cause) {
  if (cause.faults.empty() || cause.state == CauseState::open) return "";
  if (cause.state == CauseState::confirmed) {
    return fmt::format(" It needs the faults: {} controls without any held.", counts(cause));
  }
  return fmt::format(" It comes without any fault, too: only {} controls without one held.", counts(cause));
}

}  // namespace

std::string suggested_cause(const Suspicion& about) {
  const bool of_fault = find_cause(about.kind) != nullptr;
  const KindWords* kind = find_kind(about.kind);
  const bool known = kind != nullptr && *kind->advice != '\0';
  const std::string text = known ? advice_of(*kind, about.fenced) : of_property(about);
  if (about.cause != nullptr ? about.cause->of_fault : of_fault) return weighed(about, text);
  return about.cause == nullptr ? text : text + need(*about.cause);
}

std::string suggestion_label(const Suspicion& about) {
  const bool confirmed = about.cause != nullptr && about.cause->of_fault && about.cause->state == CauseState::confirmed;
  return confirmed ? "Cause, confirmed" : "Suggested cause";
}

std::string remedy_of_control() {
  return "the control must come to the same moment and hold there: a longer duration, more clients, or a control that "
         "has nothing but the flaw removed.";
}

std::string remedy_of_search() {
  return "a larger --budget, or smaller bounds: --faults 0, --time-jumps 1, --preemptions 1.";
}

std::string remedy_of(Outcome outcome, Judgement judgement) {
  if (outcome == Outcome::missed) {
    return "--repeat 10 tells how often it comes; where it never does, the scenario's fault or what it expects is "
           "wrong.";
  }
  if (outcome != Outcome::undecided && outcome != Outcome::nothing_judged) return "";
  if (judgement == Judgement::not_exercised) {
    return "the moment that tells did not come: other seeds (--seeds 1..5), a longer duration, or more clients.";
  }
  return "other seeds (--seeds 1..5); where the machine stood still, fewer trials side by side (--jobs 2).";
}

}  // namespace holdfast
