// Commands for a host's shell, tried in real shells of this machine, and the reading of its answers.
#include "hosts/remote_script.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "adapter/adapter_process.hpp"
#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

// A shell that starts a program, and the program's output.
class Launched {
 public:
  Launched(const std::vector<std::string>& shell, const RemoteProgram& program)
      : process_({shell, {{"PATH", "/usr/bin:/bin"}}}) {
    process_.write(launch_script(program), 1000);
    group = launched_group(line());
  }
  std::string line() {
    std::string out;
    char c = 0;
    while (::read(process_.output(), &c, 1) == 1 && c != '\n') out += c;
    return out;
  }
  void say(const std::string& text) { process_.write(text + "\n", 1000); }
  void end_of_input() { process_.close_input(); }
  std::optional<AdapterEnd> end() { return process_.wait(20'000); }

  std::optional<std::int64_t> group;

 private:
  AdapterProcess process_;
};

// The question for a host, asked of this one.
RemoteGroup group_here(std::int64_t group) {
  const std::string question = group_question(group);
  FILE* answer = ::popen(question.c_str(), "r");  // by sh
  std::string lines;
  std::array<char, 4096> part{};
  while (std::fgets(part.data(), part.size(), answer) != nullptr) lines += part.data();
  ::pclose(answer);
  return read_group(lines, group);
}

class RemoteScript : public testing::TestWithParam<std::vector<std::string>> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(GetParam().front())) GTEST_SKIP() << GetParam().front() << " is not installed";
  }
};

const RemoteProgram kEcho{
    {"sh", "-c", "while read -r line; do echo \"$HOW $line $PWD\"; done; exit 7"}, {{"HOW", "it's \"$said\""}}, "/usr"};

TEST_P(RemoteScript, RunsTheProgram) {
  Launched program(GetParam(), kEcho);
  ASSERT_TRUE(program.group);
  program.say("one");
  EXPECT_EQ(program.line(), "it's \"$said\" one /usr");
  program.say("two");
  EXPECT_EQ(program.line(), "it's \"$said\" two /usr");
  program.end_of_input();
  const auto end = program.end();
  ASSERT_TRUE(end);
  EXPECT_EQ(end->code, 7);
  EXPECT_EQ(group_here(*program.group).threads, 0);
}

TEST_P(RemoteScript, EndsAProgramThatIsStopped) {
  Launched program(GetParam(), kEcho);
  ASSERT_TRUE(program.group);
  program.say("one");  // its group is announced before setsid has made it: the program's answer comes after
  EXPECT_EQ(program.line(), "it's \"$said\" one /usr");
  EXPECT_FALSE(group_here(*program.group).stopped);
  ASSERT_EQ(::kill(static_cast<pid_t>(-*program.group), SIGSTOP), 0);
  EXPECT_TRUE(poll_until([&] { return group_here(*program.group).stopped; }, 5, after_ms(20'000)));
  program.end_of_input();
  const auto end = program.end();
  ASSERT_TRUE(end);
  EXPECT_EQ(end->code, 128 + SIGKILL);
  EXPECT_EQ(group_here(*program.group).threads, 0);
}

TEST_P(RemoteScript, MissingProgramEndsWith127) {
  Launched program(GetParam(), {{"./no_such_program"}, {}, "/usr"});
  const auto end = program.end();
  ASSERT_TRUE(end);
  EXPECT_EQ(end->code, 127);
  Launched folder(GetParam(), {{"true"}, {}, "/no/such/folder"});
  EXPECT_FALSE(folder.group);
  EXPECT_EQ(folder.end()->code, 126);
}

INSTANTIATE_TEST_SUITE_P(Shells, RemoteScript,
                         testing::Values(std::vector<std::string>{"/bin/dash"}, std::vector<std::string>{"/bin/bash"},
                                         std::vector<std::string>{"/bin/busybox", "sh"}));

TEST(RemoteGroup, IsReadFromProc) {
  const std::string rest = " 1 -1 4194304 1 2 3 4 100 20 0 0 20 0 1 0 5 6 7\n";
  const std::string lines = "self 13\n12 (a) b) T 1 12 12 0" + rest.substr(2) + "13 (c) S 1 99 99 0" + rest.substr(2);
  EXPECT_EQ(read_group(lines, 12).threads, 1);
  EXPECT_TRUE(read_group(lines, 12).stopped);
  EXPECT_EQ(read_group(lines, 12).ran_ns, 1'200'000'000);
  EXPECT_FALSE(read_group(lines, 99).stopped);
  EXPECT_EQ(read_group(lines, 7).threads, 0);
  EXPECT_FALSE(read_group(lines, 7).stopped);
  for (const char* wrong : {"", "12 (a) T 1\n", "self 13\n", "self 13\n12 (a) T 1\n", "self 13\nno line\n"}) {
    EXPECT_THROW(read_group(wrong, 12), HarnessError) << wrong;
  }
  EXPECT_THROW(read_group("self 3\n" + lines.substr(lines.find('\n') + 1), 12), HarnessError) << "it sees not itself";
}

TEST(RemoteGroup, IsNamedByTheShell) {
  EXPECT_EQ(launched_group("holdfast 4711"), 4711);
  for (const char* line : {"", "holdfast", "holdfast ", "holdfast 1", "holdfast -4", "holdfast 4x", "Welcome 4711"}) {
    EXPECT_FALSE(launched_group(line)) << line;
  }
}

}  // namespace
}  // namespace holdfast
