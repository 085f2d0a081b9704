// What a client of a Redis server sends: arrays of texts, and lines (inline commands). RESP3 differs in replies only.
//
// It remembers the first two words of a command, as far as commands of the server are long, and no more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "relay/wire.hpp"

namespace holdfast {

class RespRequests {
 public:
  Piece read(std::string_view bytes);
  const std::string& refusal() const { return refusal_; }             // why the bytes are no command; empty: they are
  const std::string& word(std::size_t n) const { return words_[n]; }  // in capitals; 0: the command itself

 private:
  enum class State : std::uint8_t { start, inline_line, count, length_sign, length, text, text_end };

  bool take(unsigned char byte);  // true: the command ends with it
  bool take_digit(unsigned char byte, State next);
  void begin_words();
  void keep(unsigned char byte);

  State state_ = State::start;
  std::string refusal_;
  std::string words_[2];
  std::size_t word_ = 0;      // which one is being read
  std::int64_t number_ = 0;   // that is being read
  std::uint32_t digits_ = 0;  // of it
  bool negative_ = false;     // ... it is
  bool carriage_return_ = false;
  std::int64_t left_texts_ = 0;
  std::int64_t left_bytes_ = 0;  // of the text
  bool empty_ = true;            // nothing but the end of a line, or an array of nothing
};

}  // namespace holdfast
