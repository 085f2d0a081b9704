#include "hosts/remote_messages.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr const char* kSocket = "remote.socket";
constexpr std::size_t kMostDescriptors = 4;  // per record
constexpr int kWaiting = 64;                 // connections waiting to be accepted

[[noreturn]] void failed(const std::string& what) {
  throw HarnessError("programs on other hosts: " + what + ": " + system_text(errno));
}

// A socket's path has at most 108 bytes, a folder's may be longer, so it is named through the folder's descriptor.
sockaddr_un address_in(int folder) {
  sockaddr_un out{};
  out.sun_family = AF_UNIX;
  const std::string path = "/proc/self/fd/" + std::to_string(folder) + "/" + kSocket;
  std::copy(path.begin(), path.end(), out.sun_path);
  return out;
}

HeldDescriptor opened_folder(const std::string& folder) {
  HeldDescriptor out(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (out.get() < 0) failed(folder);
  return out;
}

// `use`: bind or connect.
HeldDescriptor socket_at(int folder, int (*use)(int, const sockaddr*, socklen_t)) {
  const sockaddr_un address = address_in(folder);
  HeldDescriptor out(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  const bool made = out.get() >= 0;
  if (!made || use(out.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) failed(kSocket);
  return out;
}

}  // namespace

void RemoteReply::say(const std::string& why) {
  const std::size_t size = std::min(why.size(), text.size() - 1);
  std::copy_n(why.begin(), size, text.begin());
  text.at(size) = 0;
}

HeldDescriptor::~HeldDescriptor() {
  if (fd_ >= 0) ::close(fd_);
}

HeldDescriptor& HeldDescriptor::operator=(HeldDescriptor&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = other.take();
  }
  return *this;
}

int HeldDescriptor::take() {
  const int fd = fd_;
  fd_ = -1;
  return fd;
}

// The lab's user may differ from ours; remote_keeper.cpp checks each peer.
HeldDescriptor listen_in(const std::string& folder) {
  const HeldDescriptor held = opened_folder(folder);
  HeldDescriptor out = socket_at(held.get(), ::bind);
  if (::fchmodat(held.get(), kSocket, 0666, 0) != 0 || ::listen(out.get(), kWaiting) != 0) failed(folder);
  return out;
}

HeldDescriptor connect_in(const std::string& folder) {
  const HeldDescriptor held = opened_folder(folder);
  return socket_at(held.get(), ::connect);
}

void remove_socket_in(const std::string& folder) {
  const HeldDescriptor held(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (held.get() >= 0) ::unlinkat(held.get(), kSocket, 0);
}

bool send_record(int socket, const void* record, std::size_t size, const std::vector<int>& descriptors) {
  iovec part{const_cast<void*>(record), size};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors.size());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
    std::memcpy(CMSG_DATA(header), descriptors.data(), sizeof(int) * descriptors.size());
  }
  while (::sendmsg(socket, &message, MSG_NOSIGNAL) < 0) {
    if (errno == EPIPE || errno == ECONNRESET) return false;
    if (errno != EINTR) failed("to send");
  }
  return true;
}

std::optional<std::vector<HeldDescriptor>> receive_record(int socket, void* record, std::size_t size) {
  iovec part{record, size};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got = 0;
  while ((got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  if (got == 0 || (got < 0 && errno == ECONNRESET)) return std::nullopt;
  if (got < 0) failed("to receive");
  std::vector<HeldDescriptor> out;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof fd);
      out.emplace_back(fd);
    }
  }
  if (static_cast<std::size_t>(got) != size)
    throw HarnessError("programs on other hosts: an incomplete record arrived");
  return out;
}

}  // namespace holdfast
