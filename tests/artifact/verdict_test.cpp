#include "artifact/verdict.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/run_verdict.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::json;

TrialVerdict full_trial() {
  TrialVerdict t;
  t.lock = "insert_lease";
  t.scenario = "pause";
  t.seed = 18'446'744'073'709'551'615U;
  t.model = "lease";
  t.clients = 5;
  t.judgement = Judgement::violated;
  t.measures = {100, 20, 70, 1, 2, 3, 400, 500};
  PropertyVerdict p;
  p.property = "mutual_exclusion";
  p.judgement = Judgement::violated;
  p.kind = "overrun";
  p.kinds = {{"overrun", 2}, {"algorithm", 1}};
  p.reason = "r";
  p.count = 3;
  p.total_ns = 812'000'000;
  p.witnesses = {{"orders", "overrun", {880, 881, 930}, {3, 7}, -5, 15'015, "text"}};
  p.coverage = {{"grants", 20}};
  t.properties = {p};
  t.timeline.end_ns = 9'000;
  t.timeline.cut = true;
  t.timeline.spans = {{3, "orders", 1, 2, 3, 4, 5, {true, true}}};
  t.timeline.faults = {{"pause", {3}, 1, 2, "stopped", "late"}};
  t.timeline.writes = {{3, "orders", 7, "ok", 8}};
  return t;
}

RunVerdict full_run() {
  RunVerdict run;
  run.not_tried = {{"my_lock", "reenter", "it does not promise that"}};
  run.version = "0.1.0";
  run.started_utc = "2026-01-31T12:00:00Z";
  run.suite = "quick";
  run.server = "MariaDB";
  run.command = "holdfast run";
  run.seed = 42;
  run.seconds = 1.5;
  run.interrupted = true;
  run.exit_code = 130;
  run.sentence = "PASS";
  run.seeds = {42, 18'446'744'073'709'551'615U};
  run.stopped = "interrupted";
  run.locks = {"insert_lease"};
  run.scenarios = {"pause"};
  run.faults = {{"pause", 1, 2, "d", "u"}};
  Cell cell;
  cell.lock = "insert_lease";
  cell.scenario = "pause";
  cell.outcome = Outcome::missed;
  cell.trials_as_expected = 1;
  cell.expected = {{"resource", "violated"}};
  cell.why = "because";
  TrialResult trial;
  trial.number = 2;
  trial.seed = 9'223'372'036'854'775'809U;
  trial.folder = "insert_lease/pause/2";
  trial.outcome = Outcome::unexpected;
  trial.error = "e";
  trial.mismatches = {{"resource", "holds", "violated"}};
  trial.verdict = full_trial();
  trial.faults = {{"pause", 1, 1, "", ""}};
  trial.causes = {
      {"resource", "client_skew", true, {"client_skew"}, CauseState::unconfirmed, 1, 2, "n", {"f/control-1"}}};
  trial.seconds = 2.25;
  cell.suite = "quick";
  cell.planned = 4;
  trial.cpu_seconds = 0.5;
  cell.trials = {trial};
  run.cells = {cell};
  return run;
}

// Every field of the original differs from its default, so a field that is lost on the way changes the JSON.
TEST(VerdictJson, RoundTrip) {
  const Json json = to_json(full_trial());
  const TrialVerdict back = from_json<TrialVerdict>(Json::parse(json.dump()));
  EXPECT_EQ(to_json(back), json);
  EXPECT_EQ(back.seed, 18'446'744'073'709'551'615U);
  EXPECT_EQ(back.properties.at(0).witnesses.at(0).clients, (std::vector<std::uint32_t>{3, 7}));
  EXPECT_EQ(back.timeline.spans.at(0).lease_end_ns, 3);
  EXPECT_NE(to_json(TrialVerdict{}), json);
}

TEST(VerdictJson, RunRoundTripsWithoutTimelines) {
  const Json json = to_json(full_run());
  const RunVerdict back = from_json<RunVerdict>(Json::parse(json.dump()));
  EXPECT_EQ(to_json(back), json);
  EXPECT_EQ(back.cells.at(0).trials.at(0).seed, 9'223'372'036'854'775'809U);
  EXPECT_EQ(back.cells.at(0).trials.at(0).outcome, Outcome::unexpected);
  EXPECT_TRUE(back.cells.at(0).trials.at(0).verdict.timeline.spans.empty());
  EXPECT_EQ(back.cells.at(0).trials.at(0).verdict.measures.wait_p99_ns, 500);
}

std::string refusal(const Json& json) {
  try {
    from_json<RunVerdict>(json);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(VerdictJson, RefusesEveryMissingKeyByItsPath) {
  const Json whole = to_json(full_run());
  const Json flat = whole.flatten();
  int tried = 0;
  for (const auto& [pointer, value] : flat.items()) {
    const Json::json_pointer at(pointer);
    const auto key = at.back();
    const bool named = key.find_first_not_of("0123456789") != std::string::npos;
    const std::string parent = at.parent_pointer().to_string();
    // Entries of open maps may be missing; so may items of arrays.
    const bool open = parent.ends_with("/expected") || parent.ends_with("/coverage") || parent.ends_with("/kinds");
    if (!named || open) continue;
    Json cut = whole;
    cut[at.parent_pointer()].erase(key);
    const std::string why = refusal(cut);
    EXPECT_TRUE(why.ends_with("." + key + ": missing") || why == key + ": missing") << pointer << ": " << why;
    cut[at.parent_pointer()][key] = Json::array({1, Json::object()});
    EXPECT_NE(refusal(cut), "accepted") << pointer;
    ++tried;
  }
  EXPECT_GT(tried, 60);
}

TEST(VerdictJson, NamesAnOldForm) {
  Json json = to_json(full_run());
  json["holdfast_run"] = 3;
  EXPECT_EQ(refusal(json),
            "holdfast_run: form 3 was written by an older holdfast; this version reads form 5; docs/changes.md lists "
            "the renamed keys; remedy: run it again");
  json["holdfast_run"] = 6;
  EXPECT_EQ(refusal(json), "holdfast_run: form 6 was written by a newer holdfast; this version reads 5");
}

TEST(VerdictJson, RefusesWrongShapes) {
  EXPECT_NE(refusal(Json::array()), "accepted");
  EXPECT_NE(refusal(nullptr), "accepted");
  const auto changed = [](const char* pointer, Json value) {
    Json json = to_json(full_run());
    json[Json::json_pointer(pointer)] = std::move(value);
    return refusal(json);
  };
  EXPECT_EQ(changed("/holdfast_run", 5), "accepted");
  EXPECT_NE(changed("/cells/0/trials/0/causes/0/state", "sure"), "accepted");
  EXPECT_NE(changed("/seeds", Json::array({"1", "-1"})), "accepted");
  EXPECT_EQ(changed("/cells/0/outcome", "perfect"), "cells[0].outcome: unknown word 'perfect'");
  EXPECT_EQ(changed("/cells/0/extra", 1), "cells[0].extra: unknown key");
  EXPECT_NE(changed("/seed", 42), "accepted");
  EXPECT_NE(changed("/seed", "-1"), "accepted");
  EXPECT_NE(changed("/seed", "18446744073709551616"), "accepted");
  EXPECT_NE(changed("/seconds", -1.0), "accepted");
  EXPECT_NE(changed("/exit_code", 1.0), "accepted");
  EXPECT_NE(changed("/cells/0/trials/0/number", 18'446'744'073'709'551'615U), "accepted");
  EXPECT_NE(changed("/cells/0/trials/0/verdict/properties/0/witnesses/0/from_ns", INT64_MIN), "accepted");
  EXPECT_NE(changed("/cells/0/trials/0/verdict/properties/0/judgement", "maybe"), "accepted");
}

TEST(VerdictJson, RefusesAnUnknownAnswerToAWrite) {
  Json json = to_json(full_trial());
  json["timeline"]["writes"][0]["result"] = "maybe";
  EXPECT_THROW(from_json<TrialVerdict>(json), BadInput);
  json["timeline"]["writes"][0]["result"] = "info";
  EXPECT_NO_THROW(from_json<TrialVerdict>(json));
}

TEST(VerdictJson, WritesValidTextForAnyBytes) {
  RunVerdict run = full_run();
  const std::string bad = "a\xff\xc3";
  run.server = run.command = run.cells[0].lock = run.cells[0].trials[0].error = bad;
  run.cells[0].expected = {{bad, bad}};
  run.cells[0].trials[0].verdict.properties[0].witnesses[0].text = bad;
  run.cells[0].trials[0].verdict.properties[0].coverage = {{bad, 1}};
  std::string text;
  ASSERT_NO_THROW(text = to_json(run).dump());
  EXPECT_EQ(from_json<RunVerdict>(Json::parse(text)).server, "a\xEF\xBF\xBD\xEF\xBF\xBD");
  TrialVerdict trial = full_trial();
  trial.timeline.spans[0].key = trial.timeline.faults[0].detail = trial.timeline.writes[0].key = bad;
  EXPECT_NO_THROW(to_json(trial).dump());
}

}  // namespace
}  // namespace holdfast
