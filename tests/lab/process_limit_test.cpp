// A control group's limit of processes is named once it has refused one, and not before.
#include "lab/process_limit.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "artifact/json_text.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

class ProcessLimit : public testing::Test {
 protected:
  void group(const std::string& path, const std::string& max, const std::string& events) {
    const std::string folder = folder_.path() + "/" + path;
    std::filesystem::create_directories(folder);
    write_text_file(folder + "/pids.max", max + "\n");
    write_text_file(folder + "/pids.events", events);
  }
  std::string said(const std::string& own) const { return refused_processes(folder_.path(), own); }

  TemporaryFolder folder_;
};

TEST_F(ProcessLimit, IsNamedOnceItHasRefused) {
  group("pids/a/b", "8", "max 3\n");
  EXPECT_EQ(said("4:memory:/x\n7:pids:/a/b\n"),
            "; its control group allows 8 processes and threads (pids.max), and has refused more; remedy: allow more");
}

TEST_F(ProcessLimit, IsNotNamedWhereItRefusedNothing) {
  group("pids/a", "8", "max 0\n");
  EXPECT_EQ(said("7:pids:/a\n"), "");
  group("pids/a", "max", "max 5\n");
  EXPECT_EQ(said("7:pids:/a\n"), "");
  group("pids/a", "8", "");
  EXPECT_EQ(said("7:pids:/a\n"), "");
}

TEST_F(ProcessLimit, ParentGroupsLimitCounts) {
  group("a/b", "max", "max 0\n");
  group("a", "20", "max 1\n");
  EXPECT_NE(said("0::/a/b\n").find("allows 20 processes"), std::string::npos);
}

TEST_F(ProcessLimit, ContainersLimitIsAtTheRoot) {
  group("pids", "50", "max 2\n");
  EXPECT_NE(said("7:pids:/docker/0123\n").find("allows 50 processes"), std::string::npos);
  group("unified", "60", "max 2\n");
  EXPECT_NE(said("0::/\n").find("allows 60 processes"), std::string::npos);
}

TEST_F(ProcessLimit, UnreadableGroupIsIgnored) {
  for (const char* own : {"", "\n", "0", "0:", "0::", "7:pids", "7:pids:", "7:pids:/../..", "0::a"}) {
    EXPECT_EQ(said(own), "") << own;
  }
}

}  // namespace
}  // namespace holdfast
