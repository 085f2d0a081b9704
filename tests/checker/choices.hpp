// Random decisions that shrink well: a list of bytes that RapidCheck makes, eaten one a decision; 0 once it is eaten
// up.
#pragma once

#include <cstdint>
#include <vector>

namespace holdfast {

class Choices {
 public:
  explicit Choices(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
  // From 0 to n - 1.
  int below(int n) { return at_ < bytes_.size() ? bytes_[at_++] % n : 0; }
  bool one_in(int n) { return below(n) == n - 1; }
  bool left() const { return at_ < bytes_.size(); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace holdfast
