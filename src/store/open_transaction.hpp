// What a session knows of the transaction that a lock opened: between the lock's statement `begin` and its `commit` or
// `rollback`.
//
//   open.before("insert", connected);   // throws when the transaction died with its connection
//   open.after("insert");
//
// A lost connection takes the transaction with it: the server rolls back what was not committed. A new connection would
// run the rest of it as statements of their own, half of a transaction, which no driver does: the rest is refused here,
// as definite, for nothing of it was sent and nothing before it will be kept. Opening a transaction inside an open one
// would commit the first unasked (START TRANSACTION does); that is a mistake of the lock's code, and makes the trial a
// harness error.
//
// What it does not do: it does not see a transaction that the server ended by itself (a deadlock's victim).
#pragma once

#include <string_view>

namespace holdfast {

class OpenTransaction {
 public:
  // Throws StatementFailed (definite, unavailable) or std::logic_error.
  void before(std::string_view statement, bool connected);
  void after(std::string_view statement);  // it was answered, without an error
  bool open() const { return open_; }

 private:
  bool open_ = false;
};

}  // namespace holdfast
