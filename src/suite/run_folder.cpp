#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "artifact/error.hpp"
#include "suite/suite.hpp"

namespace holdfast {

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
  const std::string beside = root + "/.latest-" + std::to_string(::getpid());
  ::unlink(beside.c_str());
  if (::symlink(std::filesystem::path(path).filename().c_str(), beside.c_str()) == 0) {
    ::rename(beside.c_str(), (root + "/latest").c_str());
  }
  return path;
}

}  // namespace holdfast
