#include "tests/planted/token_row.hpp"

#include "artifact/units.hpp"
#include "tests/planted/row_lease.hpp"

namespace holdfast::planted {

Reply TokenRow::token(Session& session, const Claim& claim) {
  return session.attempt("token", {{"key", claim.key}, {"owner", claim.owner}});
}

Answer TokenRow::acquire(Session& session, Claim& claim) {
  const std::int64_t deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
  const Reply row =
      session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", lease_us(claim)}});
  if (row.conflict()) return Answer::conflict();
  expect_ok("acquire", row);
  if (row.affected == 0) return Answer::busy();
  const Reply mine = token(session, claim);
  if (!mine.ok()) return Answer::uncertain();
  if (mine.rows.empty()) return Answer::busy();
  claim.token = std::stoull(mine.field(0, 0).value());
  claim.deadline_ns = deadline_ns;
  return still_held(session, claim) ? Answer::granted(claim.token) : Answer::uncertain();
}

Answer TokenRow::renew(Session& session, Claim& claim) {
  const std::int64_t deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
  const Answer answer = own(session.execute(
      "renew", {{"key", claim.key}, {"owner", claim.owner}, {"token", claim.token}, {"ttl_us", lease_us(claim)}}));
  if (answer.type == EventType::ok) claim.deadline_ns = deadline_ns;
  return answer;
}

Answer TokenRow::release(Session& session, Claim& claim) {
  return own(session.execute("release", {{"key", claim.key}, {"owner", claim.owner}, {"token", claim.token}}));
}

}  // namespace holdfast::planted
