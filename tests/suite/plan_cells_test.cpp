// Before anything runs: which cells there are, and all that is wrong with the input.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/suite/plan_cells_fixture.hpp"

namespace holdfast {
namespace {

using Cells = std::vector<std::string>;

TEST_F(PlanCells, EveryLockUnderEveryScenario) {
  add("a.json");
  add("b.json");
  EXPECT_EQ(cells(), (Cells{"get_lock/a", "insert_lease+found_rows/a", "get_lock/b", "insert_lease+found_rows/b"}));
  EXPECT_EQ(plan_cells(options)[0].expected.at("fencing"), "holds");
  EXPECT_TRUE(plan_cells(options)[1].expected.empty());
}

TEST_F(PlanCells, OnlySelectsCells) {
  add("a.json");
  add("b.json");
  options.only = {"get_lock/b"};
  EXPECT_EQ(cells(), (Cells{"get_lock/b"}));
  options.only = {"*/a"};
  EXPECT_EQ(cells(), (Cells{"get_lock/a", "insert_lease+found_rows/a"}));
  options.only = {"get_lock/*"};
  EXPECT_EQ(cells(), (Cells{"get_lock/a", "get_lock/b"}));
  options.only = {"get_lock"};
  EXPECT_EQ(cells().size(), 2u);
  options.only = {"get_lock/a", "insert_lease+found_rows/b"};
  EXPECT_EQ(cells().size(), 2u);
}

TEST_F(PlanCells, UnmatchedFilterIsRefused) {
  add("a.json");
  options.only = {"get_lock/c"};
  EXPECT_TRUE(contains(suite_refusal(), "--only get_lock/c matches no cell"));
  options.only = {"get_lock/a", "get_lok/a"};
  EXPECT_TRUE(contains(suite_refusal(), "--only get_lok/a matches no cell")) << "also beside one that matches";
  options.only = {"insert_lease/a"};
  EXPECT_TRUE(contains(suite_refusal(), "matches no cell")) << "a variant is a lock of its own";
}

TEST_F(PlanCells, UnmatchedFilterIsNamedWithItsPositionAndReason) {
  add("a.json");
  options.only = {"get_lock/c"};
  options.only_from = {{"get_lock/c", "cells.txt:7"}};
  EXPECT_TRUE(contains(suite_refusal(), "cells.txt:7: get_lock/c matches no cell"));
  options.left_out = {{"get_lock", "c", "it has no lease"}};
  EXPECT_TRUE(contains(suite_refusal(), "matches no cell, since it cannot run: it has no lease;"));
  options.only = {"insert_lease+found_rows/c"};
  EXPECT_FALSE(contains(suite_refusal(), "it has no lease")) << "that is said of another lock";
}

TEST_F(PlanCells, DuplicateCellIsRefused) {
  add("one/a.json");
  add("two/a.json");
  EXPECT_TRUE(contains(suite_refusal(), "two/a.json:1: a second cell get_lock/a; give this file another name"));
}

TEST_F(PlanCells, EqualScenarioNamesOfDifferentLocksShareAColumn) {
  add("one/a.json");
  options.scenarios.push_back(
      load_scenario(folder.write("two/a.json", R"({"locks": ["fenced_lease"], "expect": {}})")));
  EXPECT_EQ(cells().back(), "fenced_lease/a");
}

TEST_F(PlanCells, FolderOfSuitesRunsAllOfThem) {
  for (const char* file : {"all/two/b.json", "all/one/a.json"}) add(file);
  folder.write("all/notes/readme.txt", "");
  const auto found = load_suite(folder.file("all"));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].suite + "/" + found[0].name, "one/a");
  EXPECT_EQ(found[1].suite + "/" + found[1].name, "two/b");
}

}  // namespace
}  // namespace holdfast
