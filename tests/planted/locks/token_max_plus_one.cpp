// Bug: the token is read as the largest of all rows plus one, in a statement of its own before the insert, and released
// rows are deleted. Tokens repeat, as they do with every table that is emptied. Story: A acquires (1) and releases; B
// acquires: 1 again. No fault. Seen by explore (token_order) and by the generated suite (fencing).
#include "tests/planted/row_lease.hpp"

namespace holdfast {
namespace {

class TokenMaxPlusOne : public planted::RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    if (session.attempt("delete_expired", {{"key", claim.key}}).conflict()) return Answer::conflict();
    const Reply next = session.execute("next_token", {});
    claim.token = std::stoull(next.field(0, 0).value());
    const Answer answer = planted::taken(session.attempt(
        "acquire",
        {{"key", claim.key}, {"owner", claim.owner}, {"token", claim.token}, {"ttl_us", planted::lease_us(claim)}}));
    return answer.type == EventType::ok ? Answer::granted(claim.token) : answer;
  }
};

}  // namespace

extern const LockType lock_token_max_plus_one;
const LockType lock_token_max_plus_one{
    .server = "mysql", .renews = true, .fenced = true, .make = planted::make<TokenMaxPlusOne>};

}  // namespace holdfast
