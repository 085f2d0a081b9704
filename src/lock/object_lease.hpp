// A lock as an object in a store, as programs often write it: created if absent, renewed and taken over by a write that
// names the ETag it expects. The object's metadata has the end of the lease, by the date in the store's answers; after
// it, by such a date again, the object may be taken over.
#pragma once

#include <cstdint>
#include <string>

#include "lock/lock.hpp"

namespace holdfast {

class ObjectLease : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override;
  Answer renew(Session& session, Claim& claim) override;
  Answer release(Session& session, Claim& claim) override;
  bool still_held(Session& session, const Claim& claim) override { return session.steady_ns() < claim.deadline_ns; }

 protected:
  // The object's content, which decides its ETag. Each write has a different one.
  virtual std::string content(const Claim& claim) { return claim.owner + " " + std::to_string(++writes_); }
  virtual Reply create(Session& session, const Claim& claim, std::int64_t expires_s);
  virtual Reply take(Session& session, const Claim& claim, std::int64_t expires_s, const std::string& etag);

 private:
  static std::int64_t expiry_s(std::int64_t date_s, const Claim& claim);

  std::uint64_t writes_ = 0;
};

}  // namespace holdfast
