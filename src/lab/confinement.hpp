// Detects how this process is confined, and explains a refusal of the lab accordingly. The same call fails with the
// same error for causes with completely different remedies.
//
//   refused("unshare", EPERM, look_around())
//     -> "... unshare: Operation not permitted; remedy: start the container with --security-opt ..."
//
// It tries nothing: namespaces.hpp finds out by making a lab whether one can be made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "artifact/error.hpp"

namespace holdfast {

// Docker flags that a lab needs; they add no capability. The last is for hosts with AppArmor, whose container profile
// forbids every mount.
inline constexpr const char* kContainerFlags =
    "--security-opt seccomp=unconfined --security-opt systempaths=unconfined";
inline constexpr const char* kAppArmorFlag = "--security-opt apparmor=unconfined";

struct Confinement {
  std::optional<std::int64_t> max_user_namespaces;        // from /proc/sys; empty: the kernel does not have it
  std::optional<std::int64_t> unprivileged_userns_clone;  // Debian's and Arch's
  std::optional<std::int64_t> apparmor_restrict_unprivileged_userns;  // Ubuntu's, from 23.10 on
  std::string apparmor_profile;  // profile of this process: "docker-default"; empty: none
  bool selinux = false;          // in enforcing mode
  bool container = false;        // by Docker, Podman or similar
  bool filtered = false;         // a filter of system calls (seccomp) is on
  bool chroot = false;           // as far as it can be detected
};

Confinement look_around();

// Text for a failure: what failed, why, and the most suitable remedy. `step` is the call that failed with `error`, with
// further details in brackets: "unshare (net namespace)", "setns (into a node's network)".
std::string refused(const std::string& step, int error, const Confinement& found);

// Exception for a machine that refuses something every trial needs.
Unavailable refusal(const std::string& step, int error);

// For the lab's log, if the kernel lacks an optional call.
inline constexpr const char* kFilesAreWritable =
    "the lab's files are not read-only: this kernel has no mount_setattr (Linux 5.12)";

}  // namespace holdfast
