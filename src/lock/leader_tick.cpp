#include "lock/leader_tick.hpp"

namespace holdfast {

// Every starting process inserts a row; the ticks use the first one.
void LeaderLock::start(Session& session, const std::string& key) {
  session.execute("start", {{"key", key}});
}

LeaderLock::Tick LeaderLock::tick(Session& session, const Claim& claim) const {
  const std::string me = owner(session, claim);
  const Reply row = session.execute("select", {{"key", claim.key}});
  // The server has lost its rows: nothing here recreates them, and the document's reader fails on a missing row.
  if (row.rows.empty()) throw StatementFailed(true, Reason::other, 0, "no row to elect on");
  const auto version = row.number(0, 1);
  const auto age_s = row.number(0, 2);
  const bool expired = age_s - claim.lease_ms / 1000 > 0 || !row.field(0, 0);
  if (expired) {
    const Reply taken =
        session.execute("promote", {{"key", claim.key}, {"owner", me}, {"version", std::int64_t{version}}});
    return taken.affected > 0 ? Tick::promoted : Tick::unknown;
  }
  if (row.field(0, 0) != me) return Tick::unknown;
  const Reply kept = session.execute("keep_alive", {{"key", claim.key}, {"owner", me}});
  return kept.affected > 0 ? Tick::stay : Tick::leave;
}

Answer LeaderLock::acquire(Session& session, Claim& claim) {
  const Tick heard = tick(session, claim);
  return heard == Tick::promoted || heard == Tick::stay ? Answer::granted() : Answer::busy();
}

Answer LeaderLock::renew(Session& session, Claim& claim) {
  switch (tick(session, claim)) {
    case Tick::promoted:
    case Tick::stay:
      return Answer::done();
    case Tick::leave:
    case Tick::unknown:
      break;
  }
  return Answer::not_held();
}

}  // namespace holdfast
