#include "lab/confinement.hpp"

#include <unistd.h>
#include <cctype>
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

// Seccomp mode 2 in /proc/self/status: a filter restricts the system calls.
bool filtered() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("Seccomp:", 0) == 0) return line.find('2') != std::string::npos;
  }
  return false;
}

bool in_container() {
  if (::access("/.dockerenv", F_OK) == 0 || ::access("/run/.containerenv", F_OK) == 0) return true;
  const char* named = std::getenv("container");  // set by Podman, LXC and systemd-nspawn
  return named != nullptr && *named != '\0';
}

// "docker-default (enforce)"; "unconfined" for a process without a profile.
std::string apparmor_profile() {
  for (const char* path : {"/proc/self/attr/apparmor/current", "/proc/self/attr/current"}) {
    std::ifstream in(path);
    std::string line;
    if (!std::getline(in, line) || line.find("(enforce)") == std::string::npos) continue;
    return line.substr(0, line.find(' '));
  }
  return "";
}

// Field 5 of a line is the mount point. A root that is a folder within a file system is not a mount point.
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

bool step_begins(const std::string& step, const char* word) {
  return step.rfind(word, 0) == 0;
}

bool of_user_namespace(const std::string& step) {
  return step_begins(step, "unshare") || step_begins(step, "/proc/self");
}

// "unshare (net namespace)" -> "net"
std::string kind_of_namespace(const std::string& step) {
  const auto from = step.find('(');
  return from == std::string::npos ? "user" : step.substr(from + 1, step.find(' ', from) - from - 1);
}

// The limit for this kind is reached, in this user namespace or one around it.
std::string remedy_of_limit(const std::string& step) {
  return "sysctl -w user.max_" + kind_of_namespace(step) +
         "_namespaces=10000, as administrator (in a container: on the host)";
}

std::string remedy_of_old_kernel(const std::string& step) {
  std::string kernel = "use a kernel that has this system call";
  if (step_begins(step, "pidfd")) kernel = "use Linux 5.3 or later";
  if (step_begins(step, "memfd_create")) kernel = "use Linux 3.17 or later";
  return kernel + "; if that is already the case, remove the filter of system calls (seccomp), in a container " +
         kContainerFlags;
}

// Remedy for a kernel built without this kind of namespace.
std::string remedy_of_small_kernel(const std::string& step) {
  const std::string kind = kind_of_namespace(step);
  const bool named = kind == "user" || kind == "pid" || kind == "net" || kind == "ipc";
  std::string option = named ? kind : "user";
  for (char& c : option) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return "use a kernel built with CONFIG_" + option + "_NS";
}

std::string container_flags(const Confinement& found) {
  const bool apparmor = !found.apparmor_profile.empty();
  return std::string(kContainerFlags) + (apparmor ? std::string(" ") + kAppArmorFlag : "");
}

// Ubuntu's setting also applies in containers; it shows in the first steps, before a container's own limits.
std::string remedy_in_container(const std::string& step, const Confinement& found) {
  std::string flags = "start the container with " + container_flags(found);
  const bool first = of_user_namespace(step) || step == "mount / private";
  if (!first || found.apparmor_restrict_unprivileged_userns.value_or(0) == 0) return flags;
  const std::string setting = "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, as administrator";
  if (!found.filtered && found.apparmor_profile.empty()) return setting + " of the container's host";
  return flags + "; if that is not enough " + setting + " of its host";
}

// Remedy for a forbidden call: certain causes first, guesses from the environment last.
std::string remedy_of_ban(const std::string& step, int error, const Confinement& found) {
  if (of_user_namespace(step) && found.unprivileged_userns_clone == 0) {
    return "sysctl -w kernel.unprivileged_userns_clone=1, as administrator";
  }
  const bool mounts = step_begins(step, "mount");
  if (found.container) return remedy_in_container(step, found);
  if ((mounts || of_user_namespace(step)) && found.apparmor_restrict_unprivileged_userns.value_or(0) > 0) {
    return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, as administrator";
  }
  if (!found.apparmor_profile.empty() && (mounts || of_user_namespace(step))) {
    return "run outside the AppArmor profile " + found.apparmor_profile +
           ", or add a rule to it that allows userns and mount";
  }
  if (found.selinux && error == EACCES) {
    return "SELinux is enforcing: ausearch -m avc -ts recent shows the denied access";
  }
  if (found.filtered) return "remove the filter of system calls (seccomp); in a container " + container_flags(found);
  if (found.chroot && of_user_namespace(step)) {
    return "run outside a chroot: inside, the kernel creates no user namespaces";
  }
  if (!of_user_namespace(step) && step != "mount /proc") return "";
  return std::string("in a container ") + kContainerFlags +
         "; elsewhere ask the administrator to allow user namespaces";
}

std::string remedy(const std::string& step, int error, const Confinement& found) {
  const bool unshares = step_begins(step, "unshare");
  if (unshares && (error == ENOSPC || found.max_user_namespaces == 0)) return remedy_of_limit(step);
  if (unshares && error == EINVAL) return remedy_of_small_kernel(step);
  if (error == ENOSYS) return remedy_of_old_kernel(step);
  return error == EPERM || error == EACCES ? remedy_of_ban(step, error, found) : "";
}

}  // namespace

Confinement look_around() {
  Confinement found;
  found.max_user_namespaces = setting("/proc/sys/user/max_user_namespaces");
  found.unprivileged_userns_clone = setting("/proc/sys/kernel/unprivileged_userns_clone");
  found.apparmor_restrict_unprivileged_userns = setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  found.apparmor_profile = apparmor_profile();
  found.selinux = setting("/sys/fs/selinux/enforce") == 1;
  found.container = in_container();
  found.filtered = filtered();
  found.chroot = in_chroot();
  return found;
}

std::string refused(const std::string& step, int error, const Confinement& found) {
  const std::string text =
      "this machine does not let holdfast create its private lab: " + step + ": " + std::strerror(error);
  const std::string help = remedy(step, error, found);
  return help.empty() ? text : text + "; remedy: " + help;
}

Unavailable refusal(const std::string& step, int error) {
  return Unavailable(refused(step, error, look_around()));
}

}  // namespace holdfast
