#include "lock/nowait_row.hpp"
#include "artifact/units.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kSecond_ms = 1000;
constexpr Answer kCaught{EventType::fail, Reason::other, {}};  // "return false"

Answer insert(Session& session, const Claim& claim, std::int64_t expire_ms) {
  try {
    const Reply r = session.attempt("insert", {{"key", claim.key}, {"owner", claim.owner}, {"expire_ms", expire_ms}});
    if (r.duplicate_key()) return Answer::busy();
    if (r.conflict()) return Answer::conflict();
    return r.ok() ? Answer::granted() : kCaught;
  } catch (const StatementFailed&) {
    return kCaught;
  }
}

}  // namespace

Answer NowaitRow::acquire(Session& session, Claim& claim) {
  const std::int64_t expire_ms = session.now_ns() / kMillisecond_ns + claim.lease_ms;
  Reply row;
  try {
    row = session.attempt("select", {{"key", claim.key}});
  } catch (const StatementFailed&) {
    return kCaught;
  }
  if (row.conflict()) return Answer::conflict();
  if (!row.ok()) return kCaught;
  if (row.rows.empty()) return insert(session, claim, expire_ms);
  const std::string owner = row.field(0, 0).value_or("");
  const std::int64_t expires_ms = std::stoll(row.field(0, 1).value_or("0")) * kSecond_ms;
  if (expires_ms > session.now_ns() / kMillisecond_ns) {
    return owner == claim.owner ? enter_again(session, claim) : Answer::busy();
  }
  const Reply taken = session.execute(
      "take_over",
      {{"key", claim.key}, {"owner", claim.owner}, {"expire_ms", expire_ms}, {"read", row.field(0, 1).value_or("0")}});
  return taken.affected == 1 ? Answer::granted() : Answer::busy();
}

Answer NowaitRow::release(Session& session, Claim& claim) {
  const Reply r = session.execute("release", {{"key", claim.key}, {"owner", claim.owner}});
  return r.affected > 0 ? Answer::done() : Answer::not_held();
}

}  // namespace holdfast
