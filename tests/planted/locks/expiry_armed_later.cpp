// Bug: the row is inserted without an expiry, which a second statement sets. A client that dies between the two leaves
// a row that never expires: nobody gets the key again. Story: A inserts, A crashes; B is refused for ever. Seen by
// explore (stuck, A!crash) and by the generated suite (a kill between the statements: progress:stuck).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class ExpiryArmedLater : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Answer answer = RowLease::acquire(session, claim);
    if (answer.type != EventType::ok) return answer;
    session.execute("arm", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", planted::lease_us(claim)}});
    return answer;
  }
};

}  // namespace

extern const LockType lock_expiry_armed_later;
const LockType lock_expiry_armed_later{.server = "mysql", .renews = true, .make = planted::make<ExpiryArmedLater>};

}  // namespace holdfast
