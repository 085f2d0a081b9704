// Document 000, "tricks for performance": insert_lease on a table with eight partitions, for three times the
// throughput. The document partitions BY HASH(lock_key), which MySQL and MariaDB refuse for a text (error 1659); BY KEY
// works.
//
// For the lock it makes no difference: a key is in one partition, and two clients of one key wait for the same row.
#include "lock/expiring_row.hpp"

namespace holdfast {

extern const LockType lock_insert_lease_partitioned;
const LockType lock_insert_lease_partitioned{
    .server = "mysql",
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new ExpiringRow); },
};

}  // namespace holdfast
