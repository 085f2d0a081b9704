// Bug: who has read that the leader's time is over makes itself the leader, without asking that the row is still as it
// was read. Of two that read it the second throws out the first, who was told that it leads. Story: C's row has
// expired; A and B read it; A takes over; B takes over: both lead. No fault. Seen by explore (two_holders;
// lost_inside_lease, where one's own take-over arrives late) and by the generated suite (a pause after the read:
// lease_exclusion).
#include "tests/planted/leader_row.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_leader_takeover_unguarded;
const LockType lock_leader_takeover_unguarded{
    .server = "mysql", .renews = true, .releases = false, .make = planted::make<planted::LeaderRow>};

}  // namespace holdfast
