#include "tests/planted/reentrant_row.hpp"

#include "tests/planted/row_lease.hpp"

namespace holdfast::planted {

Answer ReentrantRow::acquire(Session& session, Claim& claim) {
  const std::string me = owner(session, claim);
  if (session.attempt("delete_expired", {{"key", claim.key}}).conflict()) return Answer::conflict();
  const Answer fresh =
      taken(session.attempt("acquire", {{"key", claim.key}, {"owner", me}, {"ttl_us", lease_us(claim)}}));
  if (fresh.reason != Reason::busy) return fresh;
  const Reply again = session.execute("enter_again", {{"key", claim.key}, {"owner", me}, {"ttl_us", lease_us(claim)}});
  return again.affected > 0 ? Answer::granted() : Answer::busy();
}

Answer ReentrantRow::renew(Session& session, Claim& claim) {
  return own(
      session.execute("renew", {{"key", claim.key}, {"owner", owner(session, claim)}, {"ttl_us", lease_us(claim)}}));
}

Answer ReentrantRow::release(Session& session, Claim& claim) {
  const std::string me = owner(session, claim);
  if (session.execute("leave_inner", {{"key", claim.key}, {"owner", me}}).affected > 0) return Answer::done();
  return own(session.execute("release", {{"key", claim.key}, {"owner", me}}));
}

}  // namespace holdfast::planted
