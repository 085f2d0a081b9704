// A program's standard error fills no disk: its log keeps the beginning and the end, and says what it left out.
#include "adapter/bounded_log.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapter/adapter_error.hpp"
#include "adapter/adapter_process.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "tests/adapter/python_adapter.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

using tests::shell_adapter;

constexpr std::int64_t kLong_ms = 60'000;
constexpr const char* kMuch =
    "i=0; while [ $i -lt 200 ]; do head -c 100000 /dev/zero | tr '\\0' x >&2; i=$((i+1)); done; ";

std::string logged(const std::string& script, const std::string& before = "") {
  const TemporaryFolder folder;
  if (!before.empty()) folder.write("stderr.log", before);
  {
    AdapterProcess process(shell_adapter(folder, script));
    EXPECT_TRUE(process.wait(kLong_ms));
  }
  return read_text_file(folder.file("stderr.log"));
}

TEST(BoundedLogs, KeepAllOfLittle) {
  EXPECT_EQ(logged("echo one >&2; echo two >&2"), "one\ntwo\n");
  EXPECT_EQ(logged("echo two >&2", "of another\n"), "of another\ntwo\n");
  EXPECT_EQ(logged("true"), "");
}

TEST(BoundedLogs, KeepTheBeginningAndTheEndOfMuch) {
  const std::string log = logged("echo begins >&2; " + std::string(kMuch) + "echo ends >&2");  // 20 MB
  EXPECT_LE(log.size(), kBeginOfLog + kEndOfLogKept + 200);
  EXPECT_EQ(log.substr(0, 8), "begins\nx");
  EXPECT_EQ(log.substr(log.size() - 6), "xends\n");
  EXPECT_TRUE(contains(log, "\nholdfast: the log is full"));
  const std::uint64_t left_out = 20'000'000 + 7 + 5 - kBeginOfLog - kEndOfLogKept;
  EXPECT_TRUE(contains(log, "\nholdfast: " + std::to_string(left_out) + " bytes left out\n"));
}

TEST(BoundedLogs, AreFullForAllProgramsThatWriteThem) {
  const std::string log = logged("echo second >&2", std::string(kBeginOfLog + 1000, 'f'));
  EXPECT_LE(log.size(), kBeginOfLog + 1000 + 200);
  EXPECT_TRUE(contains(log, "holdfast: the log is full"));
  EXPECT_EQ(log.substr(log.size() - 7), "second\n");
}

TEST(BoundedLogs, KeepLastLinesWithoutAFile) {
  const TemporaryFolder folder;
  AdapterCommand command = shell_adapter(folder, std::string(kMuch) + "echo >&2; echo last >&2");
  command.log = "";
  AdapterProcess process(command);
  EXPECT_TRUE(process.wait(kLong_ms));
  const std::string lines = in_one_line(process.last_lines());
  EXPECT_EQ(lines.substr(lines.size() - 7), " | last");
}

// A pipe without a reader does not block the program.
TEST(BoundedLogs, DoNotBlockWithoutAReader) {
  const TemporaryFolder folder;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  AdapterCommand command = shell_adapter(folder, std::string(kMuch) + "exit 7");
  command.log = "";
  command.log_pipe = ends[1];
  {
    AdapterProcess process(command);
    EXPECT_EQ(process.wait(kLong_ms).value_or(AdapterEnd{}).code, 7);
  }
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(BoundedLogs, AreWrittenToFilesAndPipesOnly) {
  const TemporaryFolder folder;
  const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  AdapterCommand command = shell_adapter(folder, "true");
  command.log = "";
  command.log_pipe = null;
  EXPECT_THROW(AdapterProcess{command}, HarnessError);
  ::close(null);
  ASSERT_EQ(::symlink("/dev/zero", folder.file("link").c_str()), 0);
  command.log = folder.file("link");
  EXPECT_THROW(AdapterProcess{command}, HarnessError);
}

}  // namespace
}  // namespace holdfast
