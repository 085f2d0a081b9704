// Document 001: leader election. Each tick reads the row with its age by the server's clock; a free or expired row is
// taken by a compare-and-set on its version (PROMOTED), one's own is kept alive (STAY; LEAVE when the row is too old),
// and everything else is UNKNOWN. The owner is the host's IP address.
//
// Every process ticks once a second, leading or not, and a leader never leaves. A tick while not leading is our
// acquire, a tick while leading our renew. The document leaves out what a leader does at LEAVE or UNKNOWN; here it
// works in the ticks that say PROMOTED or STAY, and is no leader any more after LEAVE or UNKNOWN. A tick that fails is
// swallowed, as printed: it says nothing. The starter inserts its own row; nothing keeps several starters from
// inserting several.
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
    .server = "mysql",
    .renews = true,
    .releases = false,
    .whole_seconds = true,
    .tick_ms = 1000,
    .texts =
        {.does = "Leader election. Each tick reads the row with its version and its age by the server's "
                 "clock. A free row, or one older than the lease, is taken by a compare-and-set on the "
                 "version (PROMOTED); a row of one's own is kept alive (STAY, or LEAVE when it is older "
                 "than 3 s); all else is UNKNOWN. The owner is the host's IP address. There is no release.",
         .rules =
             "001:54-69|every process inserts a row of its own when it starts\n"
             "001:74|a tick every second, counted from the end of the one before\n"
             "001:82|what a tick throws is swallowed\n"
             "001:77|the owner is the address of the host; 3 s is the age at which a row is free\n"
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
         .flaws =
             "Two processes of one host are one owner: both hear STAY, where the driver counts matched rows; where it "
             "counts changed ones the second tick within a second changes nothing, and hears LEAVE.\n"
             "A leader whose work takes longer than its lease is overtaken before its next tick.\n"
             "A tick without an answer ends nothing: the leader stays one in its own eyes.\n"
             "Every starter inserts a row of its own, and no unique key keeps them to one: a process that starts "
             "during the first election inserts version 1 anew, which the slower candidate's compare-and-set "
             "finds, and both are PROMOTED.\n"
             "DATETIME has no time zone, and the age goes by the server's wall clock.\n"
             "The keep-alive's bound is 3 s, whatever the lease is.",
         .when = "No fault: two processes run on one host.",
         .worst =
             "reads the row: no owner; sets owner = 10.0.0.1 where version = 1: PROMOTED|\n"
             "|in a later second reads the row: the owner is 10.0.0.1, which is its own address; keeps it alive: STAY\n"
             "leads|leads",
         .instead = "`leader_version_cas_unique_owner`, with a leader that steps down on everything but "
                    "STAY, counts its term from before the tick was sent, and shows the row's version to the "
                    "resource as a token; or `fenced_lease`, with a resource that checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new LeaderVersionCas); },
};

}  // namespace holdfast
