// The note of an adapter's manifest, to be shown with every result.
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "artifact/json_text.hpp"
#include "artifact/scenario.hpp"
#include "lock/added_locks.hpp"
#include "soak/soak.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

std::string manifest_of(const TemporaryFolder& folder, const std::string& name, const std::string& more) {
  const std::string file = folder.file(name + ".json");
  write_text_file(file, R"({"name": ")" + name + R"(", "command": ["sh"], "servers": ["redis"])" + more + "}");
  return file;
}

TEST(LockNotes, EachAdapterNoteIsListedOnce) {
  const TemporaryFolder folder;
  add_locks({.manifests = {manifest_of(folder, "noted", R"(, "note": "its server is a stand-in")"),
                           manifest_of(folder, "silent", "")},
             .commands = {}});
  EXPECT_EQ(notes_of({"silent", "noted", "noted+found_rows", "insert_lease", "no_such_lock"}),
            std::vector<std::string>{"noted: its server is a stand-in"});
}

TEST(LockNotes, SoakReportsNotes) {
  const TemporaryFolder folder;
  add_locks({.manifests = {manifest_of(folder, "soaked", R"(, "note": "its server is a stand-in")")}, .commands = {}});
  SoakOrder order;
  order.scenarios = {read_scenario(
      parse_json_text(R"({"about": "no fault", "locks": ["soaked"], "expect": {"*": {}}})", "none.json"), "none")};
  order.folder = folder.path();
  order.until = std::chrono::steady_clock::now();
  const SoakState ended = run_soak(
      order, [](const SoakState&) {}, std::atomic<bool>(false));
  SoakResult result;
  result.state = ended;
  EXPECT_EQ(to_json(result).at("notes"), nlohmann::json::array({"soaked: its server is a stand-in"}));
}

}  // namespace
}  // namespace holdfast
