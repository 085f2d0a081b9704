// A folder for a test's files that lasts as long as its object.
//
//   TemporaryFolder folder;
//   load_scenario(folder.write("pause.json", "{...}"));
//
// It says nothing when the disk is full; the test that reads the file will.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace holdfast {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string made = std::filesystem::temp_directory_path().string() + "/holdfast-test-XXXXXX";
    path_ = ::mkdtemp(made.data()) == nullptr ? "/nonexistent" : made;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }

 private:
  std::string path_;
};

// A file, or a folder to be made, for the tests of one process: gone at its end, or, to be looked at, in the folder
// that HOLDFAST_KEEP names.
inline std::string test_file(const std::string& name) {
  static const TemporaryFolder folder;
  const char* kept = std::getenv("HOLDFAST_KEEP");
  return kept == nullptr ? folder.file(name) : std::string(kept) + "/" + name;
}

}  // namespace holdfast
