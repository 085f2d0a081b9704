// What of an adapter must be on this machine before it can be started.
#include <unistd.h>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "adapter/manifest.hpp"
#include "artifact/error.hpp"

namespace holdfast {
namespace {

// Where programs and libraries are found, and where a program may write.
constexpr std::array<const char*, 6> kPassedOn{"PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR", "LANG", "LC_ALL"};

[[noreturn]] void refuse_missing(const Manifest& manifest, const std::string& what) {
  const std::string remedy = manifest.install.empty() ? "install it, or correct 'command'" : manifest.install;
  throw Unavailable("the adapter " + manifest.name + " cannot be started: " + what + "; remedy: " + remedy);
}

std::string beneath_folder(const Manifest& manifest, const std::string& word) {
  if (word.empty() || word[0] == '/') return word;
  std::error_code wrong;
  const auto folder = std::filesystem::absolute(manifest.folder, wrong);
  return (folder / word).lexically_normal().string();
}

std::string in_path(const Manifest& manifest, const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr && *path != '\0' ? path : "/usr/local/bin:/usr/bin:/bin");
  std::error_code wrong;
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = folder + "/" + program;
    const bool there = !folder.empty() && std::filesystem::is_regular_file(file, wrong);
    if (there && ::access(file.c_str(), X_OK) == 0) return file;
  }
  refuse_missing(manifest, "there is no program " + program + " in PATH");
}

}  // namespace

std::vector<std::string> found_command(const Manifest& manifest) {
  for (const std::string& path : manifest.paths) {
    const std::string file = beneath_folder(manifest, path);
    if (::access(file.c_str(), R_OK) != 0) refuse_missing(manifest, file + " is missing");
  }
  std::vector<std::string> words = manifest.command;
  for (std::string& word : words) {
    if (word.rfind("./", 0) == 0) word = beneath_folder(manifest, word);
  }
  std::string& program = words.front();
  if (program.find('/') == std::string::npos) {
    program = in_path(manifest, program);
    return words;
  }
  program = beneath_folder(manifest, program);
  std::error_code wrong;
  if (!std::filesystem::is_regular_file(program, wrong)) refuse_missing(manifest, program + " is missing");
  if (::access(program.c_str(), X_OK) != 0) refuse_missing(manifest, program + " is not executable (chmod +x)");
  return words;
}

std::map<std::string, std::string> adapter_environment(const Manifest& manifest) {
  std::map<std::string, std::string> out;
  const auto take = [&](const std::string& name) {
    const char* value = std::getenv(name.c_str());
    if (value != nullptr) out[name] = value;
  };
  for (const char* name : kPassedOn) take(name);
  for (const std::string& name : manifest.environment) take(name);
  return out;
}

}  // namespace holdfast
