// Reasons why a file cannot be reached: it is missing, a link is dangling, or a folder is closed to the user.
#include "adapter/reachable.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

TEST(Reachable, ExistingFileIsFoundThroughLinks) {
  const TemporaryFolder folder;
  folder.write("python3.11", "");
  fs::create_symlink("python3.11", folder.file("python3"));
  fs::create_directory_symlink(folder.path(), folder.file("venv"));
  for (const char* name : {"python3.11", "python3", "venv/python3"}) {
    EXPECT_TRUE(reach_of(folder.file(name)).found) << name;
  }
}

TEST(Reachable, MissingFileAndDanglingLinkDiffer) {
  const TemporaryFolder folder;
  const Reach missing = reach_of(folder.file("bin/python3"));
  EXPECT_FALSE(missing.found);
  EXPECT_EQ(missing.what, folder.file("bin/python3") + " is missing");
  EXPECT_EQ(missing.closed, "");
  fs::create_symlink("/no/such/python3.11", folder.file("python3"));
  EXPECT_EQ(reach_of(folder.file("python3")).what,
            folder.file("python3") + " is a link to /no/such/python3.11, which is missing");
  fs::create_symlink(folder.file("self"), folder.file("self"));
  EXPECT_TRUE(contains(reach_of(folder.file("self")).what, "a broken link"));
}

// Permissions decide, so a user asks who may not enter it.
TEST(Reachable, AClosedFolderIsNamed) {
  const TemporaryFolder folder;
  fs::create_directory(folder.file("closed"));
  folder.write("closed/python3", "");
  fs::create_symlink(folder.file("closed/python3"), folder.file("python3"));
  ::chmod(folder.path().c_str(), 0755);
  ::chmod(folder.file("closed").c_str(), ::geteuid() == 0 ? 0700 : 0);
  const auto asked = [&] {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::setresuid(kNobody, kNobody, kNobody) != 0) ::_exit(3);
    const Reach reach = reach_of(folder.file("python3"));
    const bool told = contains(reach.what, "is a link to " + folder.file("closed/python3")) &&
                      contains(reach.what, "the folder " + folder.file("closed") + " is closed to it");
    ::_exit(reach.closed == folder.file("closed") && told ? 0 : 1);
  };
  EXPECT_EXIT(asked(), testing::ExitedWithCode(0), "");
  ::chmod(folder.file("closed").c_str(), 0700);
  if (::geteuid() == 0) {
    EXPECT_TRUE(reach_of(folder.file("python3")).found) << "root may";
  }
}

}  // namespace
}  // namespace holdfast
