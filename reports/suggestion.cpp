#include "reports/suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/cause_words.hpp"

namespace holdfast {
namespace {

// What may be behind a kind of violation. `fenced`, where it differs for a lock that has tokens already.
struct Advice {
  const char* kind;
  const char* text;
  const char* fenced = "";
};

constexpr std::array<Advice, 7> kAdvice{{
    {"algorithm",
     "no fault that stood between the two grants explains it, so look at the lock's own statements: a "
     "check and a change that are not one atomic step, a release or a renewal that does not test whose "
     "lock it is, or one whose answer never came and that took effect late."},
    {"overrun",
     "the earlier holder went on after its lease had run out, and nothing stopped it. No lease alone can. "
     "Let the client look at its deadline before it acts, and let the resource refuse older fencing "
     "tokens (compare fenced_lease).",
     "the earlier holder went on after its lease had run out, as no lease alone prevents. The lock has "
     "fencing tokens: what counts is that every resource refuses the older ones."},
    {"late_grant",
     "the grant's answer came after the lease it promised had run out. Count the lease from when the "
     "request was sent, and treat a grant that comes too late as none."},
    {"late_write",
     "the lock was right throughout: the write was on its way when its holder let go. Only a resource "
     "that refuses older fencing tokens can tell such a write (compare fenced_lease).",
     "the lock was right throughout: the write was on its way when its holder let go. The lock has "
     "fencing tokens; look at how the resource compares them, and whether it hears of a new one before "
     "the first write with it."},
    {"foreign_release",
     "a release freed what another held: let it name the key and an owner that is unique to the grant, in "
     "the same statement."},
    {"foreign_renew",
     "a renewal took what another held: let it name the key and an owner that is unique to the grant, in "
     "the same statement."},
    {"lost_lock",
     "a holder inside its lease was told that the lock is not its own. Either somebody had taken it from "
     "it, or the lock takes something else for a loss, such as an update that changed no row because it "
     "changed nothing."},
}};

// Of kinds that are a fault's cause: suspected, until controls have confirmed it.
constexpr std::array<Advice, 9> kAdviceOfFaults{{
    {"client_skew",
     "the lock decides expiry by a client's clock. Let the server's clock decide, in the statement that "
     "also changes the row."},
    {"clock_drift",
     "the lock, or its caller, counts the lease by a client's clock that runs at another speed than the "
     "server's. Let the server's clock decide, and leave a margin."},
    {"server_clock",
     "the lease is stored as a wall-clock time, and the server's clock moved. Only a fencing token that "
     "the resource checks survives this.",
     "the lease is stored as a wall-clock time, and the server's clock moved. The lock's fencing tokens "
     "are what protects the data then."},
    {"server_lost_state",
     "the server forgot an acknowledged grant: a restart without durable logs, or a promoted replica that "
     "never had it."},
    {"session_lost",
     "the lock lived in a session that the server ended, and the holder was not told. Let the holder "
     "prove that its session still lives before it acts."},
    {"reply_lost",
     "a statement took effect though its answer was lost. Look at how the lock goes on after an uncertain "
     "answer."},
    {"partition",
     "a client was cut off: what it had sent took effect late, or it was not told that it had lost the "
     "lock."},
    {"server_partition",
     "a server was cut off from its equals: look at what it still grants, and at what it takes back "
     "later."},
    {"address_reuse",
     "the lock takes an address for an identity, and the address was given to another. Let the owner be "
     "unique to the process and the grant."},
}};

template <typename All>
const Advice* find_advice(const All& all, const std::string& kind) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&kind](const Advice& advice) { return kind == advice.kind; });
  return found == all.end() ? nullptr : &*found;
}

std::string of_property(const Suspicion& about) {
  if (about.property == "resource" && about.fenced)
    return "the resource does not compare a write's token with the newest it has seen.";
  if (about.property == "resource")
    return "a write carried no token, or the resource does not compare it with the newest it has seen.";
  if (about.property == "fencing") return "the token is not taken from one counter that outlives release and restart.";
  if (about.property == "ownership") return "look at what the lock takes for the owner when it answers.";
  if (about.property == "progress" && about.kind == "refused_free")
    return "what is another key's, or nobody's any more, is taken for this key's: look at how keys are compared (case, "
           "blanks, length, a hash), at the time zone of what is stored, and at what the lock reads back.";
  if (about.property == "progress")
    return "nobody frees the lock of a holder that is gone, or whose release failed; look at expiry, at sessions that "
           "linger, and at what the last release was answered.";
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
  const Advice* of_fault = find_advice(kAdviceOfFaults, about.kind);
  const Advice* advice = of_fault != nullptr ? of_fault : find_advice(kAdvice, about.kind);
  std::string text = advice == nullptr ? of_property(about) : advice->text;
  if (advice != nullptr && about.fenced && *advice->fenced != '\0') text = advice->fenced;
  if (about.cause != nullptr ? about.cause->of_fault : of_fault != nullptr) return weighed(about, text);
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
