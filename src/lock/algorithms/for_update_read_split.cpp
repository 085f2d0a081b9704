// Document 000, the lock it began with: SELECT ... FOR UPDATE on a row of the key, in a transaction that stays open
// through the critical section; the commit is the release. The document gave it up because behind a read/write splitter
// it "now and then did not lock".
//
// Why: the splitter takes the SELECT for a read and sends it to a replica. A row lock is of one server and is not
// replicated, so two clients whose reads go to different servers both get it, at once, without any fault. On one
// server, primary or replica, it is right. Which server a connection reads from is the scenario's setting `reads`.
//
// The row is there before the load, made by the application's start: a missing row has nothing to lock but its gap, and
// gap locks exclude nobody. An attempt that finds no row fails.
#include "lock/lock.hpp"
#include "lock/transaction.hpp"

namespace holdfast {
namespace {

class ForUpdateReadSplit : public Lock {
 public:
  void start(Session& session, const std::string& key) override { session.execute("start", {{"key", key}}); }

  Answer acquire(Session& session, Claim& claim) override {
    return begin_transaction(session, [&] {
      const Reply row = session.attempt("select", {{"key", claim.key}});
      if (row.conflict()) return Answer::conflict();
      if (!row.ok()) throw StatementFailed(true, Reason::other, row.error, row.message);
      if (row.rows.empty()) throw StatementFailed(true, Reason::other, 0, "no row to lock");
      return Answer::granted();
    });
  }

  Answer release(Session& session, Claim&) override {
    session.execute("commit", {});
    return Answer::done();
  }
};

}  // namespace

extern const LockType lock_for_update_read_split;
const LockType lock_for_update_read_split{
    .about = "SELECT ... FOR UPDATE, the transaction open through the work; broken behind a read/write splitter",
    .document = "000",
    .server = "mysql",
    .lease = false,
    .isolation = "read_committed",
    .texts = {.does = "The pessimistic lock that the document began with: `SELECT ... FOR UPDATE` on the key's "
                      "row, in a transaction that stays open through the work; the commit releases. There is "
                      "no lease: the lock lives as long as the transaction's session.",
              .rules = "000:35|the lock was SELECT FOR UPDATE; behind a read/write splitter it now and then did "
                       "not lock\n"
                       "ours|the transaction stays open through the work, and its commit is the release\n"
                       "ours|the row is made when the application starts\n"
                       "000:37|the isolation level is READ COMMITTED, the default of the document's server\n"
                       "ours|which server a connection reads from is the scenario's setting `reads`",
              .flaws = "Behind a splitter that sends each SELECT to a replica it excludes only those whose "
                       "reads go to the same server: a row lock is not replicated.\n"
                       "Others are not refused but wait, until their lock wait times out (50 s by default).\n"
                       "The lock is gone, unheard, as soon as the session ends.\n"
                       "A holder that hangs, or is cut off, keeps everybody out until the server notices.",
              .when = "A's connection reads from the primary and B's from the replica; no fault is needed.",
              .worst = "begins, locks the row: the splitter sends its SELECT to the primary|\n"
                       "granted|begins, locks the row: the splitter sends its SELECT to the replica, where "
                       "nobody has locked it\n"
                       "works|granted; works\n"
                       "commits|commits",
              .instead = "A lock that is won by a write, which no splitter sends to a replica: `insert_lease`, or "
                         "`fenced_lease`, all of it on connections that read from the primary."},
    .make = [] { return std::unique_ptr<Lock>(new ForUpdateReadSplit); },
};

}  // namespace holdfast
