// Requests of a Redis client: arrays of texts, and lines (inline commands). RESP3 differs in replies only.
//
// It keeps the first two words of a command, up to the length of the server's commands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "relay/wire.hpp"

namespace holdfast {

class RespRequests {
 public:
  Piece read(std::string_view bytes);
  const std::string& refusal() const { return refusal_; }  // why the bytes are not a command; empty: they are
  const std::string& word(std::size_t n) const { return words_[n]; }  // in capitals; 0: the command itself

 private:
  enum class State : std::uint8_t { start, inline_line, count, length_sign, length, text, text_end };

  bool take(unsigned char byte);  // returns true if the command ends with it
  bool take_digit(unsigned char byte, State next);
  void begin_words();
  void keep(unsigned char byte);

  State state_ = State::start;
  std::string refusal_;
  std::string words_[2];
  std::size_t word_ = 0;      // index of the current word
  std::int64_t number_ = 0;   // the current number
  std::uint32_t digits_ = 0;  // number of its digits
  bool negative_ = false;     // ... and its sign
  bool carriage_return_ = false;
  std::int64_t left_texts_ = 0;
  std::int64_t left_bytes_ = 0;  // of the text
  bool empty_ = true;            // only the end of a line, or an empty array
};

}  // namespace holdfast
