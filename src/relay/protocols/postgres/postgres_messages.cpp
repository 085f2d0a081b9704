#include "relay/protocols/postgres/postgres_messages.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::uint32_t kLength = 4;  // bytes
constexpr std::uint32_t kFirst = 8;   // end of the length field
constexpr std::uint32_t kMost = 0x7FFFFFFF;

}  // namespace

PostgresMessages::Read PostgresMessages::read(std::string_view bytes, bool lettered) {
  std::size_t at = 0;
  if (at_ == 0 && lettered && !has_letter_ && !bytes.empty()) {
    letter_ = bytes[at++];
    has_letter_ = true;
  }
  if (at_ == 0 && !lettered) letter_ = 0;
  while (at < bytes.size() && at_ < kFirst && (at_ < kLength || at_ < length_)) {
    const auto byte = static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at++]));
    if (at_ == 0) length_ = first_ = 0;
    auto& number = at_ < kLength ? length_ : first_;
    number = number << 8U | byte;
    if (++at_ == kLength && (length_ < kLength || length_ > kMost)) return {at, false, true};
  }
  if (at_ < kLength) return {at, false, false};
  const auto part = std::min<std::size_t>(length_ - at_, bytes.size() - at);
  at += part;
  at_ += static_cast<std::uint32_t>(part);
  if (at_ < length_) return {at, false, false};
  at_ = 0;
  has_letter_ = false;
  return {at, true, false};
}

}  // namespace holdfast
