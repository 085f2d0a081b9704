#include "relay/protocols/resp/resp_replies.hpp"

#include <algorithm>
#include <string_view>

namespace holdfast {
namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::uint32_t kMostReplyDigits = 12;
constexpr std::string_view kLines = "+-:_#,(";
constexpr std::string_view kTexts = "$=!";
constexpr std::string_view kArrays = "*~>%|";

}  // namespace

// After a value: returns whether its enclosing values are complete, too. An attribute is followed by its value.
bool RespReplies::value_ends() {
  state_ = State::type;
  while (!left_values_.empty()) {
    auto& left = left_values_.back();
    if (left < 0) {
      if (++left == 0) left_values_.pop_back();
      return false;
    }
    if (--left > 0) return false;
    left_values_.pop_back();
  }
  return true;
}

bool RespReplies::line_ends() {
  const std::int64_t number = negative_ ? -1 : number_;
  if (kLines.find(static_cast<char>(type_)) != std::string_view::npos) return value_ends();
  if (digits_ == 0 || digits_ > kMostReplyDigits) refused_ = true;
  if (kTexts.find(static_cast<char>(type_)) != std::string_view::npos) {
    if (number < 0) return value_ends();
    left_bytes_ = number;
    state_ = number == 0 ? State::text_end : State::text;
    return false;
  }
  const std::int64_t values = type_ == '%' || type_ == '|' ? 2 * number : number;
  if (type_ == '|') {
    state_ = State::type;
    if (values > 0) left_values_.push_back(-values);
  } else if (values <= 0) {
    return value_ends();
  } else {
    state_ = State::type;
    left_values_.push_back(values);
  }
  if (left_values_.size() > kDeepest) refused_ = true;
  return false;
}

bool RespReplies::take(unsigned char byte) {
  switch (state_) {
    case State::type: {
      const auto known = [byte](std::string_view of) { return of.find(static_cast<char>(byte)) != of.npos; };
      if (!known(kLines) && !known(kTexts) && !known(kArrays)) refused_ = true;
      if (left_values_.empty()) push_ = byte == '>';
      type_ = byte;
      number_ = digits_ = 0;
      negative_ = carriage_return_ = false;
      state_ = State::line;
      return false;
    }
    case State::line:
      if (carriage_return_ && byte == '\n') {
        carriage_return_ = false;
        return line_ends();
      }
      carriage_return_ = byte == '\r';
      if (kLines.find(static_cast<char>(type_)) != std::string_view::npos || carriage_return_) return false;
      if (byte == '-' && digits_ == 0 && !negative_) {
        negative_ = true;
      } else if (byte >= '0' && byte <= '9' && ++digits_ <= kMostReplyDigits) {
        number_ = number_ * 10 + (byte - '0');
      } else {
        refused_ = true;
      }
      return false;
    case State::text:
      if (--left_bytes_ == 0) state_ = State::text_end;
      return false;
    case State::text_end:
      if (byte != static_cast<unsigned char>(carriage_return_ ? '\n' : '\r')) refused_ = true;
      carriage_return_ = !carriage_return_;
      return !carriage_return_ && value_ends();
  }
  return false;
}

Piece RespReplies::read(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    if (state_ == State::text) {
      const auto part = std::min<std::size_t>(bytes.size() - at, static_cast<std::size_t>(left_bytes_));
      left_bytes_ -= static_cast<std::int64_t>(part);
      at += part;
      if (left_bytes_ == 0) state_ = State::text_end;
      continue;
    }
    const bool ends = take(static_cast<unsigned char>(bytes[at++]));
    if (refused_) return {};
    if (ends) return {.size = at, .whole = true, .aside = push_};
  }
  return {.size = bytes.size(), .aside = push_ && (state_ != State::type || !left_values_.empty())};
}

}  // namespace holdfast
