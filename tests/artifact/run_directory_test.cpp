// Files in a run's folder are reached through no link, and nothing outside it is read, written or removed.
#include "artifact/run_directory.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

class RunDirectoryTest : public ::testing::Test {
 protected:
  RunDirectoryTest() : run_((kept_.write("run/cells/a/1/plan.json", "plan"), kept_.file("run"))) {
    kept_.write("outside/1/plan.json", "theirs");
  }
  void link(const std::string& to, const std::string& name) const {
    ASSERT_EQ(::symlink(to.c_str(), run_.path_of(name).c_str()), 0);
  }
  std::string theirs() const { return read_text_file(kept_.file("outside/1/plan.json")); }

  TemporaryFolder kept_;
  RunDirectory run_;
};

TEST_F(RunDirectoryTest, ReadsAndWritesExistingFiles) {
  EXPECT_TRUE(run_.has("cells/a/1/plan.json"));
  EXPECT_EQ(run_.read("cells/a/1/plan.json"), "plan");
  EXPECT_FALSE(run_.has("cells/a/1/none.json"));
  EXPECT_FALSE(run_.has("cells/b/1/plan.json"));
  EXPECT_FALSE(run_.has_folder("cells/b"));
  for (const Keep keep : {Keep::in_time, Keep::surely}) {
    run_.write("cells/a/1/plan.json", "another", keep);
    EXPECT_EQ(run_.read("cells/a/1/plan.json"), "another");
  }
  run_.make_folders("cells/b/2");
  run_.make_folders("cells/b/2");
  run_.write("cells/b/2/x", std::string("a\0b", 3));
  run_.sync("cells/b/2/x");
  run_.sync("cells/b/2");
  EXPECT_EQ(run_.read("cells/b/2/x").size(), 3U);
  EXPECT_EQ(run_.folders_in("cells"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(run_.folders_in("none").empty());
  run_.remove("cells/b/2/x");
  run_.remove("cells/b/2/x");
  EXPECT_FALSE(run_.has("cells/b/2/x"));
  run_.remove_all("cells");
  run_.remove_all("cells");
  EXPECT_FALSE(run_.has_folder("cells"));
}

TEST_F(RunDirectoryTest, FollowsNoLinks) {
  link(kept_.file("outside"), "cells/b");
  link("a", "cells/c");  // even one that stays inside
  for (const std::string cell : {"cells/b", "cells/c"}) {
    const std::string plan = cell + "/1/plan.json";
    const std::string told = run_.path_of(cell) + ": is a link";
    EXPECT_NE(refusal([&] { run_.has(plan); }).find(told), std::string::npos);
    EXPECT_THROW(run_.has_folder(cell), BadInput);
    EXPECT_THROW(run_.read(plan), BadInput);
    EXPECT_THROW(run_.file(plan), BadInput);
    EXPECT_THROW(run_.open(plan), BadInput);
    EXPECT_THROW(run_.write(plan, "ours"), BadInput);
    EXPECT_THROW(run_.write(cell, "ours"), BadInput);
    EXPECT_THROW(run_.make_folders(cell + "/2"), BadInput);
    EXPECT_THROW(run_.remove(plan), BadInput);
    EXPECT_THROW(run_.remove_all(cell + "/1"), BadInput);
    EXPECT_THROW(run_.folders_in(cell), BadInput);
  }
  EXPECT_EQ(theirs(), "theirs");
}

TEST_F(RunDirectoryTest, RemovesLinksButNotTheirTargets) {
  link(kept_.file("outside"), "cells/a/1/lab");
  link(kept_.file("outside/1/plan.json"), "verdict.json");
  run_.remove("verdict.json");
  run_.remove_all("cells/a/1");
  EXPECT_FALSE(run_.has_folder("cells/a/1"));
  EXPECT_EQ(theirs(), "theirs");
}

TEST_F(RunDirectoryTest, WritesThroughNoPlantedFile) {
  link(kept_.file("outside/1/plan.json"), "summary.md.part");
  kept_.write("run/report.html.part", "somebody's");
  run_.write("summary.md", "ours");
  run_.write("report.html", "ours");
  EXPECT_EQ(run_.read("summary.md"), "ours");
  EXPECT_EQ(run_.read("report.html"), "ours");
  EXPECT_EQ(run_.read("report.html.part"), "somebody's");
  EXPECT_EQ(theirs(), "theirs");
  write_text_file(run_.path_of("summary.md"), "again");
  EXPECT_EQ(run_.read("summary.md"), "again");
  EXPECT_EQ(theirs(), "theirs");
}

TEST_F(RunDirectoryTest, RefusesNamesThatLeaveTheFolder) {
  for (const std::string name :
       {"", "/", "..", ".", "../outside", "cells/../../outside", "cells//a", "/etc/passwd", "cells/", "./cells"}) {
    EXPECT_THROW(run_.has(name), BadInput) << name;
    EXPECT_THROW(run_.remove_all(name), BadInput) << name;
    EXPECT_THROW(run_.write(name, ""), BadInput) << name;
  }
  EXPECT_THROW(run_.has(std::string("cells\0x", 7)), BadInput);
  EXPECT_EQ(theirs(), "theirs");
}

TEST_F(RunDirectoryTest, ReplacesAndReadsPlainFilesOnly) {
  ASSERT_EQ(::mkfifo(run_.path_of("pipe").c_str(), 0600), 0);  // reading it would wait for ever
  EXPECT_THROW(run_.read("pipe"), BadInput);
  EXPECT_THROW(run_.write("pipe", ""), BadInput);
  EXPECT_THROW(run_.write("cells", ""), BadInput);
  EXPECT_THROW(run_.has("cells"), BadInput);
  EXPECT_THROW(run_.has("cells/a/1/plan.json/x"), BadInput);
  EXPECT_THROW(RunDirectory(kept_.file("none")), BadInput);
}

}  // namespace
}  // namespace holdfast
