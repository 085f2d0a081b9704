// The reference on object stores: an object per lock, created if absent and then changed only by writes that name the
// ETag they expect; fenced by a number in the object that rises with each grant.
//
// Why two valid leases of a key cannot overlap:
//  1. The store executes conditional writes of an object in one order, and each compares the ETag with the content that
//     it replaces. So of two that expect the same content the later is refused.
//  2. No content is written twice: it has the number of the grant, its owner and a count of the writer's writes. So an
//     ETag, which may be a hash of the content, names one write.
//  3. A contender takes the lock over only after it has seen the same content, from an answer until a later request,
//     for a whole lease on its own steady clock. The holder's deadline is a lease after it began the write that
//     produced this content, hence earlier.
//  4. A release writes "free" with the number, so the number rises for as long as the object exists.
// No wall clock is used, neither the store's nor a client's. Assumption: the clients' monotonic clocks run at the same
// rate, and nobody deletes the object. A holder stopped beyond its lease still believes (no lease can prevent this):
// the resource refuses its token.
#include <charconv>

#include "artifact/units.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

constexpr std::string_view kFreeObject = "-";

struct LockObject {
  std::uint64_t number = 0;  // of the latest grant
  bool free = false;
};

// "7 OWNER 3": throws StatementFailed for anything else.
LockObject read_lock_object(const std::string& content) {
  LockObject out;
  const char* end = content.data() + content.size();
  const auto [stop, error] = std::from_chars(content.data(), end, out.number);
  if (error != std::errc() || stop == end || *stop != ' ') {
    throw StatementFailed(true, Reason::other, 0, "look: the object is not one of this lock: '" + content + "'");
  }
  out.free = std::string_view(stop + 1, static_cast<std::size_t>(end - stop - 1)) == kFreeObject;
  return out;
}

class S3CreateIfAbsent : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply there = session.execute("look", {{"key", claim.key}});
    const std::int64_t asked_ns = session.steady_ns();
    claim.deadline_ns = asked_ns + claim.lease_ms * kMillisecond_ns;
    if (there.rows.empty()) return granted(session, claim, 1, write(session, claim, "create", 1));
    const LockObject object = read_lock_object(there.text(0, 1));
    if (!object.free && !outlived(there.text(0, 0), asked_ns, claim.lease_ms)) return Answer::busy();
    return granted(session, claim, object.number + 1, write_over(session, claim, object.number + 1, there.text(0, 0)));
  }

  Answer renew(Session& session, Claim& claim) override {
    const std::int64_t deadline_ns = session.steady_ns() + claim.lease_ms * kMillisecond_ns;
    const Reply kept = session.execute("renew", {{"key", claim.key},
                                                 {"number", claim.token},
                                                 {"owner", claim.owner},
                                                 {"write", ++writes_},
                                                 {"etag", claim.handle}});
    if (kept.rows.empty()) return Answer::not_held();
    claim.handle = kept.text(0, 0);
    claim.deadline_ns = deadline_ns;
    return Answer::done();
  }

  Answer release(Session& session, Claim& claim) override {
    if (claim.handle.empty()) return Answer::not_held();
    const Reply freed =
        session.execute("release", {{"key", claim.key}, {"number", claim.token}, {"etag", claim.handle}});
    return freed.rows.empty() ? Answer::not_held() : Answer::done();
  }

  bool still_held(Session& session, const Claim& claim) override { return session.steady_ns() < claim.deadline_ns; }

 private:
  // Returns true if this content was seen a lease ago, too.
  bool outlived(const std::string& etag, std::int64_t now_ns, std::int64_t lease_ms) {
    if (etag != seen_etag_) {
      seen_etag_ = etag;
      seen_ns_ = now_ns;
    }
    return now_ns - seen_ns_ > lease_ms * kMillisecond_ns;
  }

  Reply write(Session& session, const Claim& claim, std::string_view statement, std::uint64_t number) {
    return session.execute(statement,
                           {{"key", claim.key}, {"number", number}, {"owner", claim.owner}, {"write", ++writes_}});
  }
  Reply write_over(Session& session, const Claim& claim, std::uint64_t number, const std::string& etag) {
    return session.execute(
        "take", {{"key", claim.key}, {"number", number}, {"owner", claim.owner}, {"write", ++writes_}, {"etag", etag}});
  }

  Answer granted(Session& session, Claim& claim, std::uint64_t number, const Reply& written) {
    if (written.rows.empty()) return Answer::busy();
    claim.handle = written.text(0, 0);
    claim.token = number;
    return still_held(session, claim) ? Answer::granted(number) : Answer::uncertain();
  }

  std::uint64_t writes_ = 0;
  std::string seen_etag_;  // content of the lock that another client holds
  std::int64_t seen_ns_ = 0;
};

}  // namespace

extern const LockType lock_s3_create_if_absent;
const LockType lock_s3_create_if_absent{
    .server = "s3",
    .renews = true,
    .fenced = true,
    .guard_ms = 1000,  // a contender notices a dead holder only by looking, and counts from its first look
    .make = [] { return std::unique_ptr<Lock>(new S3CreateIfAbsent); },
};

}  // namespace holdfast
