// Text made small enough to travel inside a page: deflated (zlib's format, which browsers undo by themselves with
// DecompressionStream("deflate")) and written in base64, so that nothing in it can end a tag.
//
//   packed_text("[1,2,3]")   -> "eNqLNtQx0jGOBQAJlAH3"
//
// The same text always packs the same. It does not encrypt and does not say what it holds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

// Base64, which a page can hold as it stands.
class PackedText {
 public:
  PackedText() = default;
  const std::string& text() const { return text_; }
  std::size_t size() const { return text_.size(); }

 private:
  friend PackedText packed_text(std::string_view text);

  std::string text_;
};

PackedText packed_text(std::string_view text);  // throws HarnessError if memory runs out

std::string base64(std::string_view bytes);

// "9f86d0" as three bytes; the digits must be whole pairs.
std::string bytes_of_hex(std::string_view digits);

}  // namespace holdfast
