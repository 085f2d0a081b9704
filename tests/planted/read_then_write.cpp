#include "tests/planted/read_then_write.hpp"

#include "lock/transaction.hpp"

namespace holdfast::planted {
namespace {

Answer in_it(Session& session, const Claim& claim) {
  const Reply row = session.execute("read", {{"key", claim.key}});
  if (!row.rows.empty() && row.field(0, 0) != "1") return Answer::busy();
  const char* write = row.rows.empty() ? "insert_row" : "take_over";
  session.execute(write, {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", lease_us(claim)}});
  return Answer::granted();
}

}  // namespace

Answer ReadThenWrite::acquire(Session& session, Claim& claim) {
  try {
    return in_transaction(session, [&] { return in_it(session, claim); });
  } catch (const StatementFailed& failed) {
    if (!failed.definite) throw;
    if (failed.kind == ErrorKind::duplicate) return Answer::busy();
    if (failed.kind == ErrorKind::conflict) return Answer::conflict();
    throw;
  }
}

}  // namespace holdfast::planted
