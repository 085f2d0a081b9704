// Document 003 as printed: SELECT ... FOR UPDATE NOWAIT, then insert or take over; expiry by the client's clock. No
// transaction is opened, so each statement commits by itself, and the row lock of the SELECT is gone when it returns.
#include "lock/nowait_row.hpp"

namespace holdfast {

extern const LockType lock_nowait_lease;
const LockType lock_nowait_lease{
    .about = "SELECT ... FOR UPDATE NOWAIT under autocommit, expiry by the client's clock",
    .document = "003",
    .server = "mysql",
    .texts = {.does = "SELECT ... FOR UPDATE NOWAIT, where every error is a refusal; no row: insert; a row "
                      "that has expired by the client's clock: an update guarded by the expiry that was read. "
                      "The owner is a UUID, the release deletes by key and owner. As printed no transaction is "
                      "opened, so the row lock ends with the SELECT; the guard on the expiry is what excludes.",
              .rules = "003:56|the caller gives the expiry as a local time\n"
                       "003:71-74|every error of the read is a refusal\n"
                       "003:87-90|so is every error of the insert\n"
                       "003:95|a row has expired when its time is not after the client's own local time\n"
                       "003:97|one's own row that has not expired is a grant\n"
                       "003:119-124|the owner is a UUID that the thread keeps\n"
                       "003:142-144|after each release, whatever came of it, the thread forgets its owner\n"
                       "ours|each statement commits by itself: the document prints no transaction\n"
                       "ours|a release that deletes no row says not held: the document asks its framework\n"
                       "ours|the table is there; `nowait_lease_creating` makes it as printed",
              .flaws = "The clients' clocks judge: to one that is ahead a lease looks expired while it runs, "
                       "one that is behind writes a lease that is already old.\n"
                       "A client that is ahead and dies leaves a row that keeps the others out for as much "
                       "longer.\n"
                       "The column has whole seconds, so a lease ends up to a second early (on MySQL, which rounds, "
                       "half a second "
                       "early or late).\n"
                       "The expiry is a local time: to a program or a session of another zone it is hours off.\n"
                       "The first of two releases forgets the thread's owner, so the second frees nothing.\n"
                       "A client that stops between its two statements is granted a lease that is over already.\n"
                       "A holder that outlives its lease is not told, and the resource accepts its write.",
              .when = "B's clock is 5 s ahead of A's; nothing else is wrong.",
              .worst = "its clock says 12:00:00; inserts expiry 12:00:02: granted|\n"
                       "|its clock says 12:00:05; reads 12:00:02: expired\n"
                       "|updates the row where the expiry is still 12:00:02: one row, granted\n"
                       "works, with nearly 2 s of its lease to come|works, as the holder",
              .instead = "The server's clock, in the statement itself: `insert_lease`; or `fenced_lease`, with a "
                         "resource that checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new NowaitRow); },
};

}  // namespace holdfast
