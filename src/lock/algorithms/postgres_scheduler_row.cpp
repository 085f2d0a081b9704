// A row per job, as in cluster schedulers: until when it is locked, since when, and by whom. An attempt inserts the
// row, or if it exists updates it if its time is over. Times are the server's.
#include "lock/scheduler_row.hpp"

namespace holdfast {

extern const LockType lock_postgres_scheduler_row;
const LockType lock_postgres_scheduler_row{
    .server = "postgres",
    .renews = true,
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new SchedulerRow); },
};

}  // namespace holdfast
