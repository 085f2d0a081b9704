// Where programs are, and how they are installed where they are not.
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "artifact/error.hpp"
#include "lab/process.hpp"

namespace holdfast {
namespace {

bool is_red_hat() {
  std::ifstream in("/etc/os-release");
  for (std::string line; std::getline(in, line);) {
    const bool named = line.rfind("ID=", 0) == 0 || line.rfind("ID_LIKE=", 0) == 0;
    if (named && (line.find("rhel") != std::string::npos || line.find("fedora") != std::string::npos)) return true;
  }
  return false;
}

std::string installation(const Package& package) {
  return is_red_hat() ? "dnf install " + package.red_hat : "apt-get install " + package.debian;
}

}  // namespace

std::string find_program(const std::string& name, const Package& package) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path != nullptr ? path : "") +
                             ":/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin:/usr/libexec");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = folder + "/" + name;
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
  }
  throw Unavailable(name + " is not installed; remedy: " + installation(package));
}

}  // namespace holdfast
