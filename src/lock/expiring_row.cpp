#include "lock/expiring_row.hpp"

#include "lock/transaction.hpp"

namespace holdfast {

Reply ExpiringRow::insert(Session& session, const Claim& claim) {
  return session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl", lease_s(claim)}});
}

Answer ExpiringRow::try_lock(Session& session, const Claim& claim) {
  session.execute("delete_expired", {{"key", claim.key}});
  const Reply inserted = insert(session, claim);
  if (inserted.duplicate_key()) return Answer::busy();
  expect_ok("acquire", inserted);
  return Answer::granted();
}

Answer ExpiringRow::acquire(Session& session, Claim& claim) {
  return in_transaction(session, [&] { return try_lock(session, claim); });
}

Answer ExpiringRow::release(Session& session, Claim& claim) {
  const Reply r = session.execute("release", {{"key", claim.key}, {"owner", claim.owner}});
  return r.affected > 0 ? Answer::done() : Answer::not_held();
}

}  // namespace holdfast
