// Manifests and texts of the adapters that come with holdfast, and of the templates: read by the readers of users' own,
// and complete.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "adapter/manifest.hpp"
#include "artifact/json_text.hpp"
#include "lock/lock_texts.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

const std::string kAdapters = std::string(HOLDFAST_SOURCE) + "/adapters";

std::vector<fs::path> folders_in(const std::string& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (fs::is_regular_file(entry.path() / "lock.json")) out.push_back(entry.path());
  }
  return out;
}

// True for files that an install makes, and the sources lack.
bool is_made(const std::string& path) {
  return path.find("target/") != std::string::npos || path.find("node_modules") != std::string::npos ||
         path.find("go_redsync/go_redsync") != std::string::npos;
}

void is_whole(const Manifest& manifest, const fs::path& folder) {
  EXPECT_EQ(manifest.name, folder.filename()) << "a lock is called as its folder is";
  EXPECT_FALSE(manifest.install.empty() || manifest.language.empty() || manifest.library.version.empty()) << folder;
  for (std::string path : manifest.paths) {
    path = (folder / path).lexically_normal().string();
    EXPECT_TRUE(is_made(path) || fs::exists(path)) << path;
  }
}

TEST(ShippedAdapters, ManifestsAreComplete) {
  const auto folders = folders_in(kAdapters);
  EXPECT_GE(folders.size(), 9U);
  for (const auto& folder : folders) {
    SCOPED_TRACE(folder.string());
    is_whole(load_manifest((folder / "lock.json").string(), entry_names(server_types())), folder);
    const std::string file = (folder / "lock.md").string();
    const LockTexts texts = read_lock_texts(read_text_file(file), file, folder.filename().string());
    EXPECT_FALSE(texts.source.empty() || texts.does.empty() || texts.instead.empty() || texts.when.empty());
    EXPECT_FALSE(texts.rules.empty() || texts.flaws.empty());
    EXPECT_GT(texts.worst.size(), 2U);
  }
}

// A template has its lock's name where it is copied.
TEST(ShippedAdapters, TemplatesAreRead) {
  const auto folders = folders_in(kAdapters + "/templates");
  EXPECT_GE(folders.size(), 5U);
  const auto named = [](const fs::path& file) {
    std::string text = read_text_file(file.string());
    for (std::size_t at = 0; (at = text.find("@NAME@")) != std::string::npos;) text.replace(at, 6, "my_lock");
    return text;
  };
  for (const auto& folder : folders) {
    SCOPED_TRACE(folder.string());
    const std::string file = (folder / "lock.json").string();
    EXPECT_EQ(read_manifest(named(file), file, entry_names(server_types())).name, "my_lock");
    EXPECT_FALSE(read_lock_texts(named(folder / "lock.md"), "lock.md", "my_lock").about.empty());
  }
}

}  // namespace
}  // namespace holdfast
