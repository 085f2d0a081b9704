// Sound: a leader's row whose version guards every change, see tests/planted/leader_row.hpp.
#include "tests/planted/leader_row.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast {
extern const LockType lock_leader_row;
const LockType lock_leader_row{
    .server = "mysql", .renews = true, .releases = false, .make = planted::make<planted::LeaderRow>};

}  // namespace holdfast
