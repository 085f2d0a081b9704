#include "tests/planted/reentrant_row.hpp"

#include "tests/planted/row_lease.hpp"

namespace holdfast::planted {
namespace {

Answer entered(Session& session, const Claim& claim, const std::string& me, const char* statement) {
  const Reply r = session.execute(statement, {{"key", claim.key}, {"owner", me}, {"ttl_us", lease_us(claim)}});
  return r.affected > 0 ? Answer::granted() : Answer::busy();
}

}  // namespace

Answer ReentrantRow::acquire(Session& session, Claim& claim) {
  const std::string me = owner(session, claim);
  if (claim.token > 0) return entered(session, claim, me, "enter_again");
  if (session.attempt("delete_expired", {{"key", claim.key}}).conflict()) return Answer::conflict();
  Answer answer = taken(session.attempt("acquire", {{"key", claim.key}, {"owner", me}, {"ttl_us", lease_us(claim)}}));
  if (answer.reason == Reason::busy) answer = entered(session, claim, me, "take_own");
  if (answer.type == EventType::ok) claim.token = 1;
  return answer;
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
