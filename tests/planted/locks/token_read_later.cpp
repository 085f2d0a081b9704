// Bug: the token is read by a second statement that asks for the key alone, and the grant is not measured against the
// client's deadline. Who is slow between the two reads its successor's token: two holders show the same one, and the
// resource cannot tell them apart. Story: A's row is written, A's lease ends, B acquires with token 2, A reads 2. Seen
// by explore (token_order) and by the generated suite (a pause before the second statement: fencing, resource).
#include "tests/planted/row_lease.hpp"
#include "tests/planted/token_row.hpp"

namespace holdfast {
namespace {

class TokenReadLater : public planted::TokenRow {
 public:
  bool still_held(Session&, const Claim&) override { return true; }
};

}  // namespace

extern const LockType lock_token_read_later;
const LockType lock_token_read_later{
    .server = "mysql", .renews = true, .fenced = true, .make = planted::make<TokenReadLater>};

}  // namespace holdfast
