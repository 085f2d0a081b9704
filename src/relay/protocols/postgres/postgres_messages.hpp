// One direction of a connection in PostgreSQL's protocol, message by message: a letter for the type (absent before a
// session), four bytes of length, which include themselves, and the rest. Only the letter and the first four bytes of
// the rest are kept.
#pragma once

#include <cstdint>
#include <string_view>

namespace holdfast {

class PostgresMessages {
 public:
  struct Read {
    std::size_t size = 0;
    bool ends = false;
    bool broken = false;  // invalid length
  };
  // At most to the end of one message. `lettered`: for this message; given again for each.
  Read read(std::string_view bytes, bool lettered);

  bool inside() const { return at_ > 0 || has_letter_; }  // within a message

  // Fields of the message that ended.
  char letter() const { return letter_; }
  std::uint32_t first_number() const { return first_; }
  std::uint32_t length() const { return length_; }

 private:
  std::uint32_t at_ = 0;  // bytes of it so far, without the letter
  bool has_letter_ = false;
  char letter_ = 0;
  std::uint32_t length_ = 0;
  std::uint32_t first_ = 0;
};

}  // namespace holdfast
