#include "lock/fenced_row.hpp"

#include "artifact/units.hpp"

namespace holdfast {

Answer FencedRow::granted(Session& session, Claim& claim, std::uint64_t token, std::int64_t deadline_ns) {
  claim.token = token;
  claim.deadline_ns = deadline_ns;
  if (!still_held(session, claim)) return Answer::uncertain();
  return Answer::granted(token);
}

Answer FencedRow::renew(Session& session, Claim& claim) {
  const std::int64_t deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
  const Reply r = session.execute(
      "renew", {{"key", claim.key}, {"owner", claim.owner}, {"token", claim.token}, {"ttl_us", claim.lease_ms * 1000}});
  if (r.affected == 0) return Answer::not_held();
  claim.deadline_ns = deadline_ns;
  return Answer::done();
}

Answer FencedRow::release(Session& session, Claim& claim) {
  const Reply r = session.execute("release", {{"key", claim.key}, {"owner", claim.owner}, {"token", claim.token}});
  return r.affected > 0 ? Answer::done() : Answer::not_held();
}

bool FencedRow::still_held(Session& session, const Claim& claim) {
  return session.steady_ns() < claim.deadline_ns;
}

}  // namespace holdfast
