// Document 000, the table that it began with: no index on lock_key. Nothing makes a key unique, so no insert is ever
// refused, and everybody is let in. The document tells of inserts that timed out, not of that.
#include "lock/expiring_row.hpp"

namespace holdfast {

extern const LockType lock_insert_lease_no_index;
const LockType lock_insert_lease_no_index{
    .about = "insert_lease on the document's first table, which has no index on the key",
    .document = "000, its first table",
    .server = "mysql",
    .isolation = "read_committed",
    .texts = {.does = "`insert_lease` on a table without any index, as the document says it began. An attempt deletes "
                      "what has expired, then inserts its row beside those that are there.",
              .rules = "000:10|at first there was no index on lock_key\n"
                       "000:10|the primary key was the mend\n"
                       "ours|the statements and their transaction are those of the mended form: only the index is "
                       "taken away",
              .flaws = "No key is unique, so no insert is refused: whoever asks is let in.\n"
                       "Each deletion reads the whole table and waits for every row that somebody is just "
                       "inserting, of other keys too.\n"
                       "All that `insert_lease` suffers from.",
              .when = "No fault.",
              .worst = "deletes nothing, inserts (key, a, 12:00:02): granted|\n"
                       "|deletes nothing, inserts (key, b, 12:00:02) beside it: granted\n"
                       "works, as the holder|works, as the holder",
              .instead = "`insert_lease`, whose primary key is the exclusion; or `fenced_lease`, with a resource that "
                         "checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new ExpiringRow); },
};

}  // namespace holdfast
