#include "tests/planted/row_lease.hpp"

namespace holdfast::planted {

Answer taken(const Reply& inserted) {
  if (inserted.duplicate_key()) return Answer::busy();
  if (inserted.conflict()) return Answer::conflict();
  expect_ok("acquire", inserted);
  return Answer::granted();
}

Answer own(const Reply& changed) {
  return changed.affected > 0 ? Answer::done() : Answer::not_held();
}

Answer RowLease::acquire(Session& session, Claim& claim) {
  if (session.attempt("delete_expired", {{"key", claim.key}}).conflict()) return Answer::conflict();
  return taken(session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", lease_us(claim)}}));
}

Answer RowLease::renew(Session& session, Claim& claim) {
  return own(session.execute("renew", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", lease_us(claim)}}));
}

Answer RowLease::release(Session& session, Claim& claim) {
  return own(session.execute("release", {{"key", claim.key}, {"owner", claim.owner}}));
}

}  // namespace holdfast::planted
