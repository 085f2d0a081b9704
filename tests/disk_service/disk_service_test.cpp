// The contents that a mounted disk keeps for each way to write: through the kernel, with real descriptors and mappings.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "artifact/error.hpp"
#include "disk/server_disk.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kPage = 4096;

class DiskService : public testing::Test {
 protected:
  void SetUp() override {
    static int number = 0;
    const std::string folder = std::getenv("HOLDFAST_DISK_TEST_FOLDER");
    try {
      disk.emplace(folder + "/lab/disk-" + std::to_string(++number), folder + "/disk.log");
    } catch (const Unavailable& why) {
      GTEST_SKIP() << why.what();
    }
  }
  void TearDown() override {
    for (const int file : open_) ::close(file);
  }

  std::string path(const std::string& name) const { return disk->folder() + "/" + name; }
  int opened(const std::string& name, int flags = O_RDWR | O_CREAT) {
    const int file = ::open(path(name).c_str(), flags | O_CLOEXEC, 0600);
    EXPECT_GE(file, 0) << name << ": " << std::strerror(errno);
    open_.push_back(file);
    return file;
  }
  static void put(int file, const std::string& text) {
    EXPECT_EQ(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size())) << std::strerror(errno);
  }
  // A file of which all is on the disk, its name too.
  int kept_file(const std::string& name, const std::string& text, int flags = 0) {
    const int file = opened(name, O_RDWR | O_CREAT | flags);
    put(file, text);
    disk->sync_all();
    return file;
  }
  void sync_folder() { EXPECT_EQ(::fsync(opened(".", O_RDONLY | O_DIRECTORY)), 0); }
  // "-": no such file.
  std::string text(const std::string& name) const {
    const int file = ::open(path(name).c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return "-";
    std::string out(3 * kPage, '\0');
    out.resize(static_cast<std::size_t>(::read(file, out.data(), out.size())));
    ::close(file);
    return out;
  }
  std::string after_loss(const std::string& name) {
    disk->lose();
    return text(name);
  }

  std::optional<ServerDisk> disk;

 private:
  std::vector<int> open_;
};

TEST_F(DiskService, UnsyncedWriteIsVisibleAndLost) {
  const int file = kept_file("log", "one");
  put(file, "two");
  EXPECT_EQ(text("log"), "onetwo");
  EXPECT_EQ(after_loss("log"), "one");
  const PowerLoss loss = disk->last_loss();
  EXPECT_EQ(loss.times, 1U);
  EXPECT_EQ(loss.bytes, 6U) << "the page, as far as the file reaches";
  EXPECT_EQ(loss.files, 1U);
  EXPECT_TRUE(loss.synced_kept);
  EXPECT_TRUE(loss.unsynced_lost);
}

TEST_F(DiskService, EachWayToSyncKeeps) {
  const int fsynced = kept_file("fsynced", "");
  const int fdatasynced = kept_file("fdatasynced", "");
  const int with_sync = kept_file("O_SYNC", "", O_SYNC);
  const int with_dsync = kept_file("O_DSYNC", "", O_DSYNC);
  const int one_write = kept_file("RWF_DSYNC", "");
  for (const int file : {fsynced, fdatasynced, with_sync, with_dsync}) put(file, "kept");
  EXPECT_EQ(::fsync(fsynced), 0);
  EXPECT_EQ(::fdatasync(fdatasynced), 0);
  char word[] = "kept";
  const iovec piece{word, 4};
  EXPECT_EQ(::pwritev2(one_write, &piece, 1, 0, RWF_DSYNC), 4) << std::strerror(errno);
  put(kept_file("unsynced", ""), "lost");
  disk->lose();
  for (const char* name : {"fsynced", "fdatasynced", "O_SYNC", "O_DSYNC", "RWF_DSYNC"}) {
    EXPECT_EQ(text(name), "kept") << name;
  }
  EXPECT_EQ(text("unsynced"), "");
}

TEST_F(DiskService, SyncOfTheWholeSystemDoesNotReachIt) {
  const int file = kept_file("log", "one");
  put(file, "two");
  ::sync();
  EXPECT_EQ(::syncfs(file), 0);
  EXPECT_EQ(after_loss("log"), "one");
}

TEST_F(DiskService, NamesAreKeptOnceTheirFolderIsSynced) {
  const int file = opened("log");
  put(file, "one");
  EXPECT_EQ(::fsync(file), 0);
  EXPECT_EQ(after_loss("log"), "-");
  const int again = opened("log");
  put(again, "one");
  EXPECT_EQ(::fsync(again), 0);
  sync_folder();
  EXPECT_EQ(after_loss("log"), "one");
  EXPECT_EQ(::rename(path("log").c_str(), path("old").c_str()), 0);
  EXPECT_EQ(text("old"), "one");
  EXPECT_EQ(after_loss("log"), "one");
  EXPECT_EQ(text("old"), "-");
  EXPECT_EQ(::unlink(path("log").c_str()), 0);
  EXPECT_EQ(after_loss("log"), "one");
  EXPECT_EQ(::unlink(path("log").c_str()), 0);
  sync_folder();
  EXPECT_EQ(after_loss("log"), "-");
}

TEST_F(DiskService, ATruncationIsLost) {
  const int file = kept_file("log", "one");
  EXPECT_EQ(::ftruncate(file, 1), 0);
  EXPECT_EQ(text("log"), "o");
  EXPECT_EQ(after_loss("log"), "one");
  opened("log", O_RDWR | O_TRUNC);
  EXPECT_EQ(text("log"), "");
  EXPECT_EQ(after_loss("log"), "one");
}

TEST_F(DiskService, AMappingIsKeptBySyncingIt) {
  const int file = kept_file("map", std::string(2 * kPage, '.'));
  void* memory = ::mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ASSERT_NE(memory, MAP_FAILED) << std::strerror(errno);
  auto* bytes = static_cast<char*>(memory);
  bytes[0] = 'k';
  EXPECT_EQ(::msync(memory, 2 * kPage, MS_SYNC), 0);
  bytes[1] = 'l';  // in the kernel's memory when the power goes
  const std::string found = after_loss("map");
  EXPECT_EQ(found.substr(0, 3), "k..");
  ::munmap(memory, 2 * kPage);
  EXPECT_EQ(text("map").substr(0, 3), "k..") << "what the kernel still had came back";
}

TEST_F(DiskService, OpenFilesFailAfterTheLoss) {
  const int file = kept_file("log", "one");
  char bytes[3];
  EXPECT_EQ(::pread(file, bytes, 3, 0), 3);  // from here on the kernel has them
  disk->lose();
  EXPECT_EQ(::pread(file, bytes, 3, 0), -1);
  EXPECT_EQ(errno, EIO);
  EXPECT_EQ(::write(file, "x", 1), -1);
  EXPECT_EQ(errno, EIO);
  EXPECT_EQ(::fsync(file), -1);
  EXPECT_EQ(text("log"), "one");
  put(opened("log", O_RDWR | O_APPEND), "two");
  EXPECT_EQ(text("log"), "onetwo") << "but whoever comes afterwards can";
}

TEST_F(DiskService, PowerCanBeLostAgain) {
  for (std::uint64_t times = 1; times < 4; ++times) {
    const int file = kept_file("log" + std::to_string(times), "one");
    put(file, "two");
    EXPECT_EQ(after_loss("log" + std::to_string(times)), "one");
    EXPECT_EQ(disk->last_loss().times, times);
    EXPECT_TRUE(disk->last_loss().synced_kept && disk->last_loss().unsynced_lost);
  }
}

TEST_F(DiskService, IsAFileSystemLikeOthers) {
  namespace fs = std::filesystem;
  fs::create_directories(path("a/b/c"));
  fs::create_symlink("b/c", path("a/link"));
  EXPECT_EQ(fs::read_symlink(path("a/link")), "b/c");
  const int file = opened("a/link/file");
  put(file, "text");
  EXPECT_EQ(text("a/b/c/file"), "text");
  fs::create_hard_link(path("a/b/c/file"), path("a/second"));
  EXPECT_EQ(fs::hard_link_count(path("a/second")), 2U);
  EXPECT_EQ(::fchmod(file, 0640), 0);
  struct stat found {};
  EXPECT_EQ(::fstat(file, &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0640U);
  EXPECT_EQ(found.st_uid, ::getuid());
  EXPECT_EQ(::posix_fallocate(file, 0, 5 * kPage), 0);
  EXPECT_EQ(fs::file_size(path("a/second")), 5 * kPage);
  flock lock{};
  lock.l_type = F_WRLCK;
  EXPECT_EQ(::fcntl(file, F_SETLK, &lock), 0) << std::strerror(errno);
  std::size_t entries = 0;
  for (int i = 0; i < 300; ++i) opened("a/many" + std::to_string(i));
  for (const auto& entry : fs::directory_iterator(path("a"))) entries += entry.path().empty() ? 0 : 1;
  EXPECT_EQ(entries, 303U);
  fs::remove_all(path("a"));
  EXPECT_FALSE(fs::exists(path("a")));
  EXPECT_EQ(::write(file, "x", 1), 1) << "an open file outlives its names";
}

TEST_F(DiskService, HasSocketsAndDirectWrites) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path("s").size(), sizeof address.sun_path);
  std::strcpy(address.sun_path, path("s").c_str());
  EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0) << std::strerror(errno);
  ::close(socket);
  void* aligned = nullptr;
  ASSERT_EQ(::posix_memalign(&aligned, kPage, kPage), 0);
  std::memset(aligned, 'd', kPage);
  const int file = opened("direct", O_RDWR | O_CREAT | O_DIRECT);
  EXPECT_EQ(::write(file, aligned, kPage), static_cast<ssize_t>(kPage)) << std::strerror(errno);
  std::free(aligned);
  EXPECT_EQ(text("direct"), std::string(kPage, 'd'));
}

TEST_F(DiskService, ReportsTheEndOfItsProcess) {
  disk->watch();
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string number = entry.path().filename();
    if (number.find_first_not_of("0123456789") != std::string::npos || number == "1") continue;
    std::string line(200, '\0');
    const int file = ::open((entry.path() / "cmdline").c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? 0 : ::read(file, line.data(), line.size());
    if (file >= 0) ::close(file);
    if (std::string(line, 0, got > 0 ? got : 0).find("--orders") != std::string::npos)
      ::kill(std::stoi(number), SIGKILL);
  }
  const auto told = [this] {
    for (int i = 0; i < 500; ++i) {
      try {
        disk->watch();
      } catch (const HarnessError&) {
        return true;
      }
      ::usleep(10'000);
    }
    return false;
  };
  EXPECT_TRUE(told());
  EXPECT_EQ(::open(path("x").c_str(), O_RDWR | O_CREAT, 0600), -1) << "nobody waits for a disk that is gone";
  EXPECT_THROW(disk->lose(), HarnessError);
}

}  // namespace
}  // namespace holdfast
