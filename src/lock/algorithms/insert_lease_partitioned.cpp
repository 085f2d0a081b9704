// Document 000, "tricks for performance": insert_lease on a table of eight partitions, for three times the throughput.
// The document partitions BY HASH(lock_key), which MySQL and MariaDB refuse for a text (error 1659); BY KEY does it.
//
// To the lock it is the same: one key lies in one partition, and what two clients of one key wait for is the same row.
#include "lock/expiring_row.hpp"

namespace holdfast {

extern const LockType lock_insert_lease_partitioned;
const LockType lock_insert_lease_partitioned{
    .server = "mysql",
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new ExpiringRow); },
};

}  // namespace holdfast
