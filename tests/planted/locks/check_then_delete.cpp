// Bug: the release reads the owner, compares it in the program, and then deletes by the key alone. Between the two the
// lease may end and another may take the lock. Story: A reads its own name, A's lease ends, B acquires, A deletes. Seen
// by explore (foreign_release) and, by a pause between the two statements, by the generated suite
// (ownership:foreign_release).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class CheckThenDelete : public planted::RowLease {
 public:
  Answer release(Session& session, Claim& claim) override {
    const Reply seen = session.execute("read_owner", {{"key", claim.key}});
    if (seen.rows.empty() || seen.field(0, 0) != claim.owner) return Answer::not_held();
    return planted::own(session.execute("release", {{"key", claim.key}}));
  }
};

}  // namespace

extern const LockType lock_check_then_delete;
const LockType lock_check_then_delete{.server = "mysql", .renews = true, .make = planted::make<CheckThenDelete>};

}  // namespace holdfast
