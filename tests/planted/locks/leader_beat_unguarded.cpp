// Bug: the leader's beat prolongs the row of the key, whoever leads. A leader that slept through its lease prolongs its
// successor's and goes on as the leader. Story: A leads, its lease ends, B takes over, A beats: both lead. Seen by
// explore (foreign_renew, two_holders) and, with a leader stopped before it beats, by the generated suite
// (ownership:foreign_renew).
#include "tests/planted/leader_row.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_leader_beat_unguarded;
const LockType lock_leader_beat_unguarded{
    .server = "mysql", .renews = true, .releases = false, .make = planted::make<planted::LeaderRow>};

}  // namespace holdfast
