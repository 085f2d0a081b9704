#include "relay/protocols/grpc/http2_frames.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::uint8_t kPadded = 0x8;
constexpr std::uint8_t kPriority = 0x20;
constexpr std::size_t kPriorityBytes = 5;
constexpr std::uint32_t kGrpcHead = 5;

}  // namespace

bool Http2Frames::keeps() const {
  return is(Http2Type::data) || is(Http2Type::headers) || is(Http2Type::continuation);
}

std::uint32_t Http2Frames::stream() const {
  const std::uint32_t all = std::uint32_t{head_[5]} << 24U | std::uint32_t{head_[6]} << 16U |
                            std::uint32_t{head_[7]} << 8U | std::uint32_t{head_[8]};
  return all & 0x7FFFFFFFU;
}

// Returns false if there is more padding than payload.
bool Http2Frames::strip() {
  from_ = 0;
  length_of_rest_ = payload_.size();
  if (is(Http2Type::continuation) || !keeps()) return true;
  std::size_t padding = 0;
  if (has(kPadded)) {
    if (payload_.empty()) return false;
    padding = static_cast<std::uint8_t>(payload_[0]);
    from_ = 1;
  }
  if (is(Http2Type::headers) && has(kPriority)) from_ += kPriorityBytes;
  if (from_ + padding > payload_.size()) return false;
  length_of_rest_ = payload_.size() - from_ - padding;
  return true;
}

Http2Frames::Read Http2Frames::read(std::string_view bytes) {
  std::size_t at = 0;
  if (at_ == 0) payload_.clear();
  while (at < bytes.size() && at_ < kHead) head_.at(at_++) = static_cast<std::uint8_t>(bytes[at++]);
  if (at_ < kHead) return {at, false, false};
  length_ = std::uint32_t{head_[0]} << 16U | std::uint32_t{head_[1]} << 8U | std::uint32_t{head_[2]};
  if (keeps() && length_ > kMostOfFrame) return {at, false, true};
  const auto whole = static_cast<std::uint32_t>(kHead) + length_;
  const auto part = std::min<std::size_t>(whole - at_, bytes.size() - at);
  if (keeps()) payload_.append(bytes.substr(at, part));
  at += part;
  at_ += static_cast<std::uint32_t>(part);
  if (at_ < whole) return {at, false, false};
  at_ = 0;
  return {at, true, !strip()};
}

GrpcMessages::Read GrpcMessages::read(std::string_view data) {
  Read out;
  out.began_before = head_ > 0;
  while (!data.empty()) {
    if (head_ < kGrpcHead) {
      const auto byte = static_cast<std::uint8_t>(data[0]);
      if (head_ == 0) left_ = 0;
      if (head_ == 0 && byte != 0) out.compressed = true;
      if (head_ > 0) left_ = left_ << 8U | byte;
      ++head_;
      data.remove_prefix(1);
      if (head_ < kGrpcHead || left_ > 0) continue;
    } else {
      const auto part = std::min<std::size_t>(left_, data.size());
      left_ -= static_cast<std::uint32_t>(part);
      data.remove_prefix(part);
      if (left_ > 0) continue;
    }
    head_ = 0;
    ++out.ended;
  }
  return out;
}

}  // namespace holdfast
