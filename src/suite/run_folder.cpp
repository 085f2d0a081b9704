#include "suite/run_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "artifact/error.hpp"
#include "artifact/visible.hpp"
#include "suite/trial_job.hpp"

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

// MariaDB keeps paths in 512 bytes (FN_REFLEN), looks only at some of them, and crashes where one is longer. Its own
// names in a trial's folder have up to 70 ("/lab/db/holdfast/TABLE.ibd").
constexpr std::size_t kLongestTrialFolder = 440;
constexpr std::size_t kOwnName = 24;  // "/20260131T120000Z-1a2b3c"
constexpr std::size_t kUsual = 60;    // "/cells/LOCK/SCENARIO/1"

std::size_t length_of(const std::string& path) {
  std::error_code error;
  const std::size_t real = std::filesystem::weakly_canonical(path, error).string().size();
  const std::size_t given = std::filesystem::absolute(path, error).string().size();
  return std::max(real, given);
}

}  // namespace

void expect_short_enough(const std::string& root, std::size_t inside) {
  const std::size_t length = length_of(root) + kOwnName + inside;
  if (length <= kLongestTrialFolder) return;
  constexpr std::size_t kShown = 60;
  throw BadInput(clipped(root, kShown) + ": a trial's folder in it would have a path of " + std::to_string(length) +
                 " bytes, and servers bear no more than " + std::to_string(kLongestTrialFolder) +
                 "; remedy: --out FOLDER, with a path that is shorter by " +
                 std::to_string(length - kLongestTrialFolder));
}

// The last part is a control's, beside a trial.
std::size_t longest_trial_folder(const SuiteOptions& options) {
  constexpr std::size_t kControl = 11;
  std::size_t out = kUsual;
  for (const auto& scenario : options.scenarios) {
    for (const auto& lock : scenario.locks) {
      const auto last = static_cast<int>(options.repeat * std::max<std::size_t>(1, options.seeds.size()));
      out = std::max(out, 1 + trial_folder(lock, scenario.name, last).size() + kControl);
    }
  }
  return out;
}

std::string new_run_folder(const std::string& root, bool latest) {
  expect_short_enough(root, kUsual);
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
