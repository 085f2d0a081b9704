// How far this process is confined, as the kernel and the surroundings show it; and what a refusal of the lab then
// means. The same call fails with the same error for reasons whose remedies have nothing in common.
//
//   refused("unshare", EPERM, look_around())
//     -> "... unshare: Operation not permitted; remedy: start the container with --security-opt ..."
//
// What it does not do: try anything. Whether a lab can be made is found out by making one (namespaces.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace holdfast {

// Docker's words for what a lab needs there; no capability is added. The last is for hosts with AppArmor, whose profile
// for containers forbids every mount.
inline constexpr const char* kContainerFlags =
    "--security-opt seccomp=unconfined --security-opt systempaths=unconfined";
inline constexpr const char* kAppArmorFlag = "--security-opt apparmor=unconfined";

struct Confinement {
  std::optional<std::int64_t> max_user_namespaces;                    // of /proc/sys; nothing: this kernel has none
  std::set<std::string> limits_of_zero;                               // "user.max_net_namespaces", and its like
  std::optional<std::int64_t> unprivileged_userns_clone;              // Debian's and Arch's
  std::optional<std::int64_t> apparmor_restrict_unprivileged_userns;  // Ubuntu's, from 23.10 on
  std::string apparmor_profile;  // that confines this process: "docker-default"; empty: none
  bool selinux = false;          // it enforces
  bool container = false;        // of Docker, Podman or the like
  bool filtered = false;         // a filter of system calls (seccomp) is on
  bool chroot = false;           // the root is not a file system's: as far as that shows
};

Confinement look_around();

// For people: what failed, why, and the one remedy that fits best. `step` is the call that failed with `error`.
std::string refused(const std::string& step, int error, const Confinement& found);

}  // namespace holdfast
