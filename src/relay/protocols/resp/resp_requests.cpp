#include "relay/protocols/resp/resp_requests.hpp"

#include <algorithm>
#include <cctype>

namespace holdfast {
namespace {

constexpr std::size_t kLongestWord = 16;
constexpr std::uint32_t kMostDigits = 12;

}  // namespace

void RespRequests::begin_words() {
  words_[0].clear();
  words_[1].clear();
  word_ = 0;
  empty_ = true;
}

void RespRequests::keep(unsigned char byte) {
  if (word_ < 2 && words_[word_].size() < kLongestWord) words_[word_] += static_cast<char>(std::toupper(byte));
}

// A number and the end of its line. The server's own limits are lower than what fits here.
bool RespRequests::take_digit(unsigned char byte, State next) {
  if (carriage_return_) {
    carriage_return_ = false;
    if (byte != '\n' || digits_ == 0) refusal_ = "a number in a command has no end";
    if (negative_) number_ = -number_;
    state_ = next;
    return true;
  }
  if (byte == '\r') {
    carriage_return_ = true;
  } else if (byte == '-' && digits_ == 0 && !negative_) {
    negative_ = true;
  } else if (byte >= '0' && byte <= '9' && ++digits_ <= kMostDigits) {
    number_ = number_ * 10 + (byte - '0');
  } else {
    refusal_ = "a number is missing in a command";
  }
  return false;
}

bool RespRequests::take(unsigned char byte) {
  switch (state_) {
    case State::start:
      begin_words();
      number_ = digits_ = 0;
      negative_ = false;
      state_ = byte == '*' ? State::count : State::inline_line;
      return state_ == State::inline_line && take(byte);
    case State::inline_line:
      if (byte == '\n') {
        state_ = State::start;
        return true;
      }
      if (byte == ' ') {
        word_ += empty_ ? 0 : 1;
      } else if (byte != '\r') {
        empty_ = false;
        keep(byte);
      }
      return false;
    case State::count:
      if (!take_digit(byte, State::length_sign)) return false;
      left_texts_ = number_;
      if (left_texts_ > 0) return false;
      state_ = State::start;  // an empty array: the server ignores it
      return true;
    case State::length_sign:
      if (byte != '$') refusal_ = "a command is not an array of strings";
      number_ = digits_ = 0;
      negative_ = false;
      state_ = State::length;
      return false;
    case State::length:
      if (!take_digit(byte, State::text)) return false;
      if (number_ < 0) refusal_ = "a command has a string without a length";
      left_bytes_ = number_;
      empty_ = false;
      if (left_bytes_ == 0) state_ = State::text_end;
      return false;
    case State::text:
      keep(byte);
      if (--left_bytes_ == 0) state_ = State::text_end;
      return false;
    case State::text_end:
      if (!carriage_return_) {
        if (byte != '\r') refusal_ = "a string in a command is longer than its declared length";
        carriage_return_ = true;
        return false;
      }
      carriage_return_ = false;
      if (byte != '\n') refusal_ = "a string in a command is longer than its declared length";
      ++word_;
      state_ = --left_texts_ > 0 ? State::length_sign : State::start;
      return left_texts_ == 0;
  }
  return false;
}

Piece RespRequests::read(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    if (state_ == State::text && word_ >= 2) {  // its content is ignored
      const auto part = std::min<std::size_t>(bytes.size() - at, static_cast<std::size_t>(left_bytes_));
      left_bytes_ -= static_cast<std::int64_t>(part);
      at += part;
      if (left_bytes_ == 0) state_ = State::text_end;
      continue;
    }
    const bool ends = take(static_cast<unsigned char>(bytes[at++]));
    if (!refusal_.empty()) return {};
    if (ends) return {.size = at, .whole = true, .request = !empty_, .expects_reply = !empty_};
  }
  return {.size = bytes.size()};
}

}  // namespace holdfast
