// As s3_store_clock, but all clients write the same content. An ETag is a hash of the content, without the metadata, so
// all have the same ETag, and no condition distinguishes one client's write from another's.
#include "lock/object_lease.hpp"

namespace holdfast {
namespace {

class S3SameEtag : public ObjectLease {
 protected:
  std::string content(const Claim&) override { return "locked"; }
};

}  // namespace

extern const LockType lock_s3_same_etag;
const LockType lock_s3_same_etag{
    .server = "s3",
    .renews = true,
    .whole_seconds = true,
    .guard_ms = 5000,  // as s3_store_clock
    .make = [] { return std::unique_ptr<Lock>(new S3SameEtag); },
};

}  // namespace holdfast
