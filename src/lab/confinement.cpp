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
  return named != nullptr && *named != '\0';
}

// "docker-default (enforce)"; a process that nothing confines has "unconfined".
std::string apparmor_profile() {
  for (const char* path : {"/proc/self/attr/apparmor/current", "/proc/self/attr/current"}) {
    std::ifstream in(path);
    std::string line;
    if (!std::getline(in, line) || line.find("(enforce)") == std::string::npos) continue;
    return line.substr(0, line.find(' '));
  }
  return "";
}

std::set<std::string> limits_of_zero() {
  std::set<std::string> out;
  for (const char* kind : {"user", "pid", "mnt", "net", "ipc"}) {
    const std::string name = std::string("max_") + kind + "_namespaces";
    if (setting(("/proc/sys/user/" + name).c_str()) == 0) out.insert("user." + name);
  }
  return out;
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

// A limit on the number of namespaces, reached or set to 0.
std::string remedy_of_limit(const Confinement& found) {
  std::string names;
  for (const auto& limit : found.limits_of_zero) names += (names.empty() ? "" : " ") + limit + "=10000";
  if (names.empty()) names = "user.max_user_namespaces=10000";
  return "sysctl -w " + names + ", as an administrator (outside, where this is a container)";
}

std::string container_flags(const Confinement& found) {
  const bool apparmor = !found.apparmor_profile.empty();
  return std::string(kContainerFlags) + (apparmor ? std::string(" ") + kAppArmorFlag : "");
}

// Where a call is forbidden: by what can be told for certain first, by the surroundings last.
std::string remedy_of_ban(const std::string& step, int error, const Confinement& found) {
  if (of_user_namespace(step) && found.unprivileged_userns_clone == 0) {
    return "sysctl -w kernel.unprivileged_userns_clone=1, as an administrator";
  }
  const bool mounts = step.rfind("mount", 0) == 0;
  if (found.container) return "start the container with " + container_flags(found);
  if (found.apparmor_restrict_unprivileged_userns.value_or(0) > 0) {
    return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, as an administrator";
  }
  if (!found.apparmor_profile.empty() && (mounts || of_user_namespace(step))) {
    return "outside the AppArmor profile " + found.apparmor_profile +
           ", or with a rule in it that allows userns and mount";
  }
  if (found.selinux && error == EACCES) {
    return "SELinux enforces: ausearch -m avc -ts recent names the rule that forbids it";
  }
  if (found.filtered) return "without the filter of system calls (seccomp); in a container " + container_flags(found);
  if (found.chroot) return "not inside a chroot: there the kernel makes no user namespaces";
  if (!of_user_namespace(step) && step != "mount /proc") return "";
  return std::string("in a container ") + kContainerFlags +
         "; elsewhere ask who set this machine up to allow user namespaces";
}

std::string remedy(const std::string& step, int error, const Confinement& found) {
  if (step == "unshare" && (error == ENOSPC || found.max_user_namespaces == 0)) return remedy_of_limit(found);
  if (error == ENOSYS) return "Linux 5.3 or later, or a container whose filter of system calls knows this call";
  return error == EPERM || error == EACCES ? remedy_of_ban(step, error, found) : "";
}

}  // namespace

Confinement look_around() {
  Confinement found;
  found.max_user_namespaces = setting("/proc/sys/user/max_user_namespaces");
  found.unprivileged_userns_clone = setting("/proc/sys/kernel/unprivileged_userns_clone");
  found.apparmor_restrict_unprivileged_userns = setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  found.limits_of_zero = limits_of_zero();
  found.apparmor_profile = apparmor_profile();
  found.selinux = setting("/sys/fs/selinux/enforce") == 1;
  found.container = in_container();
  found.filtered = filtered();
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
