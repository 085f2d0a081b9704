// Answers of a Redis server in RESP2 and RESP3: the end of an answer, however nested, and pushes, which answer nothing.
// An attribute belongs to the answer that follows it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "relay/wire.hpp"

namespace holdfast {

class RespReplies {
 public:
  Piece read(std::string_view bytes);
  bool refused() const { return refused_; }  // the bytes are not an answer, or nest too deep

 private:
  enum class State : std::uint8_t { type, line, text, text_end };

  bool take(unsigned char byte);  // returns true if the answer ends with it
  bool line_ends();
  bool value_ends();

  State state_ = State::type;
  bool refused_ = false;
  bool push_ = false;
  unsigned char type_ = 0;
  std::int64_t number_ = 0;
  std::uint32_t digits_ = 0;
  bool negative_ = false;
  bool carriage_return_ = false;
  std::int64_t left_bytes_ = 0;
  std::vector<std::int64_t> left_values_;  // of each open array; for an attribute, counted from below zero
};

}  // namespace holdfast
