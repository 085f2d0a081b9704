#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "artifact/error.hpp"
#include "suite/suite.hpp"

namespace holdfast {
namespace {

// A link is ours to turn; whatever else is called so is somebody's, and stays. Made beside and renamed, under a name
// that nobody has: that of the run's folder is new.
void point_latest(const std::string& root, const std::string& folder) {
  const std::string latest = root + "/latest";
  struct stat found {};
  if (::lstat(latest.c_str(), &found) == 0 && !S_ISLNK(found.st_mode)) {
    std::fprintf(stderr, "holdfast: %s: is no link, and stays as it is; this run: %s/%s\n", latest.c_str(),
                 root.c_str(), folder.c_str());
    return;
  }
  const std::string beside = root + "/.latest-" + folder;
  if (::symlink(folder.c_str(), beside.c_str()) != 0) return;
  if (::rename(beside.c_str(), latest.c_str()) != 0) ::unlink(beside.c_str());
}

}  // namespace

std::string new_run_folder(const std::string& root, bool latest) {
  std::error_code error;
  std::filesystem::create_directories(root, error);
  if (error) throw BadInput(root + ": cannot be made: " + error.message() + "; remedy: --out FOLDER");
  char stamp[32];
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
  std::string path = std::filesystem::absolute(root).string() + "/" + stamp + "-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    throw BadInput(root + ": cannot make a folder in it: " + std::strerror(errno) + "; remedy: --out FOLDER");
  }
  ::chmod(path.c_str(), 0755);
  if (!latest) return path;
  point_latest(root, std::filesystem::path(path).filename().string());
  return path;
}

}  // namespace holdfast
