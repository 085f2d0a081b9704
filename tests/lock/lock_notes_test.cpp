// What the manifest of an adapter wants to be told with every result.
#include <gtest/gtest.h>

#include "artifact/json_text.hpp"
#include "lock/added_locks.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

TEST(LockNotes, AreOfTheAdaptersThatHaveAnyAndToldOnce) {
  const TemporaryFolder folder;
  const auto manifest = [&](const std::string& name, const std::string& more) {
    const std::string file = folder.file(name + ".json");
    write_text_file(file, R"({"name": ")" + name + R"(", "command": ["sh"], "servers": ["redis"])" + more + "}");
    return file;
  };
  add_locks({.manifests = {manifest("noted", R"(, "note": "its server is a stand-in")"), manifest("silent", "")},
             .commands = {}});
  EXPECT_EQ(notes_of({"silent", "noted", "noted+found_rows", "insert_lease", "no_such_lock"}),
            std::vector<std::string>{"noted: its server is a stand-in"});
}

}  // namespace
}  // namespace holdfast
