// Places of added locks in a user's sources (lock/lock_source.hpp).
#include "lock/lock_source.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "artifact/json_text.hpp"
#include "lock/added_locks.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

TEST(LockSource, AcquireIsFoundInEachLanguage) {
  EXPECT_EQ(line_of_acquire("# a lock: acquire and release\nimport redis\n  def acquire(self, ask):\n"), 3);
  EXPECT_EQ(line_of_acquire("x\n    acquire) # ok\n"), 2);
  EXPECT_EQ(line_of_acquire("a\nb\n\tcase \"acquire\":\n"), 3);
  EXPECT_EQ(line_of_acquire("a\nfunc acquire(ask ask) object {\n"), 2);
}

TEST(LockSource, CallsAndWordsDoNotCount) {
  EXPECT_EQ(line_of_acquire("a\n  return lock.acquire(blocking)\n  reacquire(x)\n  acquire_it(x)\n"), 1);
  EXPECT_EQ(line_of_acquire("a\n# an open acquire: its lock\n  async acquire(ask) {"), 2);
  EXPECT_EQ(line_of_acquire(""), 1);
}

TEST(LockSource, LocksInTheProgramHaveNone) {
  EXPECT_FALSE(lock_source("no_such_lock"));
  EXPECT_FALSE(lock_source(catalogue_locks().front().name));
}

TEST(LockSource, AFileOfStatementsIsNamedAtItsAcquire) {
  const std::string file = test_file("placed_lock.sql");
  write_text_file(file, R"(-- lease: server

-- name: schema
CREATE TABLE placed_lock (lock_key VARCHAR(64) PRIMARY KEY, owner VARCHAR(64), until_at DATETIME(6));

-- name: acquire
-- granted when: affected > 0
-- busy when: duplicate key
INSERT INTO placed_lock VALUES (@key, @owner, NOW(6) + INTERVAL @ttl_us MICROSECOND);

-- name: release
-- done when: affected > 0
DELETE FROM placed_lock WHERE lock_key = @key AND owner = @owner;
)");
  add_locks({.manifests = {}, .commands = {}, .lock_files = {file}});
  const auto place = lock_source("placed_lock");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->file, std::filesystem::absolute(file).lexically_normal());
  EXPECT_EQ(place->line, 6);
}

TEST(LockSource, AnAdapterIsNamedAtItsAcquireElseItsManifest) {
  const std::string folder = test_file("placed_adapter");
  std::filesystem::create_directories(folder);
  write_text_file(folder + "/lock.py", "import sys\n\ndef acquire(ask):\n    pass\n");
  write_text_file(folder + "/lock.json",
                  R"({"name": "placed_py", "servers": ["redis"], "command": ["python3", "./lock.py"]})");
  write_text_file(folder + "/built.json", R"({"name": "placed_built", "servers": ["redis"], "command": ["./lock"]})");
  add_locks({.manifests = {folder, folder + "/built.json"}, .commands = {}, .lock_files = {}});
  const auto program = lock_source("placed_py");
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->file.ends_with("placed_adapter/lock.py"));
  EXPECT_EQ(program->line, 3);
  const auto manifest = lock_source("placed_built");
  ASSERT_TRUE(manifest);
  EXPECT_TRUE(manifest->file.ends_with("placed_adapter/built.json"));
  EXPECT_EQ(manifest->line, 1);
}

TEST(LockSource, PathsStayBelowTheTop) {
  EXPECT_TRUE(is_below_top("a/b.sql"));
  EXPECT_FALSE(is_below_top("../b.sql"));
  EXPECT_FALSE(is_below_top("a/../../b.sql"));
  EXPECT_FALSE(is_below_top("/b.sql"));
  EXPECT_FALSE(is_below_top(""));
}

}  // namespace
}  // namespace holdfast
