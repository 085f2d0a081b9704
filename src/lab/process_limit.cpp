#include "lab/process_limit.hpp"

#include <fstream>
#include <sstream>
#include <vector>

namespace holdfast {
namespace {

// The limit of a group that has refused processes; empty: no limit, or no refusal.
std::string limit_that_refused(const std::string& folder) {
  std::ifstream max(folder + "/pids.max"), events(folder + "/pids.events");
  std::string limit, word;
  long long refusals = 0;
  if (!(max >> limit) || limit == "max" || !(events >> word >> refusals) || word != "max") return "";
  return refusals > 0 ? limit : "";
}

std::string content(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// From a line "8:pids:/a/b" or "0::/a/b": the folder of the hierarchy, and the group's path in it. Version 2 may be
// mounted beside version 1 hierarchies.
struct Place {
  std::vector<std::string> roots;
  std::string path;
};

Place place_in(const std::string& groups, const std::string& line) {
  const auto first = line.find(':');
  const auto second = first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos) return {};
  const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
  const std::string path = line.substr(second + 1);
  if (controllers == ",,") return {{groups, groups + "/unified"}, path};
  if (controllers.find(",pids,") != std::string::npos) return {{groups + "/pids"}, path};
  return {};
}

}  // namespace

// Checks the group's own limit and those above it. In a container the path may be the host's, so the root is checked,
// too.
std::string refused_processes(const std::string& groups, const std::string& own) {
  std::istringstream lines(own);
  for (std::string line; std::getline(lines, line);) {
    const Place place = place_in(groups, line);
    for (const std::string& root : place.roots) {
      for (std::string path = place.path; true; path.erase(path.rfind('/'))) {
        const std::string limit = limit_that_refused(root + path);
        if (!limit.empty()) {
          return "; its control group allows " + limit + " processes and threads (pids.max), and has refused more; " +
                 "remedy: allow more";
        }
        if (path.rfind('/') == std::string::npos) break;
      }
    }
  }
  return "";
}

std::string refused_processes() {
  return refused_processes("/sys/fs/cgroup", content("/proc/self/cgroup"));
}

}  // namespace holdfast
