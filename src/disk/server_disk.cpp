#include "disk/server_disk.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr const char* kDevice = "/dev/fuse";
constexpr int kDeviceDescriptor = 3;  // number in the serving process
constexpr int kOrdersDescriptor = 4;
constexpr time_t kPatience_s = 10;  // for an answer
constexpr std::string_view kSynced = "synced";
constexpr std::string_view kUnsynced = "not synced";

void require_disk(bool worked, const std::string& step) {
  if (!worked) throw HarnessError("the disk: " + step + ": " + system_text(errno));
}

// A descriptor that is closed at the end of the scope.
class Held {
 public:
  explicit Held(int descriptor) : descriptor_(descriptor) {}
  ~Held() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

// Debian makes the device accessible to every user; containers and small systems often lack it, or restrict it to root.
int open_device() {
  const int device = ::open(kDevice, O_RDWR | O_CLOEXEC);
  if (device >= 0) return device;
  const std::string why = std::string("a disk that loses power needs ") + kDevice + ": " + system_text(errno);
  const bool closed = errno == EACCES || errno == EPERM;
  throw Unavailable(why + (closed ? "; remedy: chmod 666 /dev/fuse, as administrator (Debian's default); a container "
                                    "also needs --device /dev/fuse"
                                  : "; remedy: modprobe fuse, as administrator; in a container --device /dev/fuse"));
}

void mount_on(const std::string& folder, int device) {
  require_disk(::mkdir(folder.c_str(), 0755) == 0, "mkdir " + folder);
  const std::string options = "fd=" + std::to_string(device) + ",rootmode=40000,user_id=" + std::to_string(::getuid()) +
                              ",group_id=" + std::to_string(::getgid()) + ",default_permissions";
  if (::mount("holdfast", folder.c_str(), "fuse", MS_NOSUID | MS_NODEV, options.c_str()) == 0) return;
  const std::string why = system_text(errno);
  throw Unavailable("a disk that loses power cannot be mounted: " + why +
                    "; remedy: use Linux 4.18 or later, outside AppArmor profiles that forbid mounting fuse");
}

void write_all(int file, std::string_view text) {
  require_disk(::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()), "write a mark");
}

std::string text_of_file(const std::string& path) {
  const Held file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  require_disk(file.get() >= 0, "open " + path);
  char bytes[64];
  const ssize_t got = ::read(file.get(), bytes, sizeof bytes);
  require_disk(got >= 0, "read " + path);
  return {bytes, static_cast<std::size_t>(got)};
}

}  // namespace

ServerDisk::ServerDisk(const std::string& folder, const std::string& log) : folder_(folder) {
  if (const std::string why = missing_disk_service(); !why.empty()) throw Unavailable(why);
  start(log);
  const Held mark(::open(mark_file().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  require_disk(mark.get() >= 0, "make " + mark_file());
  sync_all();  // syncs the word file's name
}

// Afterwards only the serving process has the device, so that its end is visible to waiting processes.
void ServerDisk::start(const std::string& log) {
  const Held device(open_device());
  mount_on(folder_, device.get());
  int line[2];
  require_disk(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line) == 0, "socketpair");
  orders_ = line[0];
  const Held other(line[1]);
  const timeval patience{kPatience_s, 0};
  ::setsockopt(orders_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  Spawn spawn;
  spawn.argv = {own_program(), "disk",
                "--device",    std::to_string(kDeviceDescriptor),
                "--orders",    std::to_string(kOrdersDescriptor)};
  spawn.descriptors[kDeviceDescriptor] = device.get();
  spawn.descriptors[kOrdersDescriptor] = other.get();
  spawn.log = log;
  process_ = spawn_process(spawn);
}

ServerDisk::~ServerDisk() {
  process_.signal(SIGKILL);
  ::umount2(folder_.c_str(), MNT_DETACH);
  if (orders_ >= 0) ::close(orders_);
}

DiskAnswer ServerDisk::ask(DiskOrder order) {
  DiskAnswer answer;
  require_disk(::send(orders_, &order, sizeof order, MSG_NOSIGNAL) == sizeof order, "an order");
  require_disk(::recv(orders_, &answer, sizeof answer, 0) == sizeof answer, "no answer to an order");
  return answer;
}

void ServerDisk::sync_all() {
  const std::lock_guard guard(mutex_);
  ask(DiskOrder::sync_all);
}

// The own test file is one page, which is lost too and not counted.
void ServerDisk::lose() {
  const std::lock_guard guard(mutex_);
  {
    const Held mark(::open(mark_file().c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    require_disk(mark.get() >= 0, "open " + mark_file());
    write_all(mark.get(), kSynced);
    require_disk(::fsync(mark.get()) == 0, "fsync a mark");
    write_all(mark.get(), kUnsynced);
  }
  last_.files = ask(DiskOrder::tell).names - 1;  // without the own test file
  const DiskAnswer lost = ask(DiskOrder::lose);
  const std::uint64_t own = kSynced.size() + kUnsynced.size();
  last_.times = lost.losses;
  last_.bytes = lost.bytes > own ? lost.bytes - own : 0;
  last_.names = lost.names;
  const std::string found = text_of_file(mark_file());
  last_.synced_kept = found.substr(0, kSynced.size()) == kSynced;
  last_.unsynced_lost = found.find(kUnsynced) == std::string::npos;
}

PowerLoss ServerDisk::last_loss() const {
  const std::lock_guard guard(mutex_);
  return last_;
}

void ServerDisk::watch() {
  if (const auto code = process_.wait(0)) {
    throw HarnessError("the process that serves the disk ended with code " + std::to_string(*code));
  }
}

}  // namespace holdfast
