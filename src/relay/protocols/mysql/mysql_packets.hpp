// One direction of a connection in MySQL's protocol, packet by packet: three bytes of length, one of sequence. A packet
// of maximum length is continued by the next one. Only the first bytes of each packet are kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

class MySqlPackets {
 public:
  struct Read {
    std::size_t size = 0;
    bool ends = false;  // a packet ends; without continuation, a whole message
    bool goes_on = false;
  };
  Read read(std::string_view bytes);  // at most to the end of one packet

  // Fields of the message that ended, or whose first packet did.
  unsigned sequence() const { return sequence_; }
  std::size_t length() const { return length_; }  // of its first packet
  unsigned first() const { return head_.empty() ? 0x100U : byte(0); }
  unsigned byte(std::size_t at) const { return at < head_.size() ? static_cast<unsigned char>(head_[at]) : 0U; }
  std::uint32_t number(std::size_t at, std::size_t bytes) const;  // little-endian; 0 beyond the kept bytes
  std::uint64_t packed(std::size_t& at) const;                    // a number of one to nine bytes; advances `at`
  std::size_t kept() const { return head_.size(); }

 private:
  std::size_t header_ = 0;  // bytes of it so far
  std::uint32_t header_bytes_ = 0;
  std::size_t left_ = 0;
  bool continuation_ = false;
  unsigned sequence_ = 0;
  std::size_t length_ = 0;
  std::size_t packet_length_ = 0;
  std::string head_;
};

}  // namespace holdfast
