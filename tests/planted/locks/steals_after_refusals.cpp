// Bug: who is refused often enough takes the holder for dead and breaks the lock; refusals are counted in the lock
// object, whoever the holder is, and the count is set back by a grant only. Story: A holds; B is refused for the third
// time, deletes A's row and inserts its own. No fault. Seen by explore only if one object serves all attempts of a
// client (two_holders), and by the generated suite wherever clients poll faster than a holder works
// (lease_exclusion:algorithm).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class StealsAfterRefusals : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    if (refusals_ >= kPatience) session.execute("break", {{"key", claim.key}});
    const Answer answer = RowLease::acquire(session, claim);
    refusals_ = answer.type == EventType::ok ? 0 : refusals_ + 1;
    return answer;
  }

 private:
  static constexpr int kPatience = 3;
  int refusals_ = 0;
};

}  // namespace

extern const LockType lock_steals_after_refusals;
const LockType lock_steals_after_refusals{
    .server = "mysql", .renews = true, .make = planted::make<StealsAfterRefusals>};

}  // namespace holdfast
