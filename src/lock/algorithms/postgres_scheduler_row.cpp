// A row a job, as schedulers of clusters have it: until when it is locked, since when, by whom. An attempt inserts the
// row, and where it is there already updates it if its time is over. The times are the server's.
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
