// Document 003, the beginning of its getLock: each caller checks whether the table exists, and creates it if not, in
// two separate steps.
#include "lock/nowait_row.hpp"
#include "servers/mysql/mysql_errors.hpp"

namespace holdfast {
namespace {

class NowaitLeaseCreating : public NowaitRow {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply found = session.attempt("find_table", {});
    if (found.error == kNoSuchTable) {
      session.execute("create_table", {});
    } else {
      expect_ok("find_table", found);
    }
    return NowaitRow::acquire(session, claim);
  }
};

}  // namespace

extern const LockType lock_nowait_lease_creating;
const LockType lock_nowait_lease_creating{
    .server = "mysql",
    .make = [] { return std::unique_ptr<Lock>(new NowaitLeaseCreating); },
};

}  // namespace holdfast
