// As s3_store_clock, but without conditions: it reads that the object is missing or expired, and then writes.
#include "lock/object_lease.hpp"

namespace holdfast {
namespace {

class S3GetThenPut : public ObjectLease {
 protected:
  Reply create(Session& session, const Claim& claim, std::int64_t expires_s) override {
    return session.execute("put", {{"key", claim.key}, {"content", content(claim)}, {"expires_s", expires_s}});
  }
  Reply take(Session& session, const Claim& claim, std::int64_t expires_s, const std::string&) override {
    return create(session, claim, expires_s);
  }
};

}  // namespace

extern const LockType lock_s3_get_then_put;
const LockType lock_s3_get_then_put{
    .server = "s3",
    .renews = true,
    .whole_seconds = true,
    .guard_ms = 5000,  // as s3_store_clock
    .make = [] { return std::unique_ptr<Lock>(new S3GetThenPut); },
};

}  // namespace holdfast
