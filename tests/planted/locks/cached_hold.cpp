// Bug: the lock object remembers that it holds the lock, to save a statement when it is asked again, and forgets it
// only when a release was successful. After a release that came too late it still remembers, and the next acquire is
// granted without asking anybody. Story: A acquires, A's lease ends, B acquires, A's release is refused, A acquires:
// granted at once. Seen by explore and by the generated suite only if one object serves all attempts of a client
// (two_holders; lease_exclusion:algorithm after a pause).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class CachedHold : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    if (held_) return Answer::granted();
    const Answer answer = RowLease::acquire(session, claim);
    held_ = answer.type == EventType::ok;
    return answer;
  }

  Answer release(Session& session, Claim& claim) override {
    const Answer answer = RowLease::release(session, claim);
    if (answer.type == EventType::ok) held_ = false;
    return answer;
  }

 private:
  bool held_ = false;
};

}  // namespace

extern const LockType lock_cached_hold;
const LockType lock_cached_hold{
    .server = "mysql", .statements = "row_lease", .renews = true, .make = planted::make<CachedHold>};

}  // namespace holdfast
