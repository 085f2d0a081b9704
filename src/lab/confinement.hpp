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
#include <string>

#include "artifact/error.hpp"

namespace holdfast {

// Docker's words for what a lab needs there; no capability is added. The last is for hosts with AppArmor, whose profile
// for containers forbids every mount.
inline constexpr const char* kContainerFlags =
    "--security-opt seccomp=unconfined --security-opt systempaths=unconfined";
inline constexpr const char* kAppArmorFlag = "--security-opt apparmor=unconfined";

struct Confinement {
  std::optional<std::int64_t> max_user_namespaces;                    // of /proc/sys; nothing: this kernel has none
  std::optional<std::int64_t> unprivileged_userns_clone;              // Debian's and Arch's
  std::optional<std::int64_t> apparmor_restrict_unprivileged_userns;  // Ubuntu's, from 23.10 on
  std::string apparmor_profile;  // that confines this process: "docker-default"; empty: none
  bool selinux = false;          // it enforces
  bool container = false;        // of Docker, Podman or the like
  bool filtered = false;         // a filter of system calls (seccomp) is on
  bool chroot = false;           // the root is not a file system's: as far as that shows
};

Confinement look_around();

// For people: what failed, why, and the one remedy that fits best. `step` is the call that failed with `error`; where
// more than the call is to be said, in brackets: "unshare (net namespace)", "setns (into a node's network)".
std::string refused(const std::string& step, int error, const Confinement& found);

// To throw, where a machine has refused what every trial needs.
Unavailable refusal(const std::string& step, int error);

// In the lab's log, where the kernel has no call for more.
inline constexpr const char* kFilesAreWritable =
    "the lab's files are not read-only: this kernel has no mount_setattr (Linux 5.12)";

}  // namespace holdfast
