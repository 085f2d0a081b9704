// Document 000, its renewal: insert_lease, prolonged by INSERT ... ON DUPLICATE KEY UPDATE expire_time. The statement
// does not check the owner, and its result is ignored: it prolongs any existing row, including another client's, and
// creates a missing one. So a renewal never reports a lost lock, and a late one makes a freed lock held.
#include "lock/expiring_row.hpp"

namespace holdfast {
namespace {

class InsertLeaseUpsertRenew : public ExpiringRow {
 public:
  Answer renew(Session& session, Claim& claim) override {
    session.execute("renew", {{"key", claim.key}, {"owner", claim.owner}, {"ttl", lease_s(claim)}});
    return Answer::done();
  }
};

}  // namespace

extern const LockType lock_insert_lease_upsert_renew;
const LockType lock_insert_lease_upsert_renew{
    .server = "mysql",
    .renews = true,
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new InsertLeaseUpsertRenew); },
};

}  // namespace holdfast
