// The fault that gives a client's address to another host: what it takes for proof, and whom it may strike.
#include <gtest/gtest.h>

#include "nemesis/nemesis.hpp"
#include "tests/nemesis/fake_world.hpp"
#include "tests/nemesis/fault_specs.hpp"

namespace holdfast {
namespace {

const Victims kVictim{2};

std::unique_ptr<Fault> address_reuse() {
  return make_fault(fault_spec("address_reuse", kAtPhase, R"(, "for_ms": 1)"));
}

TEST(AddressReuse, NeedsTheNewHostToAnswerAtTheAddress) {
  FakeWorld world;
  const auto fault = address_reuse();
  fault->act(world, kVictim);
  EXPECT_EQ(world.told(), (std::vector<std::string>{"give address 2"}));
  const auto acted = fault->acted(world, kVictim);
  ASSERT_TRUE(acted);
  EXPECT_EQ(*acted, "10.0.0.9 moved to another host: its probe was answered, the old host's was not");
  EXPECT_FALSE(fault->healed(world, kVictim)) << "the old host is away still";
  fault->heal(world, kVictim);
  EXPECT_EQ(fault->healed(world, kVictim), "the old host is back as 10.0.1.1");
  EXPECT_FALSE(fault->acted(world, kVictim)) << "the old host is answered";
}

TEST(AddressReuse, OldHostAtTheOldAddressIsNotAHeal) {
  FakeWorld world;
  const auto fault = address_reuse();
  fault->act(world, kVictim);
  ASSERT_TRUE(fault->acted(world, kVictim));
  world.comes_back_as = "10.0.0.9";
  fault->heal(world, kVictim);
  EXPECT_FALSE(fault->healed(world, kVictim));
}

TEST(AddressReuse, WithoutASecondHostDoesNotAct) {
  FakeWorld world;
  world.deaf = true;
  const auto fault = address_reuse();
  fault->act(world, kVictim);
  EXPECT_FALSE(fault->acted(world, kVictim));
}

}  // namespace
}  // namespace holdfast
