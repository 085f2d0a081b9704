// Document 001 with its most visible flaw mended: the owner is unique to the grant instead of the host's address.
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
    .about = "leader election as leader_version_cas, with an owner that is unique to the grant",
    .document = "001, mended",
    .server = "mysql",
    .statements = "leader_version_cas",
    .renews = true,
    .releases = false,
    .whole_seconds = true,
    .tick_ms = 1000,
    .texts =
        {.does = "`leader_version_cas` with an owner that is unique to the grant, so that two processes "
                 "of one host are two.",
         .rules =
             "001:54-69|every process inserts a row of its own when it starts\n"
             "001:74|a tick every second, counted from the end of the one before\n"
             "001:82|what a tick throws is swallowed\n"
             "001:77|3 s is the age at which a row is free\n"
             "ours|the owner is unique to the grant; the document has the host's address; after a promotion without an "
             "answer the process has another, which its own row refuses\n"
             "001:90-99|a row that is free or too old is taken (PROMOTED), one's own is kept alive (STAY, or LEAVE "
             "when no row was changed), all else is UNKNOWN\n"
             "001:117-119|a row is too old when its age in whole seconds is greater than 3\n"
             "ours|the first tick comes within a second of the start, not after 5 s\n"
             "001:78-80|the work is done in the tick, after it; what it is the document leaves out\n"
             "ours|a leader works in the ticks that say PROMOTED or STAY alone\n"
             "ours|a keep-alive or a take-over succeeded when it changed a row: the document prints neither method\n"
             "001:62|what the start throws is swallowed; here such a trial is an error of the harness\n"

             "ours|LEAVE and UNKNOWN end the leadership; the document leaves out what they do\n"
             "ours|a tick without an answer ends nothing, and no work is done in it\n"
             "ours|both modes of a driver are run: the document's Java driver counts matched rows "
             "(`+found_rows`) unless it is told otherwise\n"
             "ours|a lease that a scenario gives in place of the 3 s; the statement `keep_alive` keeps its 3 s",
         .flaws = "A leader whose work takes longer than its lease is overtaken before its next tick.\n"
                  "A tick without an answer ends nothing: the leader stays one in its own eyes.\n"
                  "A process that starts during the first election inserts version 1 anew: two are PROMOTED.\n"
                  "DATETIME has no time zone, and the age goes by the server's wall clock.\n"
                  "The resource sees no version, so a late write of an old leader is accepted.",
         .when = "The leader is stopped for longer than its lease of 3 s.",
         .worst = "promotes itself: version 1 becomes 2|\n"
                  "is stopped in the middle of its work|\n"
                  "|after 4 s reads an age over 3 s; takes the row where version = 2: PROMOTED, version 3\n"
                  "wakes and writes, as the leader: accepted|writes, as the leader\n"
                  "its next tick says UNKNOWN: only now it hears of it|",
         .instead = "Step down on everything but STAY, count the term from before the tick was sent, and let "
                    "the resource refuse a version smaller than it has seen: that is what `fenced_lease` "
                    "does."},
    .make = [] { return std::unique_ptr<Lock>(new LeaderVersionCasUniqueOwner); },
};

}  // namespace holdfast
