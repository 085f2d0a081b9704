// A common implementation: an object created if absent, with the time of its expiry by its creator's clock. Another
// client compares it with its own clock. All writes and the release name the ETag that they expect.
#include <charconv>

#include "artifact/units.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

// "OWNER 1795574596000": the expiry, in milliseconds since 1970.
std::int64_t expiry_in_object(const std::string& content) {
  std::int64_t out = 0;
  const auto blank = content.rfind(' ');
  const char* end = content.data() + content.size();
  const char* begin = content.data() + (blank == std::string::npos ? 0 : blank + 1);
  const auto [stop, error] = std::from_chars(begin, end, out);
  if (error == std::errc() && stop == end) return out;
  throw StatementFailed(true, Reason::other, 0, "look: the object is not one of this lock: '" + content + "'");
}

class S3ClientClock : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply there = session.execute("look", {{"key", claim.key}});
    const std::int64_t now_ms = session.now_ns() / kMillisecond_ns;
    if (!there.rows.empty() && now_ms < expiry_in_object(there.text(0, 1))) return Answer::busy();
    const std::string owner = claim.owner;
    const std::int64_t expires_ms = now_ms + claim.lease_ms;
    const Reply made =
        there.rows.empty()
            ? session.execute("create", {{"key", claim.key}, {"owner", owner}, {"expires_ms", expires_ms}})
            : session.execute(
                  "take",
                  {{"key", claim.key}, {"owner", owner}, {"expires_ms", expires_ms}, {"etag", there.text(0, 0)}});
    return kept(claim, made, expires_ms) ? Answer::granted() : Answer::busy();
  }

  Answer renew(Session& session, Claim& claim) override {
    const std::int64_t expires_ms = session.now_ns() / kMillisecond_ns + claim.lease_ms;
    const Reply renewed = session.execute(
        "renew", {{"key", claim.key}, {"owner", claim.owner}, {"expires_ms", expires_ms}, {"etag", claim.handle}});
    return kept(claim, renewed, expires_ms) ? Answer::done() : Answer::not_held();
  }

  Answer release(Session& session, Claim& claim) override {
    if (claim.handle.empty()) return Answer::not_held();
    const Reply freed = session.execute("release", {{"key", claim.key}, {"etag", claim.handle}});
    return freed.affected > 0 ? Answer::done() : Answer::not_held();
  }

  // `deadline_ns` is a time of this client's wall clock.
  bool still_held(Session& session, const Claim& claim) override { return session.now_ns() < claim.deadline_ns; }

 private:
  static bool kept(Claim& claim, const Reply& written, std::int64_t expires_ms) {
    if (written.rows.empty()) return false;
    claim.handle = written.text(0, 0);
    claim.deadline_ns = expires_ms * kMillisecond_ns;
    return true;
  }
};

}  // namespace

extern const LockType lock_s3_client_clock;
const LockType lock_s3_client_clock{
    .server = "s3",
    .renews = true,
    .make = [] { return std::unique_ptr<Lock>(new S3ClientClock); },
};

}  // namespace holdfast
