// Data for the page's scripts: unpacked here as a browser does it.
#include "reports/packed_trial.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "reports/packed_text.hpp"
#include "tests/reports/made_up_history.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

std::string bytes_of_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t kept = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    kept = kept << 6U | static_cast<std::uint32_t>(digits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(kept >> static_cast<unsigned>(bits) & 0xFFU);
  }
  return out;
}

nlohmann::json unpacked(const PackedText& packed) {
  const std::string bytes = bytes_of_base64(packed.text());
  std::string text(64 << 20, '\0');
  uLongf length = text.size();
  EXPECT_EQ(::uncompress(reinterpret_cast<Bytef*>(text.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()),
                         bytes.size()),
            Z_OK);
  text.resize(length);
  return nlohmann::json::parse(text);
}

Event made(std::uint64_t index, std::int64_t time_ns, EventType type, Op op, std::uint32_t client) {
  Event out;
  out.index = index;
  out.time_ns = time_ns;
  out.type = type;
  out.op = op;
  out.process = out.client = client;
  return out;
}

TEST(PackedText, IsStandardBase64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(bytes_of_hex("00fFa5")), "AP+l");
}

TEST(PackedText, RoundTrip) {
  const std::string text = "[1,2,\"</script>\"]";
  EXPECT_EQ(unpacked(packed_text(text)).dump(), text);
  EXPECT_EQ(packed_text(text).text().find('<'), std::string::npos);
}

TEST(Operations, PairsCallsWithAnswers) {
  Operations ops(0);
  ops.event(made(0, 1'000'000, EventType::invoke, Op::acquire, 3));
  ops.event(made(1, 1'500'000, EventType::invoke, Op::acquire, 4));
  Event granted = made(2, 3'000'000, EventType::ok, Op::acquire, 3);
  granted.token = 18'446'744'073'709'551'615U;
  granted.statements = {{"insert", 1'100'000, 2'900'000, 1, 0}, {"read", 2'950'000, 2'990'000, -1, 2013}};
  ops.event(granted);
  Event refused = made(3, 4'000'000, EventType::fail, Op::acquire, 4);
  refused.reason = Reason::busy;
  ops.event(refused);
  ops.event(made(4, 5'000'000, EventType::invoke, Op::release, 3));
  const auto out = ops.json();
  EXPECT_EQ(out["client"], nlohmann::json({3, 4, 3}));
  EXPECT_EQ(out["kind"], nlohmann::json({0, 0, 2}));
  EXPECT_EQ(out["type"], nlohmann::json({1, 2, 3})) << "never answered: nobody knows";
  EXPECT_EQ(out["reason"], nlohmann::json({0, 1, 0}));
  EXPECT_EQ(out["from"], nlohmann::json({1000, 500, 3500}));
  EXPECT_EQ(out["took"], nlohmann::json({2000, 2500, -1}));
  EXPECT_EQ(out["index"], nlohmann::json({0, 1, 3}));
  EXPECT_EQ(out["answer_after"], nlohmann::json({2, 2, 0}));
  EXPECT_EQ(out["tokens"].dump(), R"({"0":"18446744073709551615"})");
  EXPECT_EQ(out["names"], nlohmann::json({"insert", "read"}));
  EXPECT_EQ(out["statements"]["call"], nlohmann::json({100, 1950}));
  EXPECT_EQ(out["statements"]["rows"], nlohmann::json({1, -1}));
  EXPECT_EQ(out["statements"]["error"], nlohmann::json({0, 2013}));
}

TEST(Operations, SeparatesWatchdogRenewals) {
  Operations ops(0);
  ops.event(made(0, 1'000'000, EventType::invoke, Op::write, 1));
  Event renew = made(1, 1'100'000, EventType::invoke, Op::renew, 1);
  renew.background = true;
  ops.event(renew);
  ops.event(made(2, 1'200'000, EventType::ok, Op::write, 1));
  renew = made(3, 1'300'000, EventType::ok, Op::renew, 1);
  renew.background = true;
  ops.event(renew);
  const auto out = ops.json();
  EXPECT_EQ(out["took"], nlohmann::json({200, 200}));
  EXPECT_EQ(out["background"], nlohmann::json({1}));
}

// A long history keeps the neighbourhood of the moment, and the rest is counted.
TEST(Operations, KeepsTheNeighbourhoodOfAGivenTime) {
  constexpr std::uint64_t kAll = 350'000;
  for (const std::uint64_t moment : {std::uint64_t{0}, kAll / 2, kAll - 1}) {
    Operations ops(static_cast<std::int64_t>(moment * 1'000'000));
    for (std::uint64_t i = 0; i < kAll; ++i) {
      ops.event(made(2 * i, static_cast<std::int64_t>(i * 1'000'000), EventType::invoke, Op::acquire, 1));
      ops.event(made(2 * i + 1, static_cast<std::int64_t>(i * 1'000'000 + 1000), EventType::ok, Op::acquire, 1));
    }
    const auto out = ops.json();
    const std::size_t kept = out["from"].size();
    EXPECT_LE(kept, Operations::kMostOperations);
    EXPECT_EQ(kept + out["left_out"].get<std::size_t>(), kAll);
    const auto first = out["index"].front().get<std::uint64_t>() / 2;
    EXPECT_LE(first, moment);
    EXPECT_GT(first + kept, moment);
    EXPECT_EQ(out["took"].back(), 1);
  }
}

TEST(PackedTrial, ContainsAllDrawnParts) {
  const auto told = made_up::story("a", "pause", 1'000, 5, true);
  const auto out = unpacked(made_up::packed(told));
  EXPECT_EQ(out["keys"], nlohmann::json({"orders"}));
  EXPECT_EQ(out["ops"]["from"].size() * 2, told.events.size());
  EXPECT_EQ(out["spans"].size(), told.verdict.timeline.spans.size());
  ASSERT_GE(out["violations"].size(), 1U);
  const auto& first = told.verdict.find("mutual_exclusion")->witnesses.at(0);
  EXPECT_EQ(out["violations"][0]["from"], first.from_ns / 1000);
  EXPECT_EQ(out["faults"][0]["fault"], "pause");
  EXPECT_EQ(out["end"], told.verdict.timeline.end_ns / 1000);
}

TEST(PackedTrial, CountsViolationsWithoutWitness) {
  auto told = made_up::story("nowait_lease", "skew", 400, 4, true);
  EXPECT_TRUE(unpacked(made_up::packed(told))["unmarked"].empty());
  for (auto& property : told.verdict.properties) {
    if (!property.witnesses.empty()) property.count = 30;
  }
  const nlohmann::json out = unpacked(made_up::packed(told))["unmarked"];
  ASSERT_FALSE(out.empty());
  EXPECT_EQ(out[0]["count"], 30);
  EXPECT_LT(out[0]["kept"], 30);
}

TEST(PackedTrial, EscapesHostileNames) {
  auto told = made_up::story("a", "pause", 500, 3, true);
  told.names.keys = {made_up::kHostile};
  for (auto& event : told.events) {
    for (auto& statement : event.statements) statement.name = made_up::kHostile;
  }
  told.verdict.timeline.faults[0].detail = std::string(10'000, '<') + "\xff";
  const auto out = unpacked(made_up::packed(told));
  for (const std::string& name : {out["keys"][0].get<std::string>(), out["ops"]["names"][0].get<std::string>()}) {
    EXPECT_NE(name.find("\\xFF"), std::string::npos) << name;
    EXPECT_EQ(name.find('\x1b'), std::string::npos);
  }
}

// A history that is too long keeps the part around the first violation, even if it is the last part.
TEST(PackedTrial, KeepsTheViolationsNeighbourhood) {
  auto told = made_up::story("a", "pause", 500, 3, true);
  told.events.clear();
  constexpr std::int64_t kAll = 2 * Operations::kMostOperations;
  for (std::int64_t i = 0; i < kAll; ++i) {
    told.events.push_back(made(static_cast<std::uint64_t>(i), i * 1'000'000, EventType::invoke, Op::acquire, 1));
  }
  for (auto& property : told.verdict.properties) {
    for (auto& witness : property.witnesses) witness.from_ns = witness.to_ns = (kAll - 10) * 1'000'000;
  }
  const auto out = unpacked(made_up::packed(told));
  EXPECT_GT(out["ops"]["left_out"], 0);
  EXPECT_GT(out["ops"]["index"][0], kAll / 3) << "the first operations are gone";
}

TEST(PackedTrial, StaysSmall) {
  const auto told = made_up::story("a", "pause", 100'000, 8, true);
  EXPECT_GT(told.events.size(), 95'000U);
  EXPECT_LT(made_up::packed(told).size(), 1'000'000U);
}

}  // namespace
}  // namespace holdfast
