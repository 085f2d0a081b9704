// Bug: in one transaction the row is read and then written, but the read takes no lock: under REPEATABLE READ it is a
// snapshot, under READ COMMITTED it is old as soon as it is there. Two transactions read the same expired row and both
// take it over. Story: C's row has expired; A and B begin and read it; A takes it over and commits; B takes it over and
// commits: both hold. No fault. Seen by explore (two_holders, or lost_inside_lease by the one whose row it was) and by
// the generated suite (a pause after the read: lease_exclusion).
#include "tests/planted/read_then_write.hpp"

namespace holdfast {
extern const LockType lock_snapshot_read;
const LockType lock_snapshot_read{.server = "mysql", .renews = true, .make = planted::make<planted::ReadThenWrite>};

}  // namespace holdfast
