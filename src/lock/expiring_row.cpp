#include "lock/expiring_row.hpp"

namespace holdfast {

Reply ExpiringRow::insert(Session& session, const Claim& claim) {
  return session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl", lease_s(claim)}});
}

Answer ExpiringRow::acquire(Session& session, Claim& claim) {
  const Reply cleaned = session.attempt("delete_expired", {{"key", claim.key}});
  if (cleaned.conflict()) return Answer::conflict();
  const Reply inserted = insert(session, claim);
  if (inserted.duplicate_key()) return Answer::busy();
  if (inserted.conflict()) return Answer::conflict();
  if (!inserted.ok()) throw StatementFailed(true, Reason::other, inserted.error, inserted.message);
  return Answer::granted();
}

Answer ExpiringRow::release(Session& session, Claim& claim) {
  const Reply r = session.execute("release", {{"key", claim.key}, {"owner", claim.owner}});
  return r.affected > 0 ? Answer::done() : Answer::not_held();
}

}  // namespace holdfast
