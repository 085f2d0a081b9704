// The cells of a shard, and the shard number of an array job.
#include "suite/shard.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "tests/suite/plan_cells_fixture.hpp"

namespace holdfast {
namespace {

TEST(Shards, AreCountedFromOne) {
  EXPECT_EQ(parse_shard("2/4"), (Shard{2, 4}));
  EXPECT_EQ(parse_shard("1/1"), (Shard{1, 1}));
  EXPECT_EQ(to_text(parse_shard("10000/10000")), "10000/10000");
  for (const char* wrong : {"", "2", "/", "2/", "/4", "0/4", "5/4", "-1/4", "1/0", "1/10001", "1/4/4", "a/4", "1 /4"}) {
    EXPECT_NE(refusal([wrong] { parse_shard(wrong); }), "accepted") << wrong;
  }
}

Shard in_array(const std::map<std::string, std::string>& variables) {
  return shard_of_job_array([&variables](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  });
}

std::string array_refusal(const std::map<std::string, std::string>& variables) {
  return refusal([&variables] { in_array(variables); });
}

std::map<std::string, std::string> slurm(const char* id, const char* count, const char* least, const char* most) {
  return {{"SLURM_ARRAY_TASK_ID", id},
          {"SLURM_ARRAY_TASK_COUNT", count},
          {"SLURM_ARRAY_TASK_MIN", least},
          {"SLURM_ARRAY_TASK_MAX", most}};
}

TEST(JobArrays, GiveTheJobsShard) {
  EXPECT_EQ(in_array(slurm("0", "4", "0", "3")), (Shard{1, 4}));
  EXPECT_EQ(in_array(slurm("3", "4", "0", "3")), (Shard{4, 4}));
  EXPECT_EQ(in_array(slurm("4", "4", "1", "4")), (Shard{4, 4}));
  EXPECT_EQ(in_array({{"CI_NODE_INDEX", "2"}, {"CI_NODE_TOTAL", "3"}}), (Shard{2, 3}));
  EXPECT_EQ(in_array({{"JOB_COMPLETION_INDEX", "0"}, {"JOB_COMPLETIONS", "3"}}), (Shard{1, 3}));
  EXPECT_EQ(in_array({{"JOB_COMPLETION_INDEX", "2"}, {"JOB_COMPLETIONS", "3"}}), (Shard{3, 3}));
}

TEST(JobArrays, MissingVariablesAreRefused) {
  EXPECT_NE(array_refusal({}).find("not a job of an array"), std::string::npos);
  // GitLab sets the total of every job, and the index only of an array's.
  EXPECT_NE(array_refusal({{"CI_NODE_TOTAL", "1"}}).find("not a job of an array"), std::string::npos);
  EXPECT_NE(array_refusal(slurm("5", "3", "1", "5")).find("not numbered consecutively"), std::string::npos) << "1,3,5";
  EXPECT_NE(array_refusal(slurm("9", "3", "1", "3")).find("not one of a job array"), std::string::npos);
  EXPECT_NE(array_refusal({{"SLURM_ARRAY_TASK_ID", "1"}}).find("SLURM_ARRAY_TASK_COUNT"), std::string::npos);
  EXPECT_NE(array_refusal({{"JOB_COMPLETION_INDEX", "0"}}).find("JOB_COMPLETIONS"), std::string::npos);
  EXPECT_NE(array_refusal({{"CI_NODE_INDEX", "x"}, {"CI_NODE_TOTAL", "3"}}).find("not a number"), std::string::npos);
  EXPECT_NE(array_refusal({{"CI_NODE_INDEX", "4"}, {"CI_NODE_TOTAL", "3"}}).find("not one of"), std::string::npos);
  auto two = slurm("1", "3", "1", "3");
  two["CI_NODE_INDEX"] = "1";
  two["CI_NODE_TOTAL"] = "3";
  const std::string both = array_refusal(two);
  EXPECT_NE(both.find("Slurm"), std::string::npos) << both;
  EXPECT_NE(both.find("GitLab"), std::string::npos) << both;
}

TEST(Dealing, GivesTheLongestCellToTheShortestShard) {
  EXPECT_EQ(deal({10, 9, 2, 1, 1}, 2), (std::vector<int>{1, 2, 2, 1, 1}));
  EXPECT_EQ(deal({5, 5, 5, 5}, 2), (std::vector<int>{1, 2, 1, 2}));
  EXPECT_EQ(deal({1, 100, 1}, 2), (std::vector<int>{2, 1, 2}));
  EXPECT_EQ(deal({0, 0, 0}, 3), (std::vector<int>{1, 2, 3})) << "without lengths each still gets one";
  EXPECT_EQ(deal({}, 3), (std::vector<int>{}));
}

TEST(Dealing, LeavesNoShardMuchMoreThanTheLongestCell) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < 200; ++i) lengths.push_back(1000 + i * 7919 % 9000);
  for (int shards = 1; shards <= 16; ++shards) {
    std::vector<std::int64_t> load(static_cast<std::size_t>(shards), 0);
    const auto dealt_to = deal(lengths, shards);
    for (std::size_t i = 0; i < lengths.size(); ++i) load[static_cast<std::size_t>(dealt_to[i] - 1)] += lengths[i];
    const auto [least, most] = std::minmax_element(load.begin(), load.end());
    EXPECT_LE(*most - *least, 10'000) << shards;
    EXPECT_EQ(std::accumulate(load.begin(), load.end(), std::int64_t{0}),
              std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
  }
}

TEST(Dealing, JsonRoundTrip) {
  const Dealing dealing = dealt({2, 3}, {"a/x", "b/x", "a/y", "b/y"}, {4, 3, 2, 1}, "cells");
  const nlohmann::json json = to_json(dealing);
  const Dealing again = from_json<Dealing>(json);
  EXPECT_EQ(again.shard, dealing.shard);
  EXPECT_EQ(again.parts, dealing.parts);
  EXPECT_EQ(again.own(), (std::set<std::string>{"b/x"}));
  EXPECT_EQ(again.count_of(3), 2);
  nlohmann::json wrong = json;
  wrong["parts"][0]["shard"] = 4;
  EXPECT_NE(refusal([&wrong] { from_json<Dealing>(wrong); }), "accepted");
}

TEST(Dealing, HasNoShardWithoutWork) {
  const std::string why = refusal([] { dealt({1, 3}, {"a/x", "a/y"}, {1, 1}, "cells"); });
  EXPECT_NE(why.find("more shards than cells (2)"), std::string::npos) << why;
  EXPECT_NE(why.find("at most 2"), std::string::npos) << why;
}

class DealtCells : public PlanCells {};

TEST_F(DealtCells, AreTheWholeSuiteEachOnce) {
  add("a.json", R"(, "duration_ms": 9000)");
  add("b.json");
  const auto whole = cells();
  std::vector<std::string> found;
  for (int number = 1; number <= 3; ++number) {
    options.cells_of_shard = deal_cells(options, {number, 3}, {}).own();
    for (const auto& cell : cells()) found.push_back(cell);
    options.cells_of_shard.reset();
  }
  std::sort(found.begin(), found.end());
  auto wanted = whole;
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(found, wanted);
}

TEST_F(DealtCells, AreDealtByRecordedTimes) {
  add("a.json");
  const auto lone = [this](const RecordedSeconds& recorded) { return deal_cells(options, {1, 2}, recorded).own(); };
  EXPECT_EQ(lone({}), (std::set<std::string>{"get_lock/a"})) << "alike: in their order";
  EXPECT_EQ(lone({{"insert_lease+found_rows/a", 900.0}, {"get_lock/a", 2.0}}),
            (std::set<std::string>{"insert_lease+found_rows/a"}));
  RunVerdict before;
  before.cells.resize(1);
  before.cells[0].lock = "get_lock";
  before.cells[0].scenario = "a";
  before.cells[0].trials.resize(2);
  before.cells[0].trials[0].seconds = 4;
  before.cells[0].trials[1].seconds = 8;
  EXPECT_EQ(recorded_seconds(before), (RecordedSeconds{{"get_lock/a", 6.0}}));
}

}  // namespace
}  // namespace holdfast
