// One direction of an HTTP/2 connection, frame by frame (RFC 9113): nine bytes of head, and a payload. The payload of a
// relevant frame is kept until the next one begins.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

enum class Http2Type : std::uint8_t { data = 0, headers = 1, reset = 3, settings = 4, continuation = 9 };

inline constexpr std::uint8_t kHttp2EndStream = 0x1;
inline constexpr std::uint8_t kHttp2EndHeaders = 0x4;

class Http2Frames {
 public:
  struct Read {
    std::size_t size = 0;
    bool ends = false;
    bool broken = false;  // longer than kMostOfFrame although relevant, or invalid padding
  };
  Read read(std::string_view bytes);  // at most to the end of one frame

  static constexpr std::uint32_t kMostOfFrame = std::uint32_t{256} << 10U;

  // Returns true if these bytes complete the head of the current frame.
  bool shows_head(std::string_view bytes) const { return at_ + bytes.size() >= kHead; }
  // For the current frame, from its complete head to its end.
  bool is(Http2Type type) const { return head_[3] == static_cast<std::uint8_t>(type); }
  bool has(std::uint8_t flag) const { return (head_[4] & flag) != 0; }
  std::uint32_t stream() const;
  // Payload of a complete frame: without padding, and for headers without priority.
  std::string_view payload() const { return std::string_view(payload_).substr(from_, length_of_rest_); }

 private:
  static constexpr std::size_t kHead = 9;
  bool keeps() const;
  bool strip();

  std::array<std::uint8_t, kHead> head_{};
  std::uint32_t at_ = 0;  // bytes of it so far
  std::uint32_t length_ = 0;
  std::string payload_;
  std::size_t from_ = 0, length_of_rest_ = 0;
};

// The messages in the data of one direction of a gRPC stream: a byte for compression, four bytes of length, and the
// message.
class GrpcMessages {
 public:
  struct Read {
    std::uint32_t ended = 0;
    bool compressed = false;
    bool began_before = false;  // the current one began in earlier data
  };
  Read read(std::string_view data);

 private:
  std::uint32_t head_ = 0;  // bytes of it so far
  std::uint32_t left_ = 0;
};

}  // namespace holdfast
