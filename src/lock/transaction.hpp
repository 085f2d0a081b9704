// A lock's method in one transaction, as the frameworks of the documents put it around a method: the statements
// `begin`, `commit` and `rollback` of the lock's SQL file.
//
//   Answer acquire(Session& s, Claim& c) override {
//     return in_transaction(s, [&] { return NowaitRow::acquire(s, c); });
//   }
//
// An answer commits, whatever it says: a method that returns, even one that caught an error, is a success to the
// framework. What is thrown rolls back, and is thrown on. After an indeterminate failure there is nothing to roll back:
// the connection is gone and the server ends the transaction when it notices. A commit without an answer is
// indeterminate for the whole.
#pragma once

#include <functional>

#include "lock/lock.hpp"

namespace holdfast {

Answer in_transaction(Session& session, const std::function<Answer()>& work);

// The two ends alone, for a transaction that outlives the method.
Answer begin_transaction(Session& session, const std::function<Answer()>& work);   // open after a grant only
Answer finish_transaction(Session& session, const std::function<Answer()>& work);  // of the one that is open

}  // namespace holdfast
