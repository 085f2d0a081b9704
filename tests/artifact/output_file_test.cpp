// A file that the user names is written whole; a device, a FIFO or a link stays what it is.
#include "artifact/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

mode_t kind_of(const std::string& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 ? found.st_mode & S_IFMT : 0;
}

TEST(OutputFile, PlainFileIsReplacedAtomically) {
  const TemporaryFolder folder;
  const std::string file = folder.write("out", "an older and longer text");
  write_output_file(file, "new");
  EXPECT_EQ(read_text_file(file), "new");
  write_output_file(folder.file("fresh"), "new");
  EXPECT_EQ(read_text_file(folder.file("fresh")), "new");
  EXPECT_THROW(write_output_file(folder.path(), "a folder"), HarnessError);
}

TEST(OutputFile, ALinkIsWrittenThrough) {
  const TemporaryFolder folder;
  const std::string target = folder.write("target", "an older and longer text");
  ASSERT_EQ(::symlink(target.c_str(), folder.file("link").c_str()), 0);
  ASSERT_EQ(::symlink(folder.file("missing").c_str(), folder.file("dangling").c_str()), 0);
  write_output_file(folder.file("link"), "new");
  write_output_file(folder.file("dangling"), "made");
  EXPECT_EQ(kind_of(folder.file("link")), static_cast<mode_t>(S_IFLNK));
  EXPECT_EQ(kind_of(folder.file("dangling")), static_cast<mode_t>(S_IFLNK));
  EXPECT_EQ(read_text_file(target), "new");
  EXPECT_EQ(read_text_file(folder.file("missing")), "made");
}

TEST(OutputFile, FifoKeepsItsReader) {
  const TemporaryFolder folder;
  const std::string fifo = folder.file("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const int reader = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  write_output_file(fifo, "text");
  char got[8] = {};
  EXPECT_EQ(::read(reader, got, sizeof got), 4);
  EXPECT_EQ(std::string(got), "text");
  EXPECT_EQ(kind_of(fifo), static_cast<mode_t>(S_IFIFO));
  ::close(reader);
}

TEST(OutputFile, ADeviceStaysADevice) {
  const TemporaryFolder folder;
  const std::string null = folder.file("null");
  const std::string full = folder.file("full");
  if (::mknod(null.c_str(), S_IFCHR | 0666, ::makedev(1, 3)) != 0 ||
      ::mknod(full.c_str(), S_IFCHR | 0666, ::makedev(1, 7)) != 0 || ::access(null.c_str(), W_OK) != 0) {
    GTEST_SKIP() << "only root makes devices";
  }
  if (const int fd = ::open(null.c_str(), O_WRONLY); fd < 0) {
    GTEST_SKIP() << "devices cannot be opened in this folder";
  } else {
    ::close(fd);
  }
  write_output_file(null, "text");
  EXPECT_THROW(write_output_file(full, "text"), HarnessError);
  EXPECT_EQ(kind_of(null), static_cast<mode_t>(S_IFCHR));
  EXPECT_EQ(kind_of(full), static_cast<mode_t>(S_IFCHR));
}

TEST(OutputFile, OwnFilesReplaceOnlyPlainFiles) {
  const TemporaryFolder folder;
  const std::string target = folder.write("target", "theirs");
  ASSERT_EQ(::symlink(target.c_str(), folder.file("link").c_str()), 0);
  ASSERT_EQ(::mkfifo(folder.file("fifo").c_str(), 0600), 0);
  EXPECT_THROW(write_text_file(folder.file("link"), "ours"), HarnessError);
  EXPECT_THROW(write_text_file(folder.file("fifo"), "ours"), HarnessError);
  EXPECT_EQ(read_text_file(target), "theirs");
  EXPECT_EQ(kind_of(folder.file("fifo")), static_cast<mode_t>(S_IFIFO));
}

}  // namespace
}  // namespace holdfast
