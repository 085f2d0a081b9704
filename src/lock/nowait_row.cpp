#include "lock/nowait_row.hpp"

#include "artifact/units.hpp"
#include "lock/local_time.hpp"

namespace holdfast {
namespace {

// Column of SELECT *.
constexpr std::size_t kOwner = 1;
constexpr std::size_t kExpiry = 2;

constexpr Answer kReturnsFalse{EventType::fail, Reason::other, {}};  // "return false"

}  // namespace

Answer NowaitRow::insert(Session& session, const Claim& claim, const std::string& expires) {
  try {
    const Reply r =
        session.attempt("insert", {{"key", claim.key}, {"owner", owner(session, claim)}, {"expires", expires}});
    if (r.duplicate_key()) return Answer::busy();
    if (r.conflict()) return Answer::conflict();
    return r.ok() ? Answer::granted() : kReturnsFalse;
  } catch (const StatementFailed&) {
    return kReturnsFalse;
  }
}

Answer NowaitRow::acquire(Session& session, Claim& claim) {
  const std::string expires = datetime_text(local_us(session) + claim.lease_ms * kMillisecond_us);
  Reply row;
  try {
    row = session.attempt("select", {{"key", claim.key}});
  } catch (const StatementFailed&) {
    return kReturnsFalse;
  }
  if (row.conflict()) return Answer::conflict();
  if (!row.ok()) return kReturnsFalse;
  if (row.rows.empty()) return insert(session, claim, expires);
  const std::string holder = row.field(0, kOwner).value_or("");
  const std::string until = row.field(0, kExpiry).value_or("");
  const std::string me = owner(session, claim);
  if (us_of_datetime(until) > local_us(session)) return holder == me ? enter_again(session, claim) : Answer::busy();
  const Reply taken =
      session.execute("take_over", {{"key", claim.key}, {"owner", me}, {"expires", expires}, {"read", until}});
  return taken.affected == 1 ? Answer::granted() : Answer::busy();
}

Answer NowaitRow::delete_row(Session& session, const Claim& claim) {
  const Reply r = session.execute("release", {{"key", claim.key}, {"owner", owner(session, claim)}});
  return r.affected > 0 ? Answer::done() : Answer::not_held();
}

// As printed: the owner is forgotten even if the deletion failed.
Answer NowaitRow::release(Session& session, Claim& claim) {
  struct Forgets {
    ~Forgets() { row.forget_owner(session); }
    NowaitRow& row;
    const Session& session;
  } const forgets{*this, session};
  return delete_row(session, claim);
}

}  // namespace holdfast
