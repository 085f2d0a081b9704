// A fault gets exactly the capabilities that its needs name, and names exactly those that it uses.
#include "nemesis/world.hpp"

#include <gtest/gtest.h>

#include <set>

#include "artifact/error.hpp"
#include "servers/server_type.hpp"
#include "tests/nemesis/carried_out.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

template <class Use>
std::string error_of(const Use& use) {
  try {
    use();
  } catch (const HarnessError& refused) {
    return refused.what();
  }
  return "";
}

TEST(World, GivesDeclaredCapabilities) {
  FakeWorld all;
  const World some = all.only({Capability::client_clocks}, "drift");
  some.use<ClientClocks>().set_offset(1, 7);
  EXPECT_EQ(all.told(), Tellings{"clock 7 1"});
  EXPECT_EQ(some.candidates().clients(), 5U);
}

TEST(World, RefusesUndeclaredCapabilities) {
  FakeWorld all;
  const World some = all.only({Capability::client_clocks}, "drift");
  EXPECT_EQ(error_of([&] { some.use<ClientNetwork>(); }),
            "drift uses client_network, which its needs do not name or this trial does not offer");
  EXPECT_THROW(some.unavailable(Capability::cluster_links), HarnessError);
}

TEST(World, RefusesUnofferedCapabilities) {
  FakeWorld all;
  all.take_away(Capability::client_clocks);
  EXPECT_EQ(error_of([&] { all.use<ClientClocks>(); }), "this trial does not offer client_clocks");
  EXPECT_THROW(all.only({Capability::client_clocks}, "drift").use<ClientClocks>(), HarnessError);
}

TEST(Capabilities, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const auto capability : all_capabilities()) names.insert(facts_of(capability).name);
  EXPECT_EQ(names.size(), kCapabilities);
  EXPECT_EQ(names.count(""), 0U);
  EXPECT_STREQ(facts_of(Capability::client_processes).name, "client_processes");
  EXPECT_STREQ(facts_of(Capability::server_clocks).name, "server_clocks");
  EXPECT_STREQ(facts_of(Capability::cluster_links).name, "cluster_links");
}

TEST(Capabilities, DependOnTheTopology) {
  const Topology single;
  Topology replica;
  replica.replica = true;
  Topology cluster;
  cluster.servers = 3;
  cluster.strikeable = false;
  const auto offering = [&](Capability capability) {
    return std::vector<bool>{is_offered(capability, single), is_offered(capability, replica),
                             is_offered(capability, cluster)};
  };
  EXPECT_EQ(offering(Capability::client_network), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(offering(Capability::server_processes), (std::vector<bool>{true, true, false}));
  EXPECT_EQ(offering(Capability::replication_link), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(offering(Capability::cluster_links), (std::vector<bool>{false, false, true}));
}

// Every way in which the catalogue's faults may act, where one case is not enough.
std::string example_with_all(const std::string& fault, const FaultType& type) {
  if (fault == "schedule") return R"({"at": {"time_ms": 0}, "target": "everyone", "words": "A A!lost B!cut C!crash"})";
  return type.example;
}

NemesisReport carried_out_example(FakeWorld& world, const std::string& fault, const FaultType& type) {
  const std::string example = example_with_all(fault, type);
  const std::string root = R"({"faults": [{"fault": ")" + fault + "\", " + example.substr(1) + "]}";
  const JsonNode node = parse_json_text(root, "x.json");
  ObjectReader in(node);
  world.holding = {2};
  return carried_out(world, {read_faults(in).at(0)});
}

class Needs : public testing::TestWithParam<std::string> {
 protected:
  const FaultType& type() const { return *find_entry(faults(), GetParam()); }
};

TEST_P(Needs, AreEnough) {
  FakeWorld world;
  for (const auto capability : all_capabilities()) {
    if (!type().uses(capability)) world.take_away(capability);
  }
  EXPECT_EQ(carried_out_example(world, GetParam(), type()).errors, Tellings{});
}

TEST_P(Needs, AreAllUsed) {
  for (const auto need : type().needs) {
    FakeWorld world;
    world.take_away(need);
    const auto errors = carried_out_example(world, GetParam(), type()).errors;
    ASSERT_FALSE(errors.empty()) << facts_of(need).name << " is not used";
    EXPECT_TRUE(contains(errors[0], std::string(" uses ") + facts_of(need).name)) << errors[0];
  }
}

// Its victims are clients or servers, as its needs say: not both.
TEST_P(Needs, AreOfOneSide) {
  std::set<Strikes> sides;
  for (const auto need : type().needs) sides.insert(facts_of(need).of);
  EXPECT_EQ(sides.size(), 1U);
  EXPECT_EQ(type().strikes_servers(), sides.count(Strikes::servers) == 1);
}

INSTANTIATE_TEST_SUITE_P(Each, Needs, testing::ValuesIn(entry_names(faults())),
                         [](const auto& at) { return at.param; });

}  // namespace
}  // namespace holdfast
