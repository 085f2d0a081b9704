// Document 002: a row with a unique order number is the lock; SELECT ... FOR UPDATE, then an insert; the release
// deletes by id. No expiry, as the document says of it: what a dead holder leaves stays. Each statement commits by
// itself, so the row lock of the locking read is gone when it returns.
#include "lock/unique_row.hpp"

namespace holdfast {

extern const LockType lock_unique_row;
const LockType lock_unique_row{
    .about = "a unique row without expiry: SELECT ... FOR UPDATE, then an insert, under autocommit",
    .document = "002",
    .server = "mysql",
    .lease = false,
    .texts =
        {.does = "A row with a unique order number is the lock. SELECT ... FOR UPDATE asks whether it is "
                 "there; if not, it is inserted. The release deletes it by its id. There is no expiry. "
                 "Each statement commits by itself, so the locking read locks nothing for longer than "
                 "itself; the unique index is what excludes.",
         .rules = "002:112|the read locks: it is a current read\n"
                  "002:106-108|every exception of the insert is answered by \"not locked\"\n"
                  "002:113|the id of the row is returned\n"
                  "ours|the id is made of the grant's UUID: the table gives none\n"
                  "ours|the unlock deletes by that id, and nothing sends it again: the document prints no "
                  "unlock\n"
                  "ours|each statement commits by itself: the document names no transaction",
         .flaws =
             "What a dead holder leaves stays for ever; so does a row whose reply, or whose release, "
             "was lost.\n"
             "Every error of the insert is answered by \"not locked\", one whose insert took effect "
             "too.\n"
             "The release, which is ours, locks the row by its id first, the locking read by its number first: under "
             "load they deadlock, and when the release is the victim, the row stays for ever.\n"
             "The order number may be NULL, and a unique index lets in any number of NULLs.",
         .when = "The holder dies.",
         .worst = "reads: no row; inserts it: granted|\n"
                  "|reads A's row: refused\n"
                  "is killed|\n"
                  "|reads A's row: refused, and so is everybody, until a person deletes it",
         .instead = "A lease: `insert_lease`, or `fenced_lease`, with a resource that checks the token. "
                    "Where a lock may end with its holder's connection, `get_lock`."},
    .make = [] { return std::unique_ptr<Lock>(new UniqueRow); },
};

}  // namespace holdfast
