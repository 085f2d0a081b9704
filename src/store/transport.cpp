#include "store/transport.hpp"

#include <csignal>

namespace holdfast {

void AnswerLimit::begin() {
  taken_ = 0;
  passed_.clear();
}

bool AnswerLimit::take(std::size_t bytes) {
  if (!passed_.empty()) return false;
  const auto now = std::chrono::steady_clock::now();
  if (taken_ == 0) first_ = now;
  if (bytes > most_ - taken_) {
    passed_ = "sent more than " + std::to_string(most_ >> 20U) + " MiB in one answer";
  } else if (now - first_ > kLongestAnswer) {
    passed_ = "took more than " + std::to_string(kLongestAnswer.count()) + " s for one answer";
  }
  taken_ += bytes;
  return passed_.empty();
}

void ignore_broken_pipes() {
  ::signal(SIGPIPE, SIG_IGN);
}

}  // namespace holdfast
