#include "lock/read_then_write.hpp"

#include "lock/transaction.hpp"

namespace holdfast {

// At REPEATABLE READ a row inserted concurrently is an error, not a conflict to ignore (ON CONFLICT DO NOTHING),
// because it is not in the snapshot; the row exists anyway.
void ReadThenWrite::start(Session& session, const std::string& key) {
  const Reply made = session.attempt("create", {{"key", key}});
  if (!made.conflict()) expect_ok("create", made);
}

Answer ReadThenWrite::acquire(Session& session, Claim& claim) {
  return in_transaction(session, [&] {
    const Reply row = session.execute("read", {{"key", claim.key}});
    if (row.rows.empty() || row.field(0, 0) != "t") return Answer::busy();
    session.execute("write", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", claim.lease_ms * 1000}});
    return Answer::granted();
  });
}

Answer ReadThenWrite::release(Session& session, Claim& claim) {
  const Reply r = session.execute("release", {{"key", claim.key}, {"owner", claim.owner}});
  return r.affected > 0 ? Answer::done() : Answer::not_held();
}

}  // namespace holdfast
