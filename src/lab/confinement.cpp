#include "lab/confinement.hpp"

#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace holdfast {
namespace {

std::optional<std::int64_t> setting(const char* path) {
  std::ifstream in(path);
  std::int64_t value = 0;
  if (in >> value) return value;
  return std::nullopt;
}

// Mode 2 of a process's line "Seccomp:": a filter decides which system calls it may make.
bool filtered() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("Seccomp:", 0) == 0) return line.find('2') != std::string::npos;
  }
  return false;
}

bool in_container() {
  if (::access("/.dockerenv", F_OK) == 0 || ::access("/run/.containerenv", F_OK) == 0) return true;
  const char* named = std::getenv("container");  // what Podman, LXC and systemd-nspawn set
  return (named != nullptr && *named != '\0') || filtered();
}

// Fifth word of a line: where it is mounted. A root that is a folder of some file system is mounted nowhere.
bool in_chroot() {
  std::ifstream in("/proc/self/mountinfo");
  bool any = false;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word;
    for (int i = 0; i < 5; ++i) words >> word;
    if (word == "/") return false;
    any = true;
  }
  return any;
}

bool of_user_namespace(const std::string& step) {
  return step == "unshare" || step.rfind("/proc/self", 0) == 0;
}

std::string remedy(const std::string& step, int error, const Confinement& found) {
  const bool forbidden = error == EPERM || error == EACCES;
  if (step == "unshare" && (error == ENOSPC || found.max_user_namespaces == 0)) {
    return "sysctl -w user.max_user_namespaces=10000, as an administrator (outside, where this is a container)";
  }
  if (!forbidden) return "";
  if (of_user_namespace(step) && found.unprivileged_userns_clone == 0) {
    return "sysctl -w kernel.unprivileged_userns_clone=1, as an administrator";
  }
  if (found.container) return std::string("start the container with ") + kContainerFlags;
  if (found.apparmor_restrict_unprivileged_userns.value_or(0) > 0) {
    return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, as an administrator";
  }
  if (found.chroot) return "not inside a chroot: there the kernel makes no user namespaces";
  if (!of_user_namespace(step) && step != "mount /proc") return "";
  return std::string("in a container ") + kContainerFlags +
         "; elsewhere ask who set this machine up to allow user namespaces";
}

}  // namespace

Confinement look_around() {
  Confinement found;
  found.max_user_namespaces = setting("/proc/sys/user/max_user_namespaces");
  found.unprivileged_userns_clone = setting("/proc/sys/kernel/unprivileged_userns_clone");
  found.apparmor_restrict_unprivileged_userns = setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  found.container = in_container();
  found.chroot = in_chroot();
  return found;
}

std::string refused(const std::string& step, int error, const Confinement& found) {
  const std::string text =
      "this machine does not let holdfast make its private lab: " + step + ": " + std::strerror(error);
  const std::string help = remedy(step, error, found);
  return help.empty() ? text : text + "; remedy: " + help;
}

}  // namespace holdfast
