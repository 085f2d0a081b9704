// A lock on several independent servers: what it makes of their answers, and of the time that they took.
#include "lock/quorum_lock.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "artifact/placed_statement.hpp"
#include "artifact/units.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

// Reactions of a server to a statement.
enum class Does : std::uint8_t { yes, no, refuses, away, silent };

class FiveServers : public Session {
 public:
  Reply attempt(std::string_view statement, Params) override {
    sent.emplace_back(statement);
    steady += answers_in_ms * kMillisecond_ns;
    const PlacedStatement where = placed(statement);
    const auto& all = where.name == "acquire" ? acquire : release;
    return answer(all.at(where.server));
  }
  std::int64_t now_ns() override { return 0; }
  std::int64_t steady_ns() override { return steady; }
  void sleep_ms(std::int64_t) override {}
  std::string address() const override { return ""; }
  std::uint32_t servers() const override { return static_cast<std::uint32_t>(acquire.size()); }

  std::vector<Does> acquire{5, Does::yes};
  std::vector<Does> release{5, Does::yes};
  std::int64_t answers_in_ms = 1;
  std::int64_t steady = 7 * kSecond_ns;
  std::vector<std::string> sent;

 private:
  static Reply answer(Does what) {
    if (what == Does::away) throw StatementFailed(true, Reason::unavailable, 0, "connect: refused");
    if (what == Does::silent) throw StatementFailed(false, Reason::timeout, 0, "no answer");
    if (what == Does::refuses) return Reply::refused(ErrorKind::unavailable, 1, "LOADING");
    Reply out;
    out.affected = what == Does::yes ? 1 : 0;
    return out;
  }
};

Claim claim_of(std::int64_t lease_ms) {
  Claim out;
  out.key = "k";
  out.owner = "o";
  out.lease_ms = lease_ms;
  return out;
}

Answer acquired(FiveServers& servers, const std::string& lock = "redis_quorum", std::int64_t lease_ms = 2000) {
  Claim claim = claim_of(lease_ms);
  return lock_type(lock).make()->acquire(servers, claim);
}

Answer acquired(std::vector<Does> acquire, std::vector<Does> release) {
  FiveServers servers;
  servers.acquire = std::move(acquire);
  servers.release = std::move(release);
  return acquired(servers);
}

Answer released(std::vector<Does> release) {
  FiveServers servers;
  servers.release = std::move(release);
  Claim claim = claim_of(2000);
  return lock_type("redis_quorum").make()->release(servers, claim);
}

constexpr Does Y = Does::yes;
constexpr Does N = Does::no;
constexpr Does A = Does::away;
constexpr Does S = Does::silent;
const std::vector<Does> kAllFree{5, Does::yes};

TEST(QuorumLock, AsksEachServerAndKeepsItsGrants) {
  FiveServers servers;
  EXPECT_EQ(acquired(servers).type, EventType::ok);
  EXPECT_EQ(servers.sent, (std::vector<std::string>{"acquire@0", "acquire@1", "acquire@2", "acquire@3", "acquire@4"}));
}

TEST(QuorumLock, NeedsAMajority) {
  EXPECT_EQ(acquired({Y, N, Y, N, Y}, kAllFree).type, EventType::ok);
  EXPECT_EQ(acquired({Y, A, Y, S, Y}, kAllFree).type, EventType::ok);
  const Answer two = acquired({Y, N, N, N, Y}, kAllFree);
  EXPECT_EQ(two.type, EventType::fail);
  EXPECT_EQ(two.reason, Reason::busy);
}

TEST(QuorumLock, FailedAcquireFreesAllServers) {
  FiveServers servers;
  servers.acquire = {Y, N, N, N, Y};
  acquired(servers);
  const std::vector<std::string> freed(servers.sent.begin() + 5, servers.sent.end());
  EXPECT_EQ(freed, (std::vector<std::string>{"release@0", "release@1", "release@2", "release@3", "release@4"}));
}

TEST(QuorumLock, NoAnsweringMajorityIsUnavailable) {
  const Answer away = acquired({A, A, A, Y, Y}, {A, A, A, Y, Y});
  EXPECT_EQ(away.type, EventType::fail);
  EXPECT_EQ(away.reason, Reason::unavailable);
}

TEST(QuorumLock, PossibleMajorityIsUncertain) {
  EXPECT_EQ(acquired({S, S, S, N, N}, {S, S, S, Y, Y}).type, EventType::info);
  EXPECT_EQ(acquired({S, S, S, N, N}, {S, S, Y, Y, Y}).type, EventType::fail);
  EXPECT_EQ(acquired({S, S, S, N, N}, {S, S, A, Y, Y}).type, EventType::info);
}

TEST(QuorumLock, LeaseUsedUpByAskingIsNotGranted) {
  FiveServers slow;
  slow.answers_in_ms = 395;  // five times that is 1975 ms: three less than 2000, a hundredth and two milliseconds off
  EXPECT_EQ(acquired(slow).type, EventType::ok);
  slow.answers_in_ms = 396;
  const Answer late = acquired(slow);
  EXPECT_EQ(late.type, EventType::fail);
  EXPECT_EQ(late.reason, Reason::busy);
  EXPECT_EQ(slow.sent.back(), "release@4");
  EXPECT_EQ(acquired(slow, "redis_quorum_unchecked").type, EventType::ok);
}

TEST(QuorumLock, BelievesForTheRemainingLease) {
  FiveServers servers;
  Claim claim = claim_of(1000);
  const auto lock = lock_type("redis_quorum").make();
  const std::int64_t began = servers.steady;
  EXPECT_EQ(lock->acquire(servers, claim).type, EventType::ok);
  EXPECT_EQ(claim.deadline_ns, began + 988 * kMillisecond_ns);
  servers.steady = claim.deadline_ns - 1;
  EXPECT_TRUE(lock->still_held(servers, claim));
  servers.steady = claim.deadline_ns;
  EXPECT_FALSE(lock->still_held(servers, claim));
  EXPECT_TRUE(lock_type("redis_quorum_unchecked").make()->still_held(servers, claim));
}

TEST(QuorumLock, ReleaseNeedsAMajority) {
  EXPECT_EQ(released({Y, Y, A, S, Y}).type, EventType::ok);
  const Answer over = released({N, N, N, A, Y});
  EXPECT_EQ(over.type, EventType::fail);
  EXPECT_EQ(over.reason, Reason::not_held);
  EXPECT_EQ(released({Y, Y, S, N, N}).type, EventType::info);
  EXPECT_EQ(released({Y, A, A, A, Y}).type, EventType::info);
}

TEST(QuorumLock, SingleServerStatementsHaveNoSuffix) {
  FiveServers one;
  one.acquire = one.release = {Y};
  EXPECT_EQ(acquired(one).type, EventType::ok);
  EXPECT_EQ(one.sent, std::vector<std::string>{"acquire"});
}

}  // namespace
}  // namespace holdfast
