#include "lock/redis_unlock.hpp"

namespace holdfast {
namespace {

std::string stored_value(Session& session, const Claim& claim) {
  const Reply read = session.execute("read", {{"key", claim.key}});
  return read.rows.empty() ? "" : read.field(0, 0).value_or("");
}

Answer deleted(Session& session, const Claim& claim) {
  const Reply reply = session.execute("release", {{"key", claim.key}});
  return reply.affected > 0 ? Answer::done() : Answer::not_held();
}

}  // namespace

Answer unlock_whoever_holds(Session& session, const Claim& claim) {
  if (stored_value(session, claim).empty()) return Answer::not_held();
  return deleted(session, claim);
}

Answer unlock_by_server_id(Session& session, const Claim& claim) {
  if (stored_value(session, claim).find(claim.server_id) == std::string::npos) return Answer::not_held();
  return deleted(session, claim);
}

}  // namespace holdfast
