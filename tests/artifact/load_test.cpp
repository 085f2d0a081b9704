// A scenario's load: single leases, keys, owners, threads; and refused settings.
#include "artifact/load.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

Load load_of(const std::string& keys) {
  const JsonNode root = parse_json_text("{" + keys + "}", "a.json");
  ObjectReader in(root);
  Load load;
  read_load_keys(in, load);
  in.finish();
  return load;
}

void load_refused(const std::string& keys, const std::string& why) {
  try {
    load_of(keys);
    FAIL() << keys << " was taken";
  } catch (const BadInput& bad) {
    EXPECT_NE(std::string(bad.what()).find(why), std::string::npos) << bad.what();
  }
}

TEST(Load, LeasesAreTakenInTurn) {
  const Load load = load_of(R"("lease_ms": [500, 2000, 1500])");
  EXPECT_EQ(lease_ms_of(load, 0), 500);
  EXPECT_EQ(lease_ms_of(load, 4), 2000);
  EXPECT_EQ(load.lease_ms, 2000) << "the longest, by which a trial's end is measured";
  EXPECT_EQ(lease_ms_of(load_of(R"("lease_ms": 700)"), 9), 700);
  load_refused(R"("lease_ms": [500, 99])", "must be from 100");
  load_refused(R"("lease_ms": [])", "give 1 to 200 values");
  load_refused(R"("lease_ms": "long")", "expected an integer");
}

TEST(Load, KeysAreExactTextsOrNull) {
  const Load load = load_of(R"("keys": ["order", "Order", "order ", "", "o\u0000", null])");
  EXPECT_EQ(load.keys, 6);
  EXPECT_EQ(key_text(load, 2), "order ");
  EXPECT_EQ(key_text(load, 5), std::nullopt);
  EXPECT_EQ(key_names(load)[5], "<NULL>");
  EXPECT_EQ(key_names(load)[4], std::string("o\0", 2));
  EXPECT_EQ(key_names(load_of(R"("keys": 2)")), (std::vector<std::string>{"k0", "k1"}));
  load_refused(R"("keys": ["a", "b", "a"])", "duplicate");
  load_refused(R"("keys": [null, "<NULL>"])", "the same name in the history");
  load_refused(R"("keys": [])", "array of keys");
  load_refused(R"("keys": [1])", "string or null");
  load_refused(R"("keys": 65)", "must be from 1 to 64");
}

TEST(Load, EachClientMayHaveItsOwnKeys) {
  const Load load = load_of(R"("keys_of": [["b", "a"], ["a", null]])");
  EXPECT_EQ(key_names(load), (std::vector<std::string>{"b", "a", "<NULL>"})) << "without `keys`, as they come up";
  EXPECT_EQ(keys_of_client(load, 0), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(keys_of_client(load, 3), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(keys_of_client(load_of(R"("keys": 2)"), 7), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(keys_of_client(load_of(R"("keys": 3, "keys_of": [["k2"]])"), 0), std::vector<std::uint32_t>{2});
  load_refused(R"("keys": ["a"], "keys_of": [["a"], ["b"]])", "is not in 'keys'");
  load_refused(R"("keys_of": ["a"])", "array of keys");
}

TEST(Load, KeysAtOnceAreBoundedByTheClientsKeys) {
  EXPECT_EQ(load_of(R"("keys": 3, "keys_at_once": 3)").keys_at_once, 3);
  load_refused(R"("keys": 2, "keys_at_once": 3)", "client 0 has 2 keys");
  load_refused(R"("keys_of": [["a", "b"], ["a"]], "keys_at_once": 2)", "client 1 has 1 keys");
}

TEST(Load, OwnersHaveKnownPlacesOnly) {
  EXPECT_EQ(load_of(R"("owners": ["job-{uuid}", "Job "])").owners.size(), 2U);
  EXPECT_EQ(load_of(R"("owners": "one for all")").owners.size(), 1U);
  load_refused(R"("owners": "job-{uid}")", "did you mean 'uuid'");
  load_refused(R"("values": [1])", "expected a string");
}

TEST(Load, ThreadsAreBounded) {
  EXPECT_EQ(load_of(R"("clients": 2, "threads": 3)").threads, 3);
  load_refused(R"("threads": 9)", "must be from 1 to 8");
  load_refused(R"("clients": 100, "threads": 6)", "clients times threads");
}

TEST(Load, PlanRoundTripKeepsLoad) {
  const std::string text =
      R"("lease_ms": [500, 700], "keys_of": [["a ", null], ["b", "a "]], "keys_at_once": 2, "owners": ["x", "X"],
         "values": "v-{grant}", "threads": 2)";
  const Load load = load_of(text);
  const std::string written = to_json(load).dump();
  EXPECT_EQ(to_json(load_of(written.substr(1, written.size() - 2))).dump(), written);
  EXPECT_NE(written.find(R"("keys_of":[["a ",null],["b","a "]])"), std::string::npos) << written;
  EXPECT_EQ(to_json(Load{}).count("threads"), 0U) << "the usual is not told";
}

TEST(Load, LocksOwnLeaseReplacesAllLeases) {
  Load load = load_of(R"("lease_ms": [500, 700], "keys_of": [["a"], ["b"]])");
  const JsonNode root = parse_json_text(R"({"lease_ms": 900, "keys": 2})", "a.json");
  ObjectReader in(root);
  read_load_keys(in, load);
  EXPECT_EQ(lease_ms_of(load, 1), 900);
  EXPECT_EQ(key_names(load), (std::vector<std::string>{"k0", "k1"}));
}

}  // namespace
}  // namespace holdfast
