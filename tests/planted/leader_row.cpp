#include "tests/planted/leader_row.hpp"

#include "tests/planted/row_lease.hpp"

namespace holdfast::planted {

Answer LeaderRow::acquire(Session& session, Claim& claim) {
  const Reply row = session.execute("read", {{"key", claim.key}});
  if (row.rows.empty()) {
    claim.token = 1;
    return taken(session.attempt("found", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", lease_us(claim)}}));
  }
  if (row.field(0, 1) != "1") return Answer::busy();
  const std::uint64_t seen = std::stoull(row.field(0, 0).value());
  claim.token = seen + 1;
  const Reply mine = session.execute(
      "take_over", {{"key", claim.key}, {"owner", claim.owner}, {"seen", seen}, {"ttl_us", lease_us(claim)}});
  return mine.affected > 0 ? Answer::granted() : Answer::busy();
}

Answer LeaderRow::renew(Session& session, Claim& claim) {
  return own(session.execute(
      "beat", {{"key", claim.key}, {"owner", claim.owner}, {"version", claim.token}, {"ttl_us", lease_us(claim)}}));
}

}  // namespace holdfast::planted
