// Messages for a machine that does not allow a lab: each refusal has the one remedy that fits.
#include "lab/confinement.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/refusal.hpp"

namespace holdfast {
namespace {

Confinement nothing_special() {
  Confinement found;
  found.max_user_namespaces = 1000;
  return found;
}

TEST(Confinement, NamesTheCallAndTheReason) {
  EXPECT_TRUE(contains(refused("unshare", ENOSPC, nothing_special()), "unshare: No space left on device; remedy: "));
  EXPECT_TRUE(contains(refused("unshare", EPERM, nothing_special()), "unshare: Operation not permitted; remedy: "));
  EXPECT_TRUE(contains(refused("/proc/self/uid_map", EPERM, nothing_special()), "; remedy: "));
}

TEST(Confinement, NoUserNamespacesLeft) {
  EXPECT_TRUE(contains(refused("unshare", ENOSPC, nothing_special()), "sysctl -w user.max_user_namespaces"));
  Confinement none = nothing_special();
  none.max_user_namespaces = 0;
  EXPECT_TRUE(contains(refused("unshare", EPERM, none), "sysctl -w user.max_user_namespaces"));
}

TEST(Confinement, ForbiddenByASetting) {
  Confinement debian = nothing_special();
  debian.unprivileged_userns_clone = 0;
  EXPECT_TRUE(contains(refused("unshare", EPERM, debian), "kernel.unprivileged_userns_clone=1"));
  debian.unprivileged_userns_clone = 1;
  EXPECT_FALSE(contains(refused("unshare", EPERM, debian), "unprivileged_userns_clone"));
  Confinement ubuntu = nothing_special();
  ubuntu.apparmor_restrict_unprivileged_userns = 1;
  for (const char* step : {"unshare", "/proc/self/uid_map", "mount / private"}) {
    EXPECT_TRUE(contains(refused(step, EACCES, ubuntu), "kernel.apparmor_restrict_unprivileged_userns=0")) << step;
  }
  ubuntu.apparmor_restrict_unprivileged_userns = 0;
  EXPECT_FALSE(contains(refused("unshare", EPERM, ubuntu), "apparmor"));
}

TEST(Confinement, InAContainerItsFlagsAreNamed) {
  Confinement found = nothing_special();
  found.container = true;
  for (const char* step : {"unshare", "mount /proc"}) {
    const std::string remedy = std::string("remedy: start the container with ") + kContainerFlags;
    EXPECT_TRUE(contains(refused(step, EPERM, found), remedy)) << step;
  }
  EXPECT_FALSE(contains(refused("unshare", ENOSPC, found), "seccomp")) << "that is the kernel's limit";
}

TEST(Confinement, NamesTheLimitOfEachNamespaceKind) {
  const std::string text = refused("unshare (net namespace)", ENOSPC, nothing_special());
  EXPECT_TRUE(contains(text, "sysctl -w user.max_net_namespaces=10000")) << text;
  EXPECT_FALSE(contains(text, "max_user_namespaces")) << text;
}

TEST(Confinement, AKernelWithoutAKind) {
  EXPECT_TRUE(contains(refused("unshare (net namespace)", EINVAL, nothing_special()), "CONFIG_NET_NS"));
}

TEST(Confinement, UbuntusSettingReachesIntoContainers) {
  Confinement found = nothing_special();
  found.container = true;
  found.apparmor_restrict_unprivileged_userns = 1;
  const std::string sysctl = "kernel.apparmor_restrict_unprivileged_userns=0";
  const std::string step = "unshare (mnt namespace)";
  EXPECT_TRUE(contains(refused(step, EPERM, found), "remedy: sysctl -w " + sysctl)) << "nothing of the container's";
  EXPECT_FALSE(contains(refused("mount /proc", EPERM, found), sysctl)) << "that is the container's mask";
  found.filtered = true;
  EXPECT_TRUE(contains(refused(step, EPERM, found), kContainerFlags));
  EXPECT_TRUE(contains(refused(step, EPERM, found), sysctl));
}

TEST(Confinement, NamesTheContainersAppArmor) {
  Confinement found = nothing_special();
  found.container = true;
  EXPECT_FALSE(contains(refused("mount / private", EACCES, found), "apparmor"));
  found.apparmor_profile = "docker-default";
  EXPECT_TRUE(contains(refused("mount / private", EACCES, found), kAppArmorFlag));
}

TEST(Confinement, SettingIsNamedDespiteASeccompFilter) {
  Confinement ubuntu = nothing_special();
  ubuntu.filtered = true;  // as below systemd's services
  ubuntu.apparmor_restrict_unprivileged_userns = 1;
  EXPECT_TRUE(contains(refused("unshare", EPERM, ubuntu), "apparmor_restrict_unprivileged_userns=0"));
  ubuntu.apparmor_restrict_unprivileged_userns = 0;
  EXPECT_TRUE(contains(refused("unshare", EPERM, ubuntu), "seccomp"));
}

TEST(Confinement, SELinux) {
  Confinement found = nothing_special();
  found.selinux = true;
  EXPECT_TRUE(contains(refused("unshare", EACCES, found), "SELinux"));
  EXPECT_FALSE(contains(refused("unshare", EPERM, found), "SELinux")) << "it says EACCES";
}

TEST(Confinement, AKernelWithoutTheCall) {
  EXPECT_TRUE(contains(refused("pidfd_open", ENOSYS, nothing_special()), "Linux 5.3"));
}

TEST(Confinement, InAChroot) {
  Confinement found = nothing_special();
  found.chroot = true;
  EXPECT_TRUE(contains(refused("unshare", EPERM, found), "run outside a chroot"));
}

TEST(Confinement, FullDiskGetsNoNamespaceRemedy) {
  Confinement everything = nothing_special();
  everything.container = everything.chroot = true;
  EXPECT_FALSE(contains(refused("mkdir lab", ENOSPC, everything), "remedy"));
}

TEST(Confinement, ThisMachineHasALimit) {
  EXPECT_TRUE(look_around().max_user_namespaces.has_value());
}

}  // namespace
}  // namespace holdfast
