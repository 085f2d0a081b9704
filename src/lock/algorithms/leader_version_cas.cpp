// Document 001: leader election. Each tick reads the row with its age by the server's clock; a free or expired row is
// taken by a compare-and-set on its version (PROMOTED), one's own is kept alive (STAY; LEAVE when the row is too old),
// and everything else is UNKNOWN. The owner is the host's IP address.
//
// A tick while not leading is our acquire, a tick while leading our renew. The document demotes on LEAVE only: UNKNOWN,
// which is what an overtaken leader hears, changes nothing for it (`step_down: on_leave`). The starter inserts its own
// row; nothing keeps several starters from inserting several.
#include "lock/leader_tick.hpp"

namespace holdfast {
namespace {

class LeaderVersionCas : public LeaderLock {
 protected:
  std::string owner(Session& session, const Claim&) const override { return session.address(); }
};

}  // namespace

extern const LockType lock_leader_version_cas;
const LockType lock_leader_version_cas{
    .about = "leader election: compare-and-set on a version, the owner is the host's IP address",
    .document = "001",
    .renews = true,
    .releases = false,
    .whole_seconds = true,
    .texts = {.does = "Leader election. Each tick reads the row with its version and its age by the server's "
                      "clock. A free row, or one older than the lease, is taken by a compare-and-set on the "
                      "version (PROMOTED); a row of one's own is kept alive (STAY, or LEAVE when it is older "
                      "than 3 s); all else is UNKNOWN. The owner is the host's IP address. There is no release.",
              .flaws =
                  "Two processes of one host are one owner: both hear STAY.\n"
                  "A leader that was overtaken hears UNKNOWN, and the document demotes on LEAVE only.\n"
                  "A tick without an answer ends nothing: the leader stays one in its own eyes.\n"
                  "Every starter inserts a row of its own, and no unique key keeps them to one: a process that starts "
                  "during an election inserts version 1 anew, which the slower candidate's compare-and-set "
                  "finds, and both are PROMOTED.\n"
                  "A second tick within the second changes nothing, which is read as LEAVE, while the row "
                  "keeps everybody else out.\n"
                  "DATETIME has no time zone, and the age goes by the server's wall clock.\n"
                  "The keep-alive's bound is 3 s, whatever the lease is.",
              .when = "No fault: two processes run on one host.",
              .worst = "reads the row: no owner; sets owner = 10.0.0.1 where version = 1: PROMOTED|\n"
                       "|reads the row: the owner is 10.0.0.1, which is its own address; keeps it alive: STAY\n"
                       "leads|leads",
              .instead = "`leader_version_cas_unique_owner`, with a leader that steps down on everything but "
                         "STAY, counts its term from before the tick was sent, and shows the row's version to the "
                         "resource as a token; or `fenced_lease`, with a resource that checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new LeaderVersionCas); },
};

}  // namespace holdfast
