// Document 000, "tricks for performance": insert_lease on a table of eight partitions, for three times the throughput.
// The document partitions BY HASH(lock_key), which MySQL and MariaDB refuse for a text (error 1659); BY KEY does it.
//
// To the lock it is the same: one key lies in one partition, and what two clients of one key wait for is the same row.
#include "lock/expiring_row.hpp"

namespace holdfast {

extern const LockType lock_insert_lease_partitioned;
const LockType lock_insert_lease_partitioned{
    .about = "insert_lease on a table of eight partitions",
    .document = "000",
    .server = "mysql",
    .isolation = "read_committed",
    .texts = {.does = "`insert_lease` on a table of eight partitions by the key, for throughput. The "
                      "document's PARTITION BY HASH of a text is refused by the server (error 1659); BY KEY "
                      "does it. One key lies in one partition, so for the lock nothing changes.",
              .rules = "000:44-50|the table has eight partitions by the key\n"
                       "ours|all else is as in `insert_lease`, so that the partitions are all that differs",
              .flaws = "All that `insert_lease` suffers from: partitions change where rows lie, not what they "
                       "promise.",
              .when = "A is stopped (a long collection of garbage, a suspended machine) for longer than its "
                      "lease of 2 s.",
              .worst = "deletes nothing, inserts its row in the key's partition: granted|\n"
                       "reads the value 7 from the resource|\n"
                       "is stopped|\n"
                       "|after 3 s deletes A's expired row in the same partition, inserts its own: granted\n"
                       "|reads 7, writes 8\n"
                       "wakes and writes 8: accepted, so B's write is lost|",
              .instead = "`fenced_lease`, with a resource that checks the token. Partition it too, if a "
                         "measurement on your own server shows a gain."},
    .make = [] { return std::unique_ptr<Lock>(new ExpiringRow); },
};

}  // namespace holdfast
