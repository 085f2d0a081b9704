// A file is whole or not there: what cannot be written is a HarnessError and leaves the old file as it was.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

TEST(TextFile, RoundTrip) {
  const TemporaryFolder folder;
  const std::string text("a\0b\r\n\xFF", 6);
  write_text_file(folder.file("x"), text);
  EXPECT_EQ(read_text_file(folder.file("x")), text);
  write_text_file(folder.file("x"), "");
  EXPECT_EQ(read_text_file(folder.file("x")), "");
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.part")));
}

TEST(TextFile, WriteFailureNamesTheFile) {
  EXPECT_THROW(write_text_file("/nonexistent/x", "text"), HarnessError);
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("taken"));
  EXPECT_THROW(write_text_file(folder.file("taken"), "text"), HarnessError);
}

// In a child: the limit is the process's. Exit 0: the error came, the old file stands, nothing is left beside it.
int write_beyond_limit(const TemporaryFolder& folder) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{4096, 4096};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  try {
    write_text_file(folder.file("x"), std::string(100'000, 'n'));
    return 1;
  } catch (const HarnessError&) {
  }
  return read_text_file(folder.file("x")) == "old" && !std::filesystem::exists(folder.file("x.part")) ? 0 : 2;
}

TEST(TextFile, FullDiskKeepsTheOldFile) {
  const TemporaryFolder folder;
  write_text_file(folder.file("x"), "old");
  const pid_t child = ::fork();
  if (child == 0) ::_exit(write_beyond_limit(folder));
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace holdfast
