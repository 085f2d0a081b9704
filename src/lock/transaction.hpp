// A lock's method in one transaction, as the documents' frameworks add around a method: uses the statements `begin`,
// `commit` and `rollback` of the lock's SQL file.
//
//   Answer acquire(Session& s, Claim& c) override {
//     return in_transaction(s, [&] { return NowaitRow::acquire(s, c); });
//   }
//
// Every answer commits: for the framework, a method that returns is a success, even if it caught an error. An exception
// rolls back and is rethrown. After an indeterminate failure nothing is rolled back: the connection is gone, and the
// server ends the transaction when it notices. A commit without an answer makes the whole indeterminate.
#pragma once

#include <functional>

#include "lock/lock.hpp"

namespace holdfast {

Answer in_transaction(Session& session, const std::function<Answer()>& work);

// The beginning and end separately, for a transaction that outlives the method.
// opens; stays open only after a grant
Answer begin_transaction(Session& session, const std::function<Answer()>& work);
Answer finish_transaction(Session& session, const std::function<Answer()>& work);  // for the open transaction

}  // namespace holdfast
