// What people are told when this machine does not allow a lab: each refusal has a remedy of its own.
#include "lab/namespaces.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/refusal.hpp"

namespace holdfast {
namespace {

TEST(ExplainRefusal, NamesTheCallTheReasonAndTheRemedy) {
  const std::string none_left = explain_refusal("unshare", ENOSPC);
  EXPECT_TRUE(contains(none_left, "unshare: No space left on device"));
  EXPECT_TRUE(contains(none_left, "remedy: sysctl user.max_user_namespaces"));
  const std::string forbidden = explain_refusal("unshare", EPERM);
  EXPECT_TRUE(contains(forbidden, "unshare: Operation not permitted"));
  EXPECT_TRUE(contains(forbidden, "seccomp=unconfined"));
  EXPECT_TRUE(contains(forbidden, "apparmor_restrict_unprivileged_userns=0"));
  EXPECT_TRUE(contains(explain_refusal("/proc/self/uid_map", EPERM), "remedy: "));
  EXPECT_TRUE(contains(explain_refusal("mount /proc", EPERM), "systempaths=unconfined"));
  EXPECT_FALSE(contains(explain_refusal("mkdir lab", ENOSPC), "remedy")) << "a full disk is not a matter of namespaces";
}

}  // namespace
}  // namespace holdfast
