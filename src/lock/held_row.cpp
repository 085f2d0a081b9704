#include "lock/held_row.hpp"

namespace holdfast {

void HeldRow::start(Session& session, const std::string& key) {
  session.execute("create", {{"key", key}});
}

Answer HeldRow::acquire(Session& session, Claim& claim) {
  session.execute("begin", {});
  const Reply row = session.attempt("acquire", {{"key", claim.key}});
  if (row.ok() && !row.rows.empty()) return Answer::granted();
  session.execute("rollback", {});
  if (row.ok() || row.conflict()) return Answer::busy();
  throw StatementFailed(row, "acquire: " + row.message);
}

Answer HeldRow::release(Session& session, Claim&) {
  session.execute("commit", {});
  return Answer::done();
}

}  // namespace holdfast
