#include "relay/protocols/http/http_messages.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace holdfast {
namespace {

constexpr std::size_t kMostOfLine = std::size_t{16} << 10U;
constexpr std::size_t kMostOfAllHeaders = std::size_t{64} << 10U;
constexpr std::uint64_t kMostOfBody = std::uint64_t{1} << 40U;
constexpr int kFirstFinalStatus = 200;
constexpr int kNoContent = 204;
constexpr int kNotModified = 304;

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::uint64_t> length_in(std::string_view digits, int base) {
  std::uint64_t out = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, out, base);
  if (digits.empty() || error != std::errc() || stop != end || out > kMostOfBody) return std::nullopt;
  return out;
}

bool is_method(std::string_view word) {
  return !word.empty() && word.size() <= 32 &&
         std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c) != 0; });
}

}  // namespace

HttpMessages::Read HttpMessages::read(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size() && broken_.empty()) {
    if (state_ == State::until_the_end) return {bytes.size(), false};
    if (state_ == State::body || state_ == State::chunk) {
      at += take_body(bytes.size() - at);
      if (state_ == State::body && left_ == 0) {
        reset();
        return {at, true};
      }
      continue;
    }
    const char c = bytes[at++];
    if (c != '\n') {
      line_ += c;
      if (line_.size() > kMostOfLine) refuse("a line of more than 16 KiB");
      continue;
    }
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    const bool ends = take_line();
    line_.clear();
    if (ends && broken_.empty()) {
      reset();
      return {at, true};
    }
  }
  return {at, false};
}

std::size_t HttpMessages::take_body(std::size_t available) {
  const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(available, left_));
  left_ -= part;
  if (left_ == 0 && state_ == State::chunk) state_ = State::chunk_end;
  return part;
}

bool HttpMessages::take_line() {
  headers_ += line_.size();
  switch (state_) {
    case State::start_line:
      return take_start_line();
    case State::header:
      if (line_.empty()) return begin_body();
      if (headers_ > kMostOfAllHeaders) return refuse("headers of more than 64 KiB");
      take_header();
      return false;
    case State::chunk_length:
      return take_chunk_length();
    case State::chunk_end:
      state_ = State::chunk_length;
      return line_.empty() ? false : refuse("a chunk that is longer than its length");
    case State::trailer:
      return line_.empty();
    case State::body:
    case State::chunk:
    case State::until_the_end:
      break;  // without lines
  }
  return false;
}

// A client may send empty lines before a request.
bool HttpMessages::take_start_line() {
  if (line_.empty() && side_ == HttpSide::client) return false;
  headers_ = 0;
  closes_ = chunked_ = false;
  length_.reset();
  state_ = State::header;
  if (side_ == HttpSide::client) {
    const auto blank = line_.find(' ');
    method_ = line_.substr(0, blank);
    const bool http_1 = line_.ends_with(" HTTP/1.1") || line_.ends_with(" HTTP/1.0");
    return is_method(method_) && http_1 ? false : refuse("the first line is not a request of HTTP/1.1");
  }
  const auto status = length_in(line_.size() >= 12 ? std::string_view(line_).substr(9, 3) : std::string_view{}, 10);
  const bool http_1 = line_.rfind("HTTP/1.1 ", 0) == 0 || line_.rfind("HTTP/1.0 ", 0) == 0;
  if (!http_1 || !status || *status < 100) return refuse("the first line is not an answer of HTTP/1.1");
  status_ = static_cast<int>(*status);
  return false;
}

void HttpMessages::take_header() {
  const auto colon = line_.find(':');
  if (colon == std::string::npos || colon == 0) {
    refuse("a header without a colon");
    return;
  }
  const std::string name = lower_case(std::string_view(line_).substr(0, colon));
  const std::string value = lower_case(trimmed(std::string_view(line_).substr(colon + 1)));
  if (name == "connection" && value == "close") closes_ = true;
  if (name == "transfer-encoding") {
    chunked_ = value == "chunked";
    if (!chunked_) refuse("an encoding other than chunked");
  }
  if (name != "content-length") return;
  const auto length = length_in(value, 10);
  if (!length || (length_ && *length_ != *length)) {
    refuse("an impossible Content-Length");
    return;
  }
  length_ = length;
}

// Returns true if the message ends here: it has no body.
bool HttpMessages::begin_body() {
  const bool answer = side_ == HttpSide::server;
  if (chunked_ && length_) return refuse("two lengths of a body");
  if (answer && (no_body_ || status_ < kFirstFinalStatus || status_ == kNoContent || status_ == kNotModified)) {
    return true;
  }
  if (chunked_) {
    state_ = State::chunk_length;
    return false;
  }
  if (!length_ && answer) {
    state_ = State::until_the_end;
    return false;
  }
  left_ = length_.value_or(0);
  state_ = State::body;
  return left_ == 0;
}

bool HttpMessages::take_chunk_length() {
  const std::string_view digits = trimmed(std::string_view(line_).substr(0, line_.find(';')));
  const auto length = length_in(digits, 16);
  if (!length) return refuse("an impossible length of a chunk");
  left_ = *length;
  state_ = left_ == 0 ? State::trailer : State::chunk;
  return false;
}

void HttpMessages::reset() {
  state_ = State::start_line;
  headers_ = 0;
  line_.clear();
}

bool HttpMessages::refuse(const char* why) {
  if (broken_.empty()) broken_ = why;
  return false;
}

}  // namespace holdfast
