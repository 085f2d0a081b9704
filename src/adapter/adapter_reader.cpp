#include "adapter/adapter_reader.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "adapter/adapter_message.hpp"
#include "adapter/running_time.hpp"
#include "artifact/error.hpp"

namespace holdfast {

AdapterReader::AdapterReader(int output, Line line, Ended ended)
    : output_(output), stop_(::eventfd(0, EFD_CLOEXEC)), line_(std::move(line)), ended_(std::move(ended)) {
  if (stop_ < 0) throw HarnessError("eventfd: " + system_text(errno));
  thread_ = std::thread([this] { read_all(); });
}

AdapterReader::~AdapterReader() {
  ::eventfd_write(stop_, 1);
  thread_.join();
  ::close(stop_);
}

void AdapterReader::read_all() {
  std::array<char, 16'384> buffer{};
  while (true) {
    std::array<pollfd, 2> both{pollfd{output_, POLLIN, 0}, pollfd{stop_, POLLIN, 0}};
    if (::poll(both.data(), both.size(), -1) < 0) continue;
    if (both[1].revents != 0) return;
    const ssize_t size = ::read(output_, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    split(buffer.data(), static_cast<std::size_t>(size), monotonic_ns());
  }
  ended_(begun_);
}

void AdapterReader::split(const char* bytes, std::size_t size, std::int64_t read_ns) {
  for (const char* at = bytes; at < bytes + size;) {
    const char* end = std::find(at, bytes + size, '\n');
    const bool cut_off = begun_.size() > kLongestMessage;
    const std::size_t room = kLongestMessage + 1 - std::min(begun_.size(), kLongestMessage + 1);
    begun_.append(at, std::min<std::size_t>(static_cast<std::size_t>(end - at), room));
    const bool too_long = begun_.size() > kLongestMessage;
    if (too_long && !cut_off) line_({begun_, read_ns});
    if (end == bytes + size) return;
    const std::string line = std::exchange(begun_, {});
    if (!too_long) line_({line, read_ns});
    at = end + 1;
  }
}

}  // namespace holdfast
