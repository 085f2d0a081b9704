#include "adapter/running_time.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <ctime>
#include <string>
#include <string_view>

namespace holdfast {

void RunningTime::sample(std::int64_t now_ns, char state) {
  if (is_stopped(state)) {
    before_ns_.reset();
    if (!stopped_since_ns_) stopped_since_ns_ = now_ns;
    stopped_ns_ = now_ns - *stopped_since_ns_;
    return;
  }
  stopped_since_ns_.reset();
  stopped_ns_ = 0;
  if (before_ns_) ran_ns_ += std::clamp<std::int64_t>(now_ns - *before_ns_, 0, kMostBetween_ns);
  before_ns_ = now_ns;
}

void FairTime::sample(std::int64_t now_ns) {
  constexpr std::int64_t kLook_ns = 500'000'000;
  time_.sample(now_ns, process_state(pid_));
  const std::int64_t since_ns = time_.ran_ns() - looked_ns_;
  if (since_ns < kLook_ns) return;
  looked_ns_ = time_.ran_ns();
  if (!wait_) {
    wait_.emplace(pid_, now_ns);
    return;
  }
  owed_ns_ += wait_->look_ns(now_ns);
  const std::int64_t taken_ns = std::min(owed_ns_, since_ns - since_ns / kLongestStretch);
  owed_ns_ -= taken_ns;
  waited_ns_ += taken_ns;
}

bool is_stopped(char state) {
  return state == 'T' || state == 't';
}

char process_state(pid_t pid) {
  return state_in("/proc/" + std::to_string(pid) + "/stat");
}

char state_in(const std::string& stat_file) {
  const int fd = ::open(stat_file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 'X';
  char text[256];  // the name, which may contain anything, has at most 16 bytes
  const ssize_t size = ::read(fd, text, sizeof text);
  ::close(fd);
  const std::string_view read(text, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  const auto paren = read.rfind(')');
  return paren == std::string_view::npos || paren + 2 >= read.size() ? 'X' : read[paren + 2];
}

}  // namespace holdfast
