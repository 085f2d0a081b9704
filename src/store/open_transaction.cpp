#include "store/open_transaction.hpp"

#include <stdexcept>
#include <string>

#include "store/session.hpp"

namespace holdfast {

void OpenTransaction::before(std::string_view statement, bool connected) {
  if (statement == "begin") {
    if (open_ && connected) throw std::logic_error("the lock begins a transaction inside an open one");
    open_ = false;
    return;
  }
  if (!open_ || connected) return;
  if (statement == "commit" || statement == "rollback") open_ = false;
  throw StatementFailed(true, Reason::unavailable, 0,
                        std::string(statement) + ": the transaction was lost with its connection");
}

void OpenTransaction::after(std::string_view statement) {
  if (statement == "begin") open_ = true;
  if (statement == "commit" || statement == "rollback") open_ = false;
}

}  // namespace holdfast
