#include "lock/scheduler_row.hpp"

namespace holdfast {

Reply SchedulerRow::ask(Session& session, const char* statement, const Claim& claim) {
  if (std::string_view(statement) == kFree)
    return session.attempt(statement, {{"key", claim.key}, {"owner", claim.owner}});
  return session.attempt(statement, {{"key", claim.key}, {"owner", claim.owner}, {"ttl_us", claim.lease_ms * 1000}});
}

Answer SchedulerRow::acquire(Session& session, Claim& claim) {
  for (const char* statement : {"insert", "update"}) {
    const Reply r = ask(session, statement, claim);
    if (r.conflict()) return Answer::conflict();
    expect_ok(statement, r);
    if (r.affected > 0) return Answer::granted();
  }
  return Answer::busy();
}

Answer SchedulerRow::renew(Session& session, Claim& claim) {
  const Reply r = ask(session, "extend", claim);
  expect_ok("extend", r);
  return r.affected > 0 ? Answer::done() : Answer::not_held();
}

Answer SchedulerRow::release(Session& session, Claim& claim) {
  const Reply r = ask(session, kFree, claim);
  expect_ok(kFree, r);
  return r.affected > 0 ? Answer::done() : Answer::not_held();
}

}  // namespace holdfast
