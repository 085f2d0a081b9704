// Bug: the time of the beat is kept in whole seconds, and no changed row means "you lead no more". A second beat within
// one second changes nothing, so a leader resigns that leads; its row stays, and keeps everybody out. (That the column
// cuts off the fraction does no harm here: a leader is over only a second after its lease.) Story: A takes over and
// beats within the same second: "not the leader". No fault. Seen by explore (lost_inside_lease) and by the generated
// suite, with leases shorter than three seconds (ownership).
#include "tests/planted/leader_row.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_leader_same_second;
const LockType lock_leader_same_second{
    .server = "mysql", .renews = true, .releases = false, .guard_ms = 2000, .make = planted::make<planted::LeaderRow>};

}  // namespace holdfast
