// The contents of a disk that loses power: case by case.
#include "disk/power_disk.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace holdfast {
namespace {

using Node = PowerDisk::Node;
constexpr Node kRoot = PowerDisk::kRoot;
const FileAttributes kFile{S_IFREG | 0600};
const FileAttributes kFolder{S_IFDIR | 0700};

class Disk : public testing::Test {
 protected:
  Node make(Node folder, const std::string& name, const FileAttributes& what = kFile) {
    const auto made = disk.make(folder, name, what);
    EXPECT_EQ(made.error, 0) << name;
    return made.node;
  }
  Node with_text(const std::string& name, const std::string& text) {
    const Node file = make(kRoot, name);
    disk.write(file, 0, text);
    return file;
  }
  // The content of a path; "-": no such path.
  std::string text(const std::string& name, Node folder = kRoot) {
    const auto found = disk.find(folder, name);
    return found.error == 0 ? disk.read(found.node, 0, 100) : "-";
  }
  PowerDisk disk;
};

TEST_F(Disk, KeepsAFileWithSyncedBytesAndName) {
  const Node log = with_text("log", "grant");
  disk.sync(log);
  disk.sync(kRoot);
  disk.write(log, 5, ", release");
  EXPECT_EQ(text("log"), "grant, release");
  const Unsynced lost = disk.lose();
  EXPECT_EQ(text("log"), "grant");
  EXPECT_EQ(lost.bytes, 14U) << "the page, as far as the file reaches";
  EXPECT_EQ(lost.names, 0U);
}

TEST_F(Disk, LosesAnUnsyncedName) {
  disk.sync(with_text("log", "grant"));
  EXPECT_EQ(disk.unsynced().names, 1U);
  disk.lose();
  EXPECT_EQ(text("log"), "-");
}

TEST_F(Disk, ANameWithoutBytesIsAnEmptyFile) {
  with_text("log", "grant");
  disk.sync(kRoot);
  disk.lose();
  EXPECT_EQ(text("log"), "");
}

TEST_F(Disk, ARemovalIsLostToo) {
  disk.sync(with_text("log", "grant"));
  disk.sync(kRoot);
  EXPECT_EQ(disk.remove(kRoot, "log", false), 0);
  EXPECT_EQ(text("log"), "-");
  disk.lose();
  EXPECT_EQ(text("log"), "grant");
}

// The usual way to replace a file: a new one is written and synced, renamed over the old one, and the folder is synced.
TEST_F(Disk, ARenameOverAFileIsAllOrNothing) {
  disk.sync(with_text("state", "old"));
  disk.sync(kRoot);
  disk.sync(with_text("state.new", "new"));
  ASSERT_EQ(disk.rename(kRoot, "state.new", kRoot, "state"), 0);
  EXPECT_EQ(text("state"), "new");
  disk.lose();
  EXPECT_EQ(text("state"), "old");
  EXPECT_EQ(text("state.new"), "-");
  disk.sync(with_text("state.new", "new"));
  ASSERT_EQ(disk.rename(kRoot, "state.new", kRoot, "state"), 0);
  disk.sync(kRoot);
  disk.lose();
  EXPECT_EQ(text("state"), "new");
}

TEST_F(Disk, ARenameBetweenFoldersIsOneStep) {
  const Node there = make(kRoot, "there", kFolder);
  disk.sync(with_text("log", "grant"));
  disk.sync(kRoot);
  for (const Node synced : {kRoot, there}) {
    ASSERT_EQ(disk.rename(kRoot, "log", there, "log"), 0);
    disk.sync(synced);
    disk.lose();
    EXPECT_EQ(text("log"), "-");
    EXPECT_EQ(text("log", there), "grant");
    ASSERT_EQ(disk.rename(there, "log", kRoot, "log"), 0);
    disk.sync(kRoot);
  }
}

TEST_F(Disk, RenameThroughARemovedFolderIsOneStep) {
  const Node there = make(kRoot, "there", kFolder);
  const Node here = make(kRoot, "here", kFolder);
  disk.sync(make(here, "log"));
  disk.sync_all();
  const Node between = make(there, "between", kFolder);
  ASSERT_EQ(disk.rename(here, "log", between, "log"), 0);
  ASSERT_EQ(disk.rename(between, "log", there, "log"), 0);
  ASSERT_EQ(disk.remove(there, "between", true), 0);
  disk.sync(here);
  disk.lose();
  EXPECT_EQ(text("log", here), "-");
  EXPECT_EQ(text("log", there), "");
}

TEST_F(Disk, UnsyncedFolderKeepsOnlyItsName) {
  const Node logs = make(kRoot, "logs", kFolder);
  const Node log = make(logs, "log");
  disk.write(log, 0, "grant");
  disk.sync(log);
  disk.sync(kRoot);
  disk.lose();
  EXPECT_EQ(disk.list(logs).size(), 0U);
  disk.sync(make(logs, "log"));
  disk.sync(logs);
  disk.lose();
  EXPECT_EQ(text("log", logs), "");
}

TEST_F(Disk, SyncAllSyncsEverything) {
  const Node logs = make(kRoot, "logs", kFolder);
  disk.write(make(logs, "log"), 0, "grant");
  disk.sync_all();
  EXPECT_EQ(disk.unsynced().bytes + disk.unsynced().names, 0U);
  disk.lose();
  EXPECT_EQ(text("log", logs), "grant");
}

TEST_F(Disk, TwoNamesOfOneFileHaveOneContent) {
  const Node log = with_text("log", "grant");
  ASSERT_EQ(disk.link(log, kRoot, "second"), 0);
  EXPECT_EQ(disk.links(log), 2U);
  disk.sync_all();
  ASSERT_EQ(disk.remove(kRoot, "log", false), 0);
  EXPECT_EQ(disk.links(log), 1U);
  disk.lose();
  EXPECT_EQ(disk.links(log), 2U);
  EXPECT_EQ(disk.rename(kRoot, "log", kRoot, "second"), 0) << "POSIX: nothing is done";
  EXPECT_EQ(text("log"), "grant");
}

TEST_F(Disk, UnlinkedFileLivesWhileHeld) {
  const Node log = with_text("log", "grant");
  disk.hold(log);
  disk.hold(log);
  ASSERT_EQ(disk.remove(kRoot, "log", false), 0);
  disk.let_go(log, 1);
  EXPECT_TRUE(disk.there(log));
  EXPECT_EQ(disk.read(log, 0, 9), "grant");
  disk.let_go(log, 1);
  EXPECT_FALSE(disk.there(log));
  EXPECT_TRUE(disk.held().empty());
}

TEST_F(Disk, ErrorsMatchPosix) {
  const Node folder = make(kRoot, "folder", kFolder);
  const Node log = make(kRoot, "log");
  const Node inside = make(folder, "inside", kFolder);
  EXPECT_EQ(disk.find(kRoot, "nothing").error, ENOENT);
  EXPECT_EQ(disk.make(kRoot, "log", kFile).error, EEXIST);
  EXPECT_EQ(disk.make(log, "x", kFile).error, ENOTDIR);
  EXPECT_EQ(disk.make(kRoot, std::string(256, 'x'), kFile).error, ENAMETOOLONG);
  EXPECT_EQ(disk.remove(kRoot, "folder", true), ENOTEMPTY);
  EXPECT_EQ(disk.remove(kRoot, "folder", false), EISDIR);
  EXPECT_EQ(disk.remove(kRoot, "log", true), ENOTDIR);
  EXPECT_EQ(disk.rename(kRoot, "folder", inside, "x"), EINVAL) << "into itself";
  EXPECT_EQ(disk.rename(kRoot, "log", kRoot, "folder"), EISDIR);
  EXPECT_EQ(disk.rename(kRoot, "folder", kRoot, "log"), ENOTDIR);
  EXPECT_EQ(disk.rename(kRoot, "log", folder, "inside", false), EEXIST);
  EXPECT_EQ(disk.link(folder, kRoot, "x"), EPERM);
  disk.hold(inside);
  EXPECT_EQ(disk.remove(folder, "inside", true), 0);
  EXPECT_EQ(disk.make(inside, "x", kFile).error, ENOENT) << "it is gone";
}

TEST_F(Disk, CountsVisibleNames) {
  with_text("log", "grant");
  make(make(kRoot, "folder", kFolder), "file");
  EXPECT_EQ(disk.names(), 3U);
  disk.sync_all();
  disk.remove(kRoot, "log", false);
  EXPECT_EQ(disk.names(), 2U);
}

}  // namespace
}  // namespace holdfast
