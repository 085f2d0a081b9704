// The first lock of document 000: SELECT ... FOR UPDATE on a row of the key, in a transaction that stays open during
// the critical section; the commit is the release. The document abandoned it because behind a read/write splitter it
// "now and then did not lock".
//
// Reason: the splitter treats the SELECT as a read and sends it to a replica. A row lock exists on one server and is
// not replicated, so two clients whose reads go to different servers both get it immediately, without any fault. On one
// server, primary or replica, it is correct. The scenario's setting `reads` selects the server that a connection reads
// from.
//
// The row is created before the load, by the application's start: a missing row has only a gap to lock, and gap locks
// exclude no client. An attempt that finds no row fails.
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
      expect_ok("select", row);
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
    .server = "mysql",
    .lease = false,
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new ForUpdateReadSplit); },
};

}  // namespace holdfast
