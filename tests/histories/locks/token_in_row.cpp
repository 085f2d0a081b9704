// For recorded histories only: the fencing token is a column of the lock's row, and a release deletes the row. So the
// tokens begin again at 1 with each holder, which `fencing` must see.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class TokenInRow : public Lock {
  Answer acquire(Session& session, Claim& claim) override {
    const Reply taken = session.attempt("acquire", {{"key", claim.key}, {"owner", claim.owner}});
    if (taken.duplicate_key()) return Answer::busy();
    if (taken.conflict()) return Answer::conflict();
    expect_ok("acquire", taken);
    const Reply mine = session.execute("token", {{"key", claim.key}, {"owner", claim.owner}});
    if (mine.rows.empty()) return Answer::uncertain();
    claim.token = std::stoull(mine.field(0, 0).value());
    return Answer::granted(claim.token);
  }
  Answer release(Session& session, Claim& claim) override {
    const Reply r = session.execute("release", {{"key", claim.key}, {"owner", claim.owner}});
    return r.affected > 0 ? Answer::done() : Answer::not_held();
  }
};

}  // namespace

extern const LockType lock_token_in_row;
const LockType lock_token_in_row{
    .about = "a row is the lock and its token, and goes with the release",
    .lease = false,
    .fenced = true,
    .make = [] { return std::unique_ptr<Lock>(new TokenInRow); },
};

}  // namespace holdfast
