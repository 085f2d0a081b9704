#include "lock/object_lease.hpp"

#include "artifact/units.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kDateUnit_ms = 1000;
// A date is truncated to a second, and a store may renew it only once a second.
constexpr std::int64_t kDateLag_s = 2;
constexpr std::size_t kEtagField = 0;
constexpr std::size_t kDateField = 1;
constexpr std::size_t kExpiryField = 2;

}  // namespace

std::int64_t ObjectLease::expiry_s(std::int64_t date_s, const Claim& claim) {
  return date_s + claim.lease_ms / kDateUnit_ms + kDateLag_s;
}

Answer ObjectLease::acquire(Session& session, Claim& claim) {
  const std::int64_t deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
  const Reply there = session.execute("look", {{"key", claim.key}});
  Reply made;
  if (there.rows.empty()) {
    made = create(session, claim, expiry_s(session.execute("now", {}).number(0, 0), claim));
  } else {
    const std::int64_t date_s = there.number(0, kDateField);
    if (date_s < there.number(0, kExpiryField)) return Answer::busy();
    made = take(session, claim, expiry_s(date_s, claim), there.text(0, kEtagField));
  }
  if (made.rows.empty()) return Answer::busy();
  claim.handle = made.text(0, kEtagField);
  claim.deadline_ns = deadline_ns;
  return still_held(session, claim) ? Answer::granted() : Answer::uncertain();
}

Answer ObjectLease::renew(Session& session, Claim& claim) {
  const std::int64_t deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
  const std::int64_t expires_s = expiry_s(session.execute("now", {}).number(0, 0), claim);
  const Reply kept = session.execute(
      "renew", {{"key", claim.key}, {"content", content(claim)}, {"expires_s", expires_s}, {"etag", claim.handle}});
  if (kept.rows.empty()) return Answer::not_held();
  claim.handle = kept.text(0, kEtagField);
  claim.deadline_ns = deadline_ns;
  return Answer::done();
}

Answer ObjectLease::release(Session& session, Claim& claim) {
  if (claim.handle.empty()) return Answer::not_held();
  const Reply freed = session.execute("release", {{"key", claim.key}, {"etag", claim.handle}});
  return freed.affected > 0 ? Answer::done() : Answer::not_held();
}

Reply ObjectLease::create(Session& session, const Claim& claim, std::int64_t expires_s) {
  return session.execute("create", {{"key", claim.key}, {"content", content(claim)}, {"expires_s", expires_s}});
}

Reply ObjectLease::take(Session& session, const Claim& claim, std::int64_t expires_s, const std::string& etag) {
  return session.execute("take",
                         {{"key", claim.key}, {"content", content(claim)}, {"expires_s", expires_s}, {"etag", etag}});
}

}  // namespace holdfast
