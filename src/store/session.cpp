#include "store/session.hpp"

namespace holdfast {

Reply Session::execute(std::string_view statement, Params params) {
  Reply reply = attempt(statement, params);
  expect_ok(statement, reply);
  return reply;
}

void expect_ok(std::string_view statement, const Reply& reply) {
  if (reply.ok()) return;
  const Reason reason = reply.conflict()             ? Reason::conflict
                        : reply.error == kNotServing ? Reason::unavailable
                                                     : Reason::other;
  throw StatementFailed(true, reason, reply.error, std::string(statement) + ": " + reply.message);
}

}  // namespace holdfast
