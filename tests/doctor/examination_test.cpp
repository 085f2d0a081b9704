// A diagnosis for people and programs; above all, nothing untried counts as well.
#include "doctor/examination.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/refusal.hpp"

namespace holdfast {
namespace {

Examination fault(const std::string& name, Health health, bool needed) {
  return {"fault", name, health, "as measured", "", needed, 0.5};
}

Diagnosis all_well() {
  return {"quick", {{"machine", "namespaces", Health::ok, "made", "", true, 0.1}, fault("pause", Health::ok, true)}};
}

TEST(Diagnosis, AllWell) {
  const Diagnosis found = all_well();
  EXPECT_TRUE(found.can_run());
  const std::string text = diagnosis_text(found);
  EXPECT_TRUE(contains(text, "OK    this machine can run quick\n"));
  EXPECT_TRUE(text.ends_with("faults available here: pause\n"));
  EXPECT_FALSE(contains(text, "FAIL"));
}

TEST(Diagnosis, NeededFaultThatIsNotOkBlocks) {
  for (const Health health : {Health::unavailable, Health::failed, Health::not_tried}) {
    Diagnosis found = all_well();
    found.all[1].health = health;
    EXPECT_FALSE(found.can_run()) << to_text(health);
    EXPECT_TRUE(contains(diagnosis_text(found), "FAIL  this machine cannot run quick: 1 of 2 requirements are not met"))
        << to_text(health);
    EXPECT_TRUE(contains(diagnosis_text(found), "faults available here: none; not: pause\n")) << to_text(health);
  }
  EXPECT_FALSE(Diagnosis{}.can_run()) << "nothing was examined";
}

TEST(Diagnosis, UnneededFaultDoesNotBlock) {
  Diagnosis found = all_well();
  found.all.push_back(fault("delay", Health::unavailable, false));
  found.all.push_back(fault("odd", Health::failed, false));
  EXPECT_TRUE(found.can_run());
  EXPECT_TRUE(contains(diagnosis_text(found), "as measured (not needed)"));
  EXPECT_TRUE(diagnosis_text(found).ends_with("faults available here: pause; not: delay, odd\n"));
}

TEST(Diagnosis, TextHasReasonAndRemedy) {
  Examination one = fault("partition", Health::failed, true);
  explain(one, "nft is not installed; remedy: apt-get install nftables");
  EXPECT_EQ(one.says, "nft is not installed");
  EXPECT_EQ(one.remedy, "apt-get install nftables");
  EXPECT_TRUE(contains(diagnosis_text({"quick", {one}}), "remedy: apt-get install nftables\n"));
  explain(one, "it broke");
  EXPECT_EQ(one.says, "it broke");
  EXPECT_EQ(one.remedy, "");
  EXPECT_FALSE(contains(diagnosis_text({"quick", {one}}), "remedy"));
}

TEST(Diagnosis, UntriedChecksShareOneLine) {
  Diagnosis found{"quick", {fault("a", Health::not_tried, true), fault("b", Health::not_tried, false)}};
  EXPECT_TRUE(diagnosis_text(found).starts_with("not tried    2 more"));
}

TEST(Diagnosis, AsJson) {
  Diagnosis found = all_well();
  found.all.push_back(fault("delay", Health::unavailable, false));
  const auto json = diagnosis_json(found);
  EXPECT_EQ(json["holdfast_doctor"], 1);
  EXPECT_EQ(json["can_run"], true);
  EXPECT_EQ(json["examinations"].size(), 3U);
  EXPECT_EQ(json["examinations"][2]["health"], "unavailable");
  EXPECT_EQ(json["faults_available"], nlohmann::ordered_json({"pause"}));
  EXPECT_EQ(json["faults_unavailable"], nlohmann::ordered_json({"delay"}));
}

}  // namespace
}  // namespace holdfast
