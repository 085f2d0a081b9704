// Memoized answers of a client must match its program: tried with small programs and no store.
#include "explore/memoized_client.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "explore/hidden_state.hpp"

namespace holdfast {
namespace {

// It is asked for nothing but the text of a statement.
class NoStore : public SteppedStore {
 public:
  void begin(std::int64_t, Beginning) override {}
  Command bind(std::size_t, std::string_view statement, Params) override { return {"", std::string(statement), {}}; }
  Executed run(std::size_t, const Command&, std::int64_t) override { return {}; }
  void end_session(std::size_t) override {}
  bool holds_session(std::size_t) const override { return false; }
  std::optional<std::vector<StoredRow>> content(const std::string&) override { return std::nullopt; }
  bool empties() const override { return true; }
  std::int64_t tick_us() const override { return 1; }
  bool tells_whole_seconds() const override { return false; }
};

Told answered(int number) {
  auto executed = std::make_shared<Executed>();
  executed->reply.affected = number;
  executed->print = static_cast<std::uint64_t>(number);
  return {0, 0, executed, nullptr, nullptr};
}

Told at(std::int64_t now_us) {
  return {now_us, 0, nullptr, nullptr, nullptr};
}

// Asks three times; each statement says what the answers before it were, and the last what the time is.
struct Asker {
  explicit Asker(std::shared_ptr<TurnMemory> shared = std::make_shared<TurnMemory>()) : memory(std::move(shared)) {}
  void run() {
    ++runs;
    std::string heard = "s";
    for (int i = 0; i < 3; ++i) {
      heard += std::to_string(simulated->attempt(heard, {}).affected) + (moody ? "?" : "");
      simulated->say({ClientAnnouncement::Kind::left, Op::write, false, {}, heard});
    }
    heard += std::to_string(simulated->steady_ns());
    simulated->attempt(heard, {});
  }

  NoStore store;
  SimulatedClient* simulated = new SimulatedClient(0, 0, store, "10.0.0.1");
  std::shared_ptr<TurnMemory> memory;
  MemoizedClient remembered{std::unique_ptr<SimulatedClient>(simulated), memory, [this] { run(); }};
  int runs = 0;
  bool moody = false;
};

std::string asked(const ClientTurn& turn) {
  return turn.sent ? turn.sent->text : "";
}

TEST(MemoizedClient, RunsItsProgramOnceForEachAnswer) {
  Asker it;
  for (int schedule = 0; schedule < 3; ++schedule) {
    const ClientTurn& first = it.remembered.take(kNotBegun, {});
    EXPECT_EQ(asked(first), "s");
    const ClientTurn& second = it.remembered.take(first.state, answered(7));
    EXPECT_EQ(asked(second), "s7");
    ASSERT_EQ(second.said.size(), 1U);
    EXPECT_EQ(second.said[0].what, "s7");
  }
  EXPECT_EQ(it.runs, 1);
}

TEST(MemoizedClient, ResumesFromAnyEarlierState) {
  Asker it;
  const ClientTurn& first = it.remembered.take(kNotBegun, {});
  const ClientTurn& seven = it.remembered.take(first.state, answered(7));
  const ClientTurn& eight = it.remembered.take(first.state, answered(8));
  EXPECT_EQ(asked(eight), "s8");
  EXPECT_EQ(asked(it.remembered.take(seven.state, answered(1))), "s71");
  EXPECT_EQ(asked(it.remembered.take(eight.state, answered(1))), "s81");
  EXPECT_GT(it.runs, 1);
}

TEST(MemoizedClient, TimeIsPartOfItsInput) {
  Asker it;
  std::uint64_t state = it.remembered.take(kNotBegun, {}).state;
  for (int i = 0; i < 3; ++i) state = it.remembered.take(state, answered(i)).state;
  EXPECT_EQ(asked(it.remembered.take(state, at(5))), "s0125000");
  EXPECT_EQ(asked(it.remembered.take(state, at(6))), "s0126000");
}

// A wait that is over and a deadlock's victim are answers that no store gave.
TEST(MemoizedClient, SimulatedErrorsAreDistinguished) {
  Asker it;
  const ClientTurn& first = it.remembered.take(kNotBegun, {});
  const auto refused = [](int error) {
    auto executed = std::make_shared<Executed>();
    executed->reply = Reply::refused(ErrorKind::conflict, error, "");
    return Told{0, 0, executed, nullptr, nullptr};
  };
  const std::uint64_t waited = it.remembered.take(first.state, refused(1)).state;
  EXPECT_NE(it.remembered.take(first.state, refused(2)).state, waited);
}

TEST(MemoizedClient, TwoMayShareAMemory) {
  Asker one;
  Asker other(one.memory);
  const ClientTurn& first = one.remembered.take(kNotBegun, {});
  const ClientTurn& second = one.remembered.take(first.state, answered(7));
  EXPECT_EQ(asked(other.remembered.take(first.state, answered(7))), "s7");
  EXPECT_EQ(other.runs, 0);
  EXPECT_EQ(asked(other.remembered.take(second.state, answered(1))), "s71");
  EXPECT_EQ(other.runs, 1);
}

TEST(MemoizedClient, DivergingProgramIsAnError) {
  Asker it;
  const ClientTurn& first = it.remembered.take(kNotBegun, {});
  const ClientTurn& second = it.remembered.take(first.state, answered(7));
  it.remembered.take(first.state, answered(8));
  it.moody = true;
  EXPECT_THROW(it.remembered.take(second.state, answered(2)), HiddenState);
}

// Against a simulated client without a memory.
RC_GTEST_PROP(MemoizedClient, MatchesItsProgram, ()) {
  Asker it;
  for (int schedule = 0; schedule < 8; ++schedule) {
    Asker plain;
    plain.remembered.direct(true);
    std::uint64_t state = kNotBegun;
    Told told;
    for (bool ended = false; !ended;) {
      const ClientTurn expected = plain.remembered.take(state, told);
      const ClientTurn& turn = it.remembered.take(state, told);
      RC_ASSERT(asked(turn) == asked(expected));
      RC_ASSERT(turn.state == expected.state);
      RC_ASSERT(turn.waits == expected.waits);
      RC_ASSERT(turn.ended == expected.ended);
      ended = turn.ended;
      state = turn.state;
      told = turn.waits == Waits::statement ? answered(*rc::gen::inRange(0, 2)) : at(3);
    }
  }
}

}  // namespace
}  // namespace holdfast
