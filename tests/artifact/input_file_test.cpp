// Files read from a run's folder are plain, found through no link and of a bounded size; a file that the user names may
// be anything readable.
#include "artifact/input_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/plain_file.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kSome = 1000;

class InputFileTest : public ::testing::Test {
 protected:
  InputFileTest() {
    kept_.write("elsewhere", "a secret");
    kept_.write("run/plain", "text");
    EXPECT_EQ(::symlink(kept_.file("elsewhere").c_str(), kept_.file("run/link").c_str()), 0);
    EXPECT_EQ(::symlink("/dev/zero", kept_.file("run/endless").c_str()), 0);
    EXPECT_EQ(::mkfifo(kept_.file("run/fifo").c_str(), 0600), 0);
    EXPECT_EQ(::mkdir(kept_.file("run/folder").c_str(), 0700), 0);
  }
  void make_huge(const std::string& name) const {
    EXPECT_EQ(::truncate(kept_.write(name, "begins").c_str(), off_t{1} << 40), 0);
  }
  TemporaryFolder kept_;
};

TEST_F(InputFileTest, RunFolderOpensPlainFilesOnly) {
  for (const std::string name : {"link", "endless", "fifo", "folder"}) {
    const InputFile in = InputFile::in(kept_.file("run"), name);
    const InputFile stored = InputFile::stored(kept_.file("run/" + name));
    for (const InputFile& file : {in, stored}) {
      EXPECT_NE(refusal([&] { file.text(kSome); }).find("run/" + name + ": is "), std::string::npos) << name;
      EXPECT_THROW(file.open(), BadInput);
      EXPECT_THROW(file.start(kSome), BadInput);
      EXPECT_THROW(file.tail(kSome), BadInput);
      EXPECT_THROW(file.is_there(), BadInput);
      EXPECT_TRUE(file.can_be_read_again());
    }
  }
  const InputFile plain = InputFile::in(kept_.file("run"), "plain");
  EXPECT_EQ(plain.text(kSome), "text");
  EXPECT_TRUE(plain.is_there());
  EXPECT_EQ(plain.path(), kept_.file("run/plain"));
  EXPECT_FALSE(InputFile::in(kept_.file("run"), "none").is_there());
}

TEST_F(InputFileTest, EndlessFileIsReadToItsLimitOnly) {
  const std::string why = refusal([&] { InputFile(kept_.file("run/endless")).text(kMostOfRun); });
  EXPECT_EQ(why, kept_.file("run/endless") + ": is larger than 64 MiB");
}

TEST_F(InputFileTest, UserNamedFileMayBeLinkOrPipe) {
  EXPECT_EQ(InputFile(kept_.file("run/link")).text(kSome), "a secret");
  EXPECT_TRUE(InputFile(kept_.file("run/link")).can_be_read_again());
  const InputFile fifo(kept_.file("run/fifo"));
  EXPECT_FALSE(fifo.can_be_read_again());
  std::thread writer([&] {
    const int fd = ::open(fifo.path().c_str(), O_WRONLY);
    for (const char* part : {"in ", "parts"}) EXPECT_GT(::write(fd, part, std::string(part).size()), 0);
    ::close(fd);
  });
  EXPECT_EQ(fifo.text(kSome), "in parts");
  writer.join();
}

TEST_F(InputFileTest, IsReadNoFurtherThanItsLimit) {
  kept_.write("run/at_limit", std::string(kSome, 'x'));
  kept_.write("run/beyond", std::string(kSome + 1, 'x'));
  EXPECT_EQ(InputFile(kept_.file("run/at_limit")).text(kSome).size(), kSome);
  EXPECT_EQ(refusal([&] { InputFile(kept_.file("run/beyond")).text(kSome); }),
            kept_.file("run/beyond") + ": is larger than 1000 bytes");
  EXPECT_THROW(InputFile("/dev/zero").text(kSome), BadInput);
  make_huge("run/huge");  // read whole, it would take the memory of the machine
  const InputFile huge = InputFile::in(kept_.file("run"), "huge");
  EXPECT_EQ(refusal([&] { huge.text(kMostOfRun); }), huge.path() + ": is larger than 512 MiB");
  EXPECT_EQ(huge.start(6), "begins");
  EXPECT_EQ(huge.tail(kSome), std::string(kSome, '\0'));
}

TEST_F(InputFileTest, TailReturnsTheEnd) {
  const InputFile file(kept_.write("log", "one\ntwo\n"));
  EXPECT_EQ(file.tail(4), "two\n");
  EXPECT_EQ(file.tail(kSome), "one\ntwo\n");
}

TEST_F(InputFileTest, WritingOpensOnlyPlainFilesToo) {
  for (const std::string name : {"link", "endless", "fifo", "folder"}) {
    for (const FileUse use : {FileUse::write, FileUse::append}) {
      EXPECT_THROW(open_plain_file(kept_.file("run/" + name), use), HarnessError) << name;
    }
  }
  EXPECT_EQ(InputFile(kept_.file("elsewhere")).text(kSome), "a secret");
  const std::string file = kept_.file("run/plain");
  EXPECT_EQ(::write(open_plain_file(file, FileUse::append).get(), "!", 1), 1);
  EXPECT_EQ(read_text_file(file), "text!");
  EXPECT_FALSE(open_plain_file(file, FileUse::write).none());
  EXPECT_EQ(read_text_file(file), "");
  EXPECT_FALSE(open_plain_file(kept_.file("run/new"), FileUse::append).none());
  EXPECT_EQ(read_text_file(kept_.file("run/new")), "");
}

}  // namespace
}  // namespace holdfast
