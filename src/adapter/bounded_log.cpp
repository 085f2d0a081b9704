#include "adapter/bounded_log.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <new>
#include <sstream>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

constexpr int kAboveStandard = 10;  // leaves the child's own descriptor numbers free
constexpr int kMostReads = 16;      // reads per turn, from a program that writes faster than it is read
constexpr int kPatience_ms = 100;   // wait for a log file that is a full pipe
constexpr std::size_t kMostLines = 40;
constexpr std::string_view kFull = "\nholdfast: the log is full; of the rest only the end is kept\n";

std::uint64_t size_of(int fd) {
  struct stat found {};
  return fd >= 0 && ::fstat(fd, &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
}

}  // namespace

BoundedLog::BoundedLog(Descriptor file)
    : file_(std::move(file)), stop_(::eventfd(0, EFD_CLOEXEC)), piece_(std::size_t{64} << 10) {
  int ends[2] = {-1, -1};
  const bool made = !stop_.none() && ::pipe2(ends, O_CLOEXEC) == 0;
  own_end_ = Descriptor(ends[0]);
  const Descriptor low(ends[1]);
  child_end_ = Descriptor(made ? ::fcntl(low.get(), F_DUPFD_CLOEXEC, kAboveStandard) : -1);
  if (child_end_.none() || ::fcntl(own_end_.get(), F_SETFL, O_NONBLOCK) != 0) {
    throw HarnessError("a pipe for a program's standard error: " + system_text(errno));
  }
  in_file_ = size_of(file_.get());
  thread_ = std::thread([this] { copy_all(); });
}

BoundedLog::~BoundedLog() {
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
  drain();
  finish();
}

void BoundedLog::copy_all() {
  std::array<pollfd, 2> both{pollfd{own_end_.get(), POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0}};
  bool open = true;
  while (true) {
    both[0].fd = open ? own_end_.get() : -1;
    if (::poll(both.data(), both.size(), -1) < 0) continue;
    if (both[1].revents != 0) return;
    const std::lock_guard lock(mutex_);
    open = drain();
  }
}

// Called with the mutex held, or when the thread has ended.
bool BoundedLog::drain() {
  for (int i = 0; i < kMostReads; ++i) {
    const ssize_t size = ::read(own_end_.get(), piece_.data(), piece_.size());
    if (size == 0) return false;
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN;
    keep({piece_.data(), static_cast<std::size_t>(size)});
  }
  return true;
}

void BoundedLog::keep(std::string_view bytes) {
  const std::size_t room = kBeginOfLog - std::min<std::uint64_t>(in_file_, kBeginOfLog);
  const std::size_t fits = std::min(room, bytes.size());
  put(bytes.substr(0, fits));
  in_file_ += fits;
  if (fits < bytes.size() && left_out_ == 0) put(kFull);
  left_out_ += bytes.size() - fits;
  try {
    tail_.append(bytes);
    if (tail_.size() > 2 * kEndOfLogKept) tail_.erase(0, tail_.size() - kEndOfLogKept);
  } catch (const std::bad_alloc&) {  // continues reading, or the program would block
    tail_.clear();
  }
}

void BoundedLog::put(std::string_view bytes) {
  while (!file_.none() && !bytes.empty()) {
    const ssize_t size = ::write(file_.get(), bytes.data(), bytes.size());
    if (size > 0) bytes.remove_prefix(static_cast<std::size_t>(size));
    if (size >= 0 || errno == EINTR) continue;
    pollfd room{file_.get(), POLLOUT, 0};
    if (errno != EAGAIN || ::poll(&room, 1, kPatience_ms) <= 0) return;
  }
}

void BoundedLog::finish() {
  if (left_out_ == 0) return;
  std::string_view end = tail_;
  end.remove_prefix(end.size() - std::min<std::uint64_t>({end.size(), kEndOfLogKept, left_out_}));
  char notice[64] = {};
  std::snprintf(notice, sizeof notice, "holdfast: %llu bytes left out\n",
                static_cast<unsigned long long>(left_out_ - end.size()));
  put(notice);
  put(end);
}

std::vector<std::string> BoundedLog::last_lines() {
  const std::lock_guard lock(mutex_);
  drain();
  std::istringstream in(tail_);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(valid_utf8(line));
  }
  if (lines.size() > kMostLines) lines.erase(lines.begin(), lines.end() - kMostLines);
  return lines;
}

}  // namespace holdfast
