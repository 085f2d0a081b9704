#include "lock/transaction.hpp"

namespace holdfast {
namespace {

// A failed rollback by the framework is not reported to the caller: the server rolls back by itself then.
void roll_back(Session& session) {
  try {
    session.attempt("rollback", {});
  } catch (const StatementFailed&) {
    return;
  }
}

Answer or_roll_back(Session& session, const std::function<Answer()>& work) {
  try {
    return work();
  } catch (const StatementFailed& failed) {
    if (failed.definite) roll_back(session);
    throw;
  }
}

}  // namespace

Answer begin_transaction(Session& session, const std::function<Answer()>& work) {
  session.execute("begin", {});
  return or_roll_back(session, [&] {
    const Answer answer = work();
    if (answer.type != EventType::ok) session.execute("commit", {});
    return answer;
  });
}

Answer finish_transaction(Session& session, const std::function<Answer()>& work) {
  return or_roll_back(session, [&] {
    const Answer answer = work();
    session.execute("commit", {});
    return answer;
  });
}

Answer in_transaction(Session& session, const std::function<Answer()>& work) {
  session.execute("begin", {});
  return finish_transaction(session, work);
}

}  // namespace holdfast
