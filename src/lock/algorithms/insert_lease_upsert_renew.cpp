// Document 000, its renewal: insert_lease, prolonged by INSERT ... ON DUPLICATE KEY UPDATE expire_time. The statement
// asks for no owner, and its result is not looked at: it prolongs whatever row there is, another's too, and where there
// is none it makes one. So a renewal never says that the lock is lost, and one that arrives late makes a freed lock
// held.
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
