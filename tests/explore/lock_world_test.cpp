// explore on small locks with a store in memory: each flaw with a sound twin beside it.
#include "explore/lock_world.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "explore/explorer.hpp"
#include "explore/hidden_state.hpp"
#include "tests/explore/lease_store.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kMs_ns = 1'000'000;

// Sound: the owner is compared, the lease is the store's.
class Plain : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply taken = session.execute(
        "acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl", claim.lease_ms * 1000}, {"wait", wait_us()}});
    return taken.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer renew(Session& session, Claim& claim) override {
    const Reply renewed =
        session.execute("renew", {{"key", claim.key}, {"owner", claim.owner}, {"ttl", claim.lease_ms * 1000}});
    return renewed.affected > 0 ? Answer::done() : Answer::not_held();
  }
  Answer release(Session& session, Claim& claim) override {
    const Reply freed = session.execute("release", {{"key", claim.key}, {"owner", claim.owner}});
    return freed.affected > 0 ? Answer::done() : Answer::not_held();
  }

 protected:
  virtual std::int64_t wait_us() const { return 0; }
};

class NeverFrees : public Plain {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t for_ever_us = 1'000'000 * kSecond_us;
    const Reply taken = session.execute("acquire", {{"key", claim.key}, {"owner", claim.owner}, {"ttl", for_ever_us}});
    return taken.affected > 0 ? Answer::granted() : Answer::busy();
  }
  Answer release(Session&, Claim&) override { return Answer::done(); }
};

class Waiting : public Plain {
  std::int64_t wait_us() const override { return 2 * kSecond_us; }
};

// Keeps the lease in whole seconds, as an interface that takes them.
class WholeSeconds : public Plain {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    Claim cut = claim;
    cut.lease_ms = claim.lease_ms / 1000 * 1000;
    return Plain::acquire(session, cut);
  }
};

// A client that was refused once takes the key by force: only an object that is kept remembers it.
class Impatient : public Plain {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    if (refused_) {
      session.execute("force", {{"key", claim.key}, {"owner", claim.owner}, {"ttl", claim.lease_ms * 1000}});
      return Answer::granted();
    }
    const Answer answer = Plain::acquire(session, claim);
    refused_ = answer.type != EventType::ok;
    return answer;
  }

 private:
  bool refused_ = false;
};

// Keeps something as well, and does nothing wrong with it.
class Counting : public Plain {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    ++attempts_;
    return Plain::acquire(session, claim);
  }

 private:
  int attempts_ = 0;
};

// Releases what its first grant was called, from the second on: nothing is freed until the lease is over.
class FirstOwner : public Plain {
 public:
  Answer release(Session& session, Claim& claim) override {
    if (first_.empty()) first_ = claim.owner;
    Claim first = claim;
    first.owner = first_;
    return Plain::release(session, first);
  }

 private:
  std::string first_;
};

// Looks at its deadline, which it counts from before it asks, on the steady clock.
class Honest : public Plain {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t asked_ns = session.steady_ns();
    const Answer answer = Plain::acquire(session, claim);
    claim.deadline_ns = asked_ns + claim.lease_ms * kMs_ns;
    return answer;
  }
  bool still_held(Session& session, const Claim& claim) override { return session.steady_ns() < claim.deadline_ns; }
};

class CountsFromTheReply : public Honest {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Answer answer = Plain::acquire(session, claim);
    claim.deadline_ns = session.steady_ns() + claim.lease_ms * kMs_ns;
    return answer;
  }
};

class WallClock : public Plain {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t asked_ns = session.now_ns();
    const Answer answer = Plain::acquire(session, claim);
    claim.deadline_ns = asked_ns + claim.lease_ms * kMs_ns;
    return answer;
  }
  bool still_held(Session& session, const Claim& claim) override { return session.now_ns() < claim.deadline_ns; }
};

class AsksTheServer : public Plain {
 public:
  bool still_held(Session& session, const Claim& claim) override {
    return session.execute("look", {{"key", claim.key}, {"owner", claim.owner}}).field(0, 0) == "1";
  }
};

// Two that hide something where nothing can follow it.
class StaticCounter : public Plain {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    static int attempts = 0;
    claim.owner += "-" + std::to_string(++attempts);
    return Plain::acquire(session, claim);
  }
};

class RandomOwner : public Plain {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    claim.owner += "-" + std::to_string(std::random_device{}());
    return Plain::acquire(session, claim);
  }
};

template <class Kind>
LockType type_of() {
  LockType out;
  out.make = [] { return std::unique_ptr<Lock>(new Kind); };
  return out;
}

struct Exploration {
  explicit Exploration(LockType lock_type) : type(std::move(lock_type)) {
    job.limits = {.bounds = {1, 1, 1}, .budget_s = 300};
    job.settings.lock = "redis_token";  // not asked: the type is given
  }
  Explored run() {
    return explore(job, type, {[this](int) { return make ? make() : std::make_unique<LeaseStore>(guard_us); }});
  }
  // The violated invariants, with "?" if the search was cut off.
  std::string found() {
    const Explored explored = run();
    std::string out = explored.numbers.complete ? "" : "? ";
    for (const auto& find : explored.finds) {
      const std::string name = find.violation.invariant + " ";
      if (find.violation.severe && out.find(name) == std::string::npos) out += name;
    }
    return out;
  }
  LockType type;
  ExploreJob job;
  std::int64_t guard_us = 0;
  std::function<std::unique_ptr<SteppedStore>()> make;  // nothing: a LeaseStore with that guard
};

TEST(LockWorld, SoundLockHasNoFindsForAnyLease) {
  for (const std::int64_t lease_ms : {1, 2000, 3500, 100'000}) {
    Exploration it(type_of<Plain>());
    it.type.renews = true;
    it.job.settings.lease_ms = lease_ms;
    EXPECT_EQ(it.found(), "") << lease_ms;
  }
}

TEST(LockWorld, DeclaredGuardTimeIsNotStuck) {
  Exploration it(type_of<Plain>());
  it.guard_us = 20 * kSecond_us;
  EXPECT_EQ(it.found(), "stuck ");
  it.type.guard_ms = 20'000;
  EXPECT_EQ(it.found(), "");
}

TEST(LockWorld, LockThatIsNeverFreeIsStuck) {
  Exploration it(type_of<NeverFrees>());
  it.type.guard_ms = 20'000;
  EXPECT_EQ(it.found(), "stuck ");
}

TEST(LockWorld, WholeSecondLockPromisesWholeSeconds) {
  Exploration it(type_of<WholeSeconds>());
  it.job.settings.lease_ms = 1900;
  it.job.limits.bounds.faults = 0;
  EXPECT_NE(it.found().find("two_holders"), std::string::npos) << "it promises 1.9 s and keeps 1 s";
  it.type.whole_seconds = true;
  EXPECT_EQ(it.found(), "");
  EXPECT_EQ(it.run().promised_lease_ms, 2000);
}

TEST(LockWorld, WaitingAcquireIsExplored) {
  Exploration it(type_of<Waiting>());
  it.type.waits = true;
  EXPECT_EQ(it.found(), "");
  EXPECT_GT(it.run().grants, 0U);
}

TEST(LockWorld, StateKeptBetweenAttemptsIsFollowed) {
  EXPECT_NE(Exploration(type_of<Impatient>()).found().find("two_holders"), std::string::npos);
  EXPECT_NE(Exploration(type_of<FirstOwner>()).found().find("lost_inside_lease"), std::string::npos);
  EXPECT_EQ(Exploration(type_of<Counting>()).found(), "");
}

TEST(LockWorld, KeptStateIsFoundWithAndWithoutMerging) {
  for (const bool merge : {true, false}) {
    Exploration it(type_of<Impatient>());
    it.job.limits.bounds = {1, 0, 0};
    it.job.limits.merge = merge;
    EXPECT_NE(it.found().find("two_holders"), std::string::npos) << merge;
  }
}

TEST(LockWorld, KnowsWhetherALockKeepsState) {
  EXPECT_TRUE(keeps_nothing(type_of<Plain>()));
  EXPECT_FALSE(keeps_nothing(type_of<Impatient>()));
  EXPECT_FALSE(keeps_nothing(type_of<FirstOwner>()));
  EXPECT_TRUE(Exploration(type_of<Plain>()).run().lock_keeps_nothing);
  EXPECT_FALSE(Exploration(type_of<Counting>()).run().lock_keeps_nothing);
  for (const auto& lock : locks()) {
    const bool of_a_thread = lock.name.starts_with("nowait_");  // document 003 keeps the owner in the thread
    // These remember the ETag of what another client holds; a lock's file and the client's clock need none.
    const bool of_an_etag =
        lock.name.starts_with("s3_") && lock.name != "s3_lock_file" && lock.name != "s3_client_clock";
    EXPECT_EQ(keeps_nothing(*lock.type), !of_a_thread && !of_an_etag) << lock.name;
  }
}

TEST(LockWorld, AFalseLookIsTheLocksFault) {
  Exploration reply(type_of<CountsFromTheReply>());
  reply.job.limits.bounds = {0, 2, 0};
  EXPECT_EQ(reply.found(), "false_look ");
  Exploration wall(type_of<WallClock>());
  EXPECT_EQ(wall.found(), "false_look ");
  wall.job.limits.bounds.faults = 0;
  EXPECT_EQ(wall.found(), "") << "only a clock that is set while it holds makes it false";
}

TEST(LockWorld, TrueLookHasNoFind) {
  EXPECT_EQ(Exploration(type_of<Honest>()).found(), "");
  EXPECT_EQ(Exploration(type_of<AsksTheServer>()).found(), "");
  Exploration renewing(type_of<Honest>());
  renewing.type.renews = true;
  EXPECT_EQ(renewing.found(), "");
}

// Each of its beginnings is made again.
struct HidingStore : LeaseStore {
  bool hides_state() const override { return true; }
};

// Workers take one another's places, and may never have begun a schedule themselves.
TEST(LockWorld, WorkerContinuesFromAnothersPlace) {
  const LockType type = type_of<Plain>();
  ExploreSettings settings;
  settings.lock = "redis_token";
  for (const Beginning beginning : {Beginning::new_names, Beginning::emptied, Beginning::new_tables}) {
    const LockMemories memories(settings);
    LockWorld one(settings, type, std::make_unique<LeaseStore>(), memories, 0);
    LockWorld other(settings, type, std::make_unique<LeaseStore>(), memories, 1);
    for (LockWorld* world : {&one, &other}) {
      world->begin_with(beginning);
      world->learn();
    }
    one.reset();
    one.take(one.options().front().word);
    const auto place = one.here();
    other.go_to(*place);
    for (auto all = one.options(); !all.empty(); all = one.options()) {
      one.take(all.front().word);
      other.take(all.front().word);
      ASSERT_EQ(other.state(), one.state());
    }
    EXPECT_GT(one.statements().asked + one.statements().memoized, 0U);
    one.go_to(*place);
    EXPECT_FALSE(one.options().empty()) << "the place is still what it was";
  }
}

TEST(LockWorld, TwoWorkersFindTheSameWithFreshSchedules) {
  Exploration sound(type_of<Plain>());
  Exploration flawed(type_of<Impatient>());
  for (Exploration* it : {&sound, &flawed}) {
    it->job.jobs = 2;
    it->make = [] { return std::make_unique<HidingStore>(); };
  }
  EXPECT_EQ(sound.found(), "");
  EXPECT_NE(flawed.found().find("two_holders"), std::string::npos);
}

template <class Kind>
std::string refusal() {
  try {
    return Exploration(type_of<Kind>()).found();
  } catch (const HiddenState& hidden) {
    return hidden.what();
  }
}

TEST(LockWorld, HiddenStateIsNamedAndGivesNoVerdict) {
  for (const std::string& text : {refusal<StaticCounter>(), refusal<RandomOwner>()}) {
    EXPECT_NE(text.find("acquire orders A1-"), std::string::npos) << text;
    EXPECT_NE(text.find("static or global variable"), std::string::npos) << text;
    EXPECT_NE(text.find("Remedy: take values from the claim"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace holdfast
