// Commands of a command line, split into words as a shell would.
#include "adapter/command_words.hpp"

#include <gtest/gtest.h>

#include "tests/refusal.hpp"

namespace holdfast {
namespace {

using Words = std::vector<std::string>;

TEST(CommandWords, AreSplitAsAShellDoes) {
  EXPECT_EQ(command_words("python3 \"my lock.py\""), (Words{"python3", "my lock.py"}));
  EXPECT_EQ(command_words("  a \t b\nc "), (Words{"a", "b", "c"}));
  EXPECT_EQ(command_words(R"(a\ b 'c\ "d' "e\"f\\g\h" i""j '')"), (Words{"a b", "c\\ \"d", "e\"f\\g\\h", "ij", ""}));
  EXPECT_EQ(command_words("a $HOME | *"), (Words{"a", "$HOME", "|", "*"}));
}

TEST(CommandWords, ErrorsShowTheCommand) {
  const auto refused = [](const std::string& text) { return refusal([&] { command_words(text); }); };
  EXPECT_EQ(refused("a \"b"), R"(the command "a \"b": a " is not closed; remedy: for example python3 "my lock.py")");
  EXPECT_TRUE(contains(refused("a 'b"), "a ' is not closed"));
  EXPECT_TRUE(contains(refused("a \\"), "it ends with a backslash"));
  EXPECT_TRUE(contains(refused("  "), "a program is missing"));
  EXPECT_TRUE(contains(refused("'' a"), "a program is missing"));
  EXPECT_TRUE(contains(refused(std::string("a\0b", 3)), "a NUL byte"));
}

TEST(CommandWords, MayHaveALocksName) {
  const NamedCommand named = named_command("my_lock=sh -c 'a=b'");
  EXPECT_EQ(named.name, "my_lock");
  EXPECT_EQ(named.words, (Words{"sh", "-c", "a=b"}));
  for (const char* wrong : {"sh -c x", "=sh", "My=sh", "a__b=sh", "_a=sh", "a_=sh", "a b=sh"}) {
    EXPECT_TRUE(contains(refusal([&] { named_command(wrong); }), "does not begin with a name")) << wrong;
  }
  EXPECT_TRUE(contains(refusal([&] { named_command("a="); }), "a program is missing"));
}

}  // namespace
}  // namespace holdfast
