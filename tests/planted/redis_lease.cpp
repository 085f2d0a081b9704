#include "tests/planted/redis_lease.hpp"

#include "tests/planted/row_lease.hpp"

namespace holdfast::planted {

Answer RedisLease::acquire(Session& session, Claim& claim) {
  const Reply set =
      session.execute("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_ms", claim.lease_ms}});
  return set.affected > 0 ? Answer::granted() : Answer::busy();
}

Answer RedisLease::renew(Session& session, Claim& claim) {
  return own(session.execute("renew", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_ms", claim.lease_ms}}));
}

Answer RedisLease::release(Session& session, Claim& claim) {
  return own(session.execute("release", {{"key", claim.key}, {"owner", claim.owner}}));
}

}  // namespace holdfast::planted
