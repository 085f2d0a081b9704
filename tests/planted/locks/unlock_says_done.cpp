// Bug: the release does not look at how many rows it deleted and says "done" whatever came of it. A caller that
// outlived its lease is never told that it worked beside another. Story: A acquires, A's lease ends, B acquires, A
// releases: done, though nothing of A's was there. Known to be missed: an answer of ok that did nothing harms nobody,
// say the rules of ownership (checker/properties/ownership.cpp), and explore looks at what a release changes, too. The
// generated suite would have to name it ownership.
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class UnlockSaysDone : public planted::RowLease {
 public:
  Answer release(Session& session, Claim& claim) override {
    session.execute("release", {{"key", claim.key}, {"owner", claim.owner}});
    return Answer::done();
  }
};

}  // namespace

extern const LockType lock_unlock_says_done;
const LockType lock_unlock_says_done{
    .server = "mysql", .statements = "row_lease", .renews = true, .make = planted::make<UnlockSaysDone>};

}  // namespace holdfast
