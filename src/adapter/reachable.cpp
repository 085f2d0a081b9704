#include "adapter/reachable.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // the kernel's limit

// A folder that a lab's user may not enter is hidden by an empty one on the way to the trial's folder
// (lab/namespaces.cpp).
bool hides_another(const fs::path& folder) {
  std::ifstream mounts("/proc/self/mounts");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string source;
    std::string place;
    std::string type;
    if (words >> source >> place >> type && source == "holdfast" && type == "tmpfs" && folder == place) return true;
  }
  return false;
}

// Checks permissions explicitly: in a lab the user appears as root.
bool is_nobody() {
  constexpr unsigned kNobody = 65534;
  std::ifstream map("/proc/self/uid_map");
  unsigned inside = 0;
  unsigned outside = 0;
  return ::getuid() == kNobody || (map >> inside >> outside && inside == ::getuid() && outside == kNobody);
}

class Walk {
 public:
  explicit Walk(const fs::path& file) : file_(file.lexically_normal()) { go_to(file_); }

  Reach reach() {
    while (!parts_.empty()) {
      const fs::path part = parts_.front();
      parts_.pop_front();
      if (part == ".." || part == "." || part.empty()) {
        if (part == "..") at_ = at_.parent_path();
        continue;
      }
      const fs::path next = at_ / part;
      struct stat found {};
      if (::lstat(next.c_str(), &found) != 0) return failed(next, errno);
      if (!S_ISLNK(found.st_mode)) {
        at_ = next;
      } else if (Reach wrong = follow(next); !wrong.found) {
        return wrong;
      }
    }
    return {};
  }

 private:
  // The remaining path is appended to the link's target.
  void go_to(const fs::path& target) {
    if (target.is_absolute()) at_ = "/";
    const fs::path relative = target.relative_path();
    parts_.insert(parts_.begin(), relative.begin(), relative.end());
  }

  Reach follow(const fs::path& link) {
    std::error_code wrong;
    const fs::path target = fs::read_symlink(link, wrong);
    if (wrong || ++links_ > kMostLinks) return {false, file_.string() + " is a broken link"};
    go_to(target);
    return {};
  }

  Reach failed(const fs::path& next, int error) const {
    fs::path whole = next;
    for (const auto& part : parts_) whole /= part;
    const bool direct = links_ == 0;
    const std::string what =
        direct ? file_.string() : file_.string() + " is a link to " + whole.lexically_normal().string() + ", which";
    if (error == EACCES) return {false, what, at_.string()};
    for (fs::path folder = at_; folder != folder.root_path(); folder = folder.parent_path()) {
      if (hides_another(folder)) return {false, what, folder.string()};
    }
    return {false, what + " is missing"};
  }

  fs::path file_;
  fs::path at_ = "/";
  std::deque<fs::path> parts_;
  int links_ = 0;
};

}  // namespace

Reach reach_of(const std::string& file) {
  Reach out = Walk(file).reach();
  if (out.closed.empty()) return out;
  const std::string who = is_nobody() ? "nobody, uid 65534, because root started it" : "your own user";
  out.what += " is not accessible to the lab's user (" + who + "): the folder " + out.closed + " is closed to it";
  return out;
}

}  // namespace holdfast
