#include "reports/suggestion.hpp"

#include <map>

namespace holdfast {
namespace {

const std::map<std::string, std::string>& by_kind() {
  static const std::map<std::string, std::string> kCauses{
      {"algorithm",
       "no fault that stood between the two grants explains it, so look at the lock's own statements: a check and a "
       "change that are not one atomic step, a release or a renewal that does not test whose lock it is, or one whose "
       "answer never came and that took effect late."},
      {"overrun",
       "the earlier holder went on after its lease had run out, and nothing stopped it. No lease alone can. Let the "
       "client "
       "look at its deadline before it acts, and let the resource refuse older fencing tokens (compare fenced_lease)."},
      {"late_grant",
       "the grant's answer came after the lease it promised had run out. Count the lease from when the request was "
       "sent, "
       "and treat a grant that comes too late as none."},
      {"late_write",
       "the lock was right throughout: the write was on its way when its holder let go. Only a resource that refuses "
       "older fencing tokens can tell such a write (compare fenced_lease)."},
      {"client_skew",
       "the lock decides expiry by a client's clock. Let the server's clock decide, in the statement that also changes "
       "the row."},
      {"server_clock",
       "the lease is stored as a wall-clock time, and the server's clock moved. Only a fencing token that the resource "
       "checks survives this."},
      {"server_lost_state",
       "the server forgot an acknowledged grant: a restart without durable logs, or a promoted replica that never had "
       "it."},
      {"session_lost",
       "the lock lived in a session that the server ended, and the holder was not told. Let the holder prove that its "
       "session still lives before it acts."},
      {"reply_lost",
       "a statement took effect though its answer was lost. Look at how the lock goes on after an uncertain answer."},
      {"foreign_release", "release names the key only; let it name the owner too, in the same statement."},
      {"foreign_renew", "renewal names the key only; let it name the owner too, in the same statement."},
      {"lost_lock",
       "a holder inside its lease was told that the lock is not its own. Either somebody had taken it from it, or the "
       "lock takes something else for a loss, such as an update that changed no row because it changed nothing."},
  };
  return kCauses;
}

}  // namespace

std::string suggested_cause(const std::string& property, const std::string& kind) {
  if (const auto known = by_kind().find(kind); known != by_kind().end()) return known->second;
  if (property == "resource")
    return "a write carried no token, or the resource does not compare it with the newest it has seen.";
  if (property == "fencing") return "the token is not taken from one counter that outlives release and restart.";
  if (property == "ownership") return "look at what the lock takes for the owner when it answers.";
  if (property == "progress")
    return "nobody frees the lock of a holder that is gone, or whose release failed; look at expiry, at sessions that "
           "linger, and at what the last release was answered.";
  return kind.empty() ? ""
                      : "\"" + kind +
                            "\" acted between the earlier grant and the violation; look at what the lock trusts there.";
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
  if (outcome != Outcome::undecided) return "";
  if (judgement == Judgement::not_exercised) {
    return "the moment that tells did not come: other seeds (--seeds 1..5), a longer duration, or more clients.";
  }
  return "other seeds (--seeds 1..5); where the machine stood still, fewer trials side by side (--jobs 2).";
}

}  // namespace holdfast
