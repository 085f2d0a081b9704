// Libraries are read, installed, kept apart by version and removed, with an installer of the test's own: no registry is
// asked here.
#include "library/library.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "adapter/manifest.hpp"
#include "library/installed.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFacts = R"({"name": "locky", "title": "Locky", "language": "sh", "package": "locky-lock",
  "version": "2.1.0", "licence": "MIT", "home": "https://example.org/locky"})";
constexpr const char* kManifest = R"({"name": "locky_lock", "command": ["sh", "./lock.sh"], "servers": ["redis"],
  "library": {"name": "Locky", "version": "2.1.0"}})";

class Libraries : public ::testing::Test {
 protected:
  Libraries() {
    write("libraries/locky/library.json", kFacts);
    write("libraries/locky/lock.json", kManifest);
    write("libraries/locky/lock_bounded.json", std::string(kManifest).replace(10, 10, "locky_bounded"));
    write("libraries/locky/lock.md", "# locky_lock\n\na lock\n");
    write("libraries/locky/locky_bounded.md", "# locky_bounded\n\nanother\n");
    write("libraries/locky/package-lock.json", "{}");
    installer("echo \"$@\" > said; [ ! -e installed.json ] || exit 9\n");
  }

  void write(const std::string& file, const std::string& text) {
    fs::create_directories(fs::path(folder_.file(file)).parent_path());
    folder_.write(file, text);
  }
  void installer(const std::string& text) { write("libraries/languages/sh/install.sh", text); }
  Library library() const { return load_library(folder_.file("libraries/locky")); }
  std::string root() const { return folder_.file("installed"); }
  static std::string text_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  TemporaryFolder folder_;
};

TEST_F(Libraries, AreFoundByTheirFiles) {
  const auto all = libraries_in(folder_.file("libraries"));
  ASSERT_EQ(all.size(), 1U) << "languages is none";
  EXPECT_EQ(all[0].title, "Locky");
  const auto files = manifests_of(all[0].folder);
  ASSERT_EQ(files.size(), 2U) << "package-lock.json is no manifest";
  EXPECT_EQ(fs::path(files[0]).filename(), "lock.json");
  EXPECT_EQ(refusal([&] { find_library(all, "lokcy"); }),
            "unknown library 'lokcy' (did you mean 'locky'?); known: locky");
}

TEST_F(Libraries, MistakesAreNamed) {
  const std::string file = folder_.file("libraries/locky/library.json");
  write("libraries/locky/library.json", R"({"name": "other"})");
  EXPECT_NE(refusal([&] { library(); }).find(file + ":1: 'title' is missing"), std::string::npos);
  write("libraries/locky/library.json", std::string(kFacts).replace(10, 5, "other"));
  EXPECT_EQ(refusal([&] { library(); }), file + ":1: name: is not the name of its folder");
  write("libraries/locky/library.json", std::string(kFacts).replace(std::string(kFacts).find("2.1.0"), 5, "-rf /"));
  EXPECT_EQ(refusal([&] { library(); }), file + ":2: version: expected a version such as 1.2.3");
}

TEST(LibraryRefs, HaveAVersionOrNone) {
  EXPECT_EQ(parse_library_ref("locky").version, "");
  EXPECT_TRUE(names_version("locky@5.0.0") && names_version("locky/lock@5.0.0"));
  EXPECT_FALSE(names_version("locky") || names_version("me@host/my_lock")) << "a path";
  const LibraryRef ref = parse_library_ref("locky@5.0.0-beta.2");
  EXPECT_EQ(ref.name + " " + ref.version, "locky 5.0.0-beta.2");
  for (const char* wrong : {"locky@", "locky@../x", "locky@--index", "locky@1 2", "locky@1;reboot"}) {
    EXPECT_NE(refusal([&] { parse_library_ref(wrong); }), "accepted") << wrong;
  }
}

TEST_F(Libraries, PinnedVersionIsTheDefault) {
  EXPECT_FALSE(is_installed(root(), library(), ""));
  const std::string folder = install_library(library(), "", root());
  EXPECT_EQ(folder, root() + "/locky@2.1.0");
  EXPECT_TRUE(is_installed(root(), library(), ""));
  EXPECT_TRUE(is_installed(root(), library(), "2.1.0"));
  EXPECT_EQ(text_of(folder + "/said"), "\n");
  EXPECT_EQ(load_manifest(folder + "/lock.json").name, "locky_lock");
  install_library(library(), "", root());  // not once more: the installer would say 9
  EXPECT_TRUE(remove_library(root(), library(), ""));
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_FALSE(remove_library(root(), library(), ""));
}

TEST_F(Libraries, OtherVersionIsInstalledUnderItsOwnName) {
  install_library(library(), "", root());
  const std::string folder = install_library(library(), "1.9.0-rc.1", root());
  EXPECT_EQ(text_of(folder + "/said"), "locky-lock 1.9.0-rc.1\n");
  const Manifest manifest = load_manifest(folder + "/lock.json");
  EXPECT_EQ(manifest.name, "locky_lock_v1_9_0_rc_1");
  EXPECT_EQ(manifest.library.version, "1.9.0-rc.1");
  EXPECT_EQ(text_of(folder + "/locky_lock_v1_9_0_rc_1.md"), "# locky_lock_v1_9_0_rc_1\n\na lock\n");
  EXPECT_EQ(text_of(folder + "/locky_bounded_v1_9_0_rc_1.md"), "# locky_bounded_v1_9_0_rc_1\n\nanother\n");
  EXPECT_TRUE(is_installed(root(), library(), ""));
}

TEST_F(Libraries, InterruptedInstallIsRepeated) {
  installer("touch half; exit 7\n");
  EXPECT_THROW(install_library(library(), "", root()), HarnessError);
  EXPECT_FALSE(is_installed(root(), library(), ""));
  installer("echo pip is missing >&2; exit 4\n");
  EXPECT_THROW(install_library(library(), "", root()), Unavailable);
  installer("true\n");
  const std::string folder = install_library(library(), "", root());
  EXPECT_TRUE(is_installed(root(), library(), ""));
  EXPECT_FALSE(fs::exists(folder + "/half"));
}

TEST_F(Libraries, ChangedFilesCauseAReinstall) {
  const std::string folder = install_library(library(), "", root());
  write("libraries/languages/sh/more.sh", "true\n");
  EXPECT_FALSE(is_installed(root(), library(), "")) << "its language has a file more";
  install_library(library(), "", root());
  EXPECT_TRUE(fs::exists(folder + "/more.sh"));
  write("libraries/locky/lock.json", std::string(kManifest).replace(10, 10, "locky_other"));
  EXPECT_FALSE(is_installed(root(), library(), "")) << "a manifest is another";
  install_library(library(), "", root());
  EXPECT_EQ(load_manifest(folder + "/lock.json").name, "locky_other");
  fs::remove(folder_.file("libraries/languages/sh/more.sh"));
  EXPECT_FALSE(is_installed(root(), library(), "")) << "a file is gone";
  install_library(library(), "", root());
  EXPECT_TRUE(is_installed(root(), library(), ""));
  EXPECT_FALSE(fs::exists(folder + "/more.sh"));
}

TEST_F(Libraries, InstalledFilesAreWorldReadable) {
  installer("umask 077; mkdir lib; echo x > lib/jar; echo x > tool; chmod 700 tool\n");
  const std::string folder = install_library(library(), "", root());
  using fs::perms;
  EXPECT_NE(fs::status(folder + "/lib/jar").permissions() & perms::others_read, perms::none);
  EXPECT_NE(fs::status(folder + "/lib").permissions() & perms::others_exec, perms::none);
  EXPECT_NE(fs::status(folder + "/tool").permissions() & perms::others_exec, perms::none);
  EXPECT_EQ(fs::status(folder + "/lib/jar").permissions() & perms::others_exec, perms::none);
}

}  // namespace
}  // namespace holdfast
