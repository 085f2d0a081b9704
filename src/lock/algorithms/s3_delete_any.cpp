// As s3_store_clock, but the release deletes the object, whichever client's it is.
#include "lock/object_lease.hpp"

namespace holdfast {
namespace {

class S3DeleteAny : public ObjectLease {
 public:
  Answer release(Session& session, Claim& claim) override {
    session.execute("release", {{"key", claim.key}});
    return Answer::done();
  }
};

}  // namespace

extern const LockType lock_s3_delete_any;
const LockType lock_s3_delete_any{
    .server = "s3",
    .renews = true,
    .whole_seconds = true,
    .guard_ms = 5000,  // as s3_store_clock
    .make = [] { return std::unique_ptr<Lock>(new S3DeleteAny); },
};

}  // namespace holdfast
