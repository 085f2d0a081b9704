// A shell that stays, tried with one of this machine.
#include "hosts/host_shell.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

TEST(HostShell, LateAnswerIsNotTheNextOne) {
  HostShell shell({"here", {"env"}, "", {}});
  EXPECT_EQ(shell.ask("echo one; echo two"), "one\ntwo\n");
  EXPECT_THROW(shell.ask("sleep 1; echo late", 100), HarnessError);
  EXPECT_EQ(shell.ask("echo three"), "three\n");
}

TEST(HostShell, FailedStartNamesTheReason) {
  try {
    HostShell shell({"far", {"no_such_command"}, "", {}});
    FAIL() << "there is a shell";
  } catch (const HarnessError& failed) {
    const std::string why = failed.what();
    EXPECT_NE(why.find("host far: its command ended; its output: "), std::string::npos) << why;
    EXPECT_NE(why.find("no_such_command"), std::string::npos) << why;
  }
}

}  // namespace
}  // namespace holdfast
