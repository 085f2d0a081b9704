#include "relay/protocols/mysql/mysql_packets.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::size_t kHeader = 4;
constexpr std::size_t kKept = 256;  // enough for a server's greeting, the longest packet that is parsed
constexpr std::size_t kLongest = 0xFFFFFF;

}  // namespace

MySqlPackets::Read MySqlPackets::read(std::string_view bytes) {
  std::size_t at = 0;
  while (header_ < kHeader && at < bytes.size()) {
    header_bytes_ |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at++])) << (8 * header_);
    if (++header_ < kHeader) continue;
    left_ = packet_length_ = header_bytes_ & kLongest;
    if (continuation_) continue;
    sequence_ = header_bytes_ >> 24U;
    length_ = packet_length_;
    head_.clear();
  }
  if (header_ < kHeader) return {at, false, false};
  const std::size_t part = std::min(left_, bytes.size() - at);
  if (!continuation_ && head_.size() < kKept) head_.append(bytes.substr(at, std::min(part, kKept - head_.size())));
  left_ -= part;
  at += part;
  if (left_ > 0) return {at, false, false};
  header_ = 0;
  header_bytes_ = 0;
  continuation_ = packet_length_ == kLongest;
  return {at, true, continuation_};
}

std::uint32_t MySqlPackets::number(std::size_t at, std::size_t bytes) const {
  std::uint32_t out = 0;
  for (std::size_t n = 0; n < bytes; ++n) out |= byte(at + n) << (8 * n);
  return out;
}

std::uint64_t MySqlPackets::packed(std::size_t& at) const {
  const unsigned first = byte(at++);
  const std::size_t bytes = first < 0xFB ? 0 : first == 0xFC ? 2 : first == 0xFD ? 3 : first == 0xFE ? 8 : 0;
  if (bytes == 0) return first;
  std::uint64_t out = 0;
  for (std::size_t n = 0; n < bytes; ++n) out |= static_cast<std::uint64_t>(byte(at + n)) << (8 * n);
  at += bytes;
  return out;
}

}  // namespace holdfast
