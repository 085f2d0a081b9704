// Document 001 with its most visible flaw mended: the owner is unique to the process instead of the host's address.
#include "lock/leader_tick.hpp"

namespace holdfast {
namespace {

class LeaderVersionCasUniqueOwner : public LeaderLock {
 protected:
  std::string owner(Session&, const Claim& claim) const override { return claim.owner; }
};

}  // namespace

extern const LockType lock_leader_version_cas_unique_owner;
const LockType lock_leader_version_cas_unique_owner{
    .about = "leader election as leader_version_cas, with an owner that is unique to the process",
    .document = "001, mended",
    .statements = "leader_version_cas",
    .renews = true,
    .releases = false,
    .whole_seconds = true,
    .texts = {.does = "`leader_version_cas` with an owner that is unique to the process, so that two processes "
                      "of one host are two.",
              .flaws = "A leader that was overtaken hears UNKNOWN, and the document demotes on LEAVE only.\n"
                       "A tick without an answer ends nothing: the leader stays one in its own eyes.\n"
                       "A process that starts during an election inserts version 1 anew: two are PROMOTED.\n"
                       "A second tick within the second changes nothing, which is read as LEAVE, while the row "
                       "keeps everybody else out.\n"
                       "DATETIME has no time zone, and the age goes by the server's wall clock.\n"
                       "The resource sees no version, so a late write of an old leader is accepted.",
              .when = "The leader is stopped for longer than its lease of 3 s.",
              .worst = "promotes itself: version 1 becomes 2|\n"
                       "is stopped in the middle of its work|\n"
                       "|after 4 s reads an age over 3 s; takes the row where version = 2: PROMOTED, version 3\n"
                       "wakes and writes, as the leader: accepted|writes, as the leader\n"
                       "its next tick says UNKNOWN, which the document does not act on|",
              .instead = "Step down on everything but STAY, count the term from before the tick was sent, and let "
                         "the resource refuse a version smaller than it has seen: that is what `fenced_lease` "
                         "does."},
    .make = [] { return std::unique_ptr<Lock>(new LeaderVersionCasUniqueOwner); },
};

}  // namespace holdfast
