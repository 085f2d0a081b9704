#include "lock/quorum_lock.hpp"

#include <algorithm>
#include <vector>

#include "artifact/units.hpp"

namespace holdfast {
namespace {

// Result at one server.
enum class Vote : std::uint8_t {
  yes,        // executed with the desired effect
  no,         // answered without it
  unreached,  // nothing was sent, or the server does not serve
  unknown     // not answered; may still be executed
};

Vote vote_of(Session& session, std::uint32_t server, std::string_view statement, Params params) {
  try {
    const Reply reply = session.attempt_at(server, statement, params);
    if (!reply.ok()) return Vote::unreached;
    return reply.affected > 0 ? Vote::yes : Vote::no;
  } catch (const StatementFailed& failed) {
    return failed.definite ? Vote::unreached : Vote::unknown;
  }
}

std::vector<Vote> set_at_all(Session& session, const Claim& claim) {
  std::vector<Vote> out;
  for (std::uint32_t server = 0; server < session.servers(); ++server) {
    out.push_back(
        vote_of(session, server, "acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl_ms", claim.lease_ms}}));
  }
  return out;
}

std::vector<Vote> free_at_all(Session& session, const Claim& claim) {
  std::vector<Vote> out;
  for (std::uint32_t server = 0; server < session.servers(); ++server) {
    out.push_back(vote_of(session, server, "release", {{"key", claim.key}, {"owner", claim.owner}}));
  }
  return out;
}

std::size_t count(const std::vector<Vote>& votes, Vote wanted) {
  return static_cast<std::size_t>(std::count(votes.begin(), votes.end(), wanted));
}

bool is_majority(std::size_t part, const std::vector<Vote>& votes) {
  return 2 * part > votes.size();
}

// Number of servers where the key may still be set by this attempt.
std::size_t left_set(const std::vector<Vote>& set, const std::vector<Vote>& freed) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const bool may_be_set = set[i] == Vote::yes || set[i] == Vote::unknown;
    const bool sure_to_be_free = freed[i] == Vote::yes || freed[i] == Vote::no;
    out += may_be_set && !sure_to_be_free ? 1 : 0;
  }
  return out;
}

// Validity of a grant, counted from before the first server was asked.
std::int64_t quorum_validity_ns(std::int64_t lease_ms) {
  const std::int64_t drift_ms = lease_ms / 100 + 2;
  return (lease_ms - drift_ms) * kMillisecond_ns;
}

}  // namespace

Answer QuorumLock::acquire(Session& session, Claim& claim) {
  if (looks_at_clock()) claim.deadline_ns = session.steady_ns() + quorum_validity_ns(claim.lease_ms);
  const std::vector<Vote> set = set_at_all(session, claim);
  if (is_majority(count(set, Vote::yes), set) && still_held(session, claim)) return Answer::granted();
  const std::vector<Vote> freed = free_at_all(session, claim);
  if (is_majority(left_set(set, freed), set)) return Answer::uncertain();
  if (is_majority(count(set, Vote::unreached) + count(set, Vote::unknown), set)) {
    return {EventType::fail, Reason::unavailable, {}};
  }
  return Answer::busy();
}

Answer QuorumLock::release(Session& session, Claim& claim) {
  const std::vector<Vote> freed = free_at_all(session, claim);
  if (is_majority(count(freed, Vote::yes), freed)) return Answer::done();
  if (!is_majority(count(freed, Vote::no), freed)) return Answer::uncertain();
  return Answer::not_held();
}

bool QuorumLock::still_held(Session& session, const Claim& claim) {
  return !looks_at_clock() || session.steady_ns() < claim.deadline_ns;
}

}  // namespace holdfast
