#include "history/edn_reader.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kEdnPiece = std::size_t{64} << 10;
constexpr std::size_t kLongest = std::size_t{1} << 20;  // of one string or word, in bytes
constexpr std::size_t kMostItems = 100'000;             // of one form
constexpr int kDeepest = 64;

constexpr std::array<bool, 256> kEndsWord = [] {
  std::array<bool, 256> ends{};
  for (const char c : std::string_view(" \t\n\r,;\"()[]{}")) ends.at(static_cast<unsigned char>(c)) = true;
  return ends;
}();

bool ends_word(char c) {
  return kEndsWord[static_cast<unsigned char>(c)];
}

}  // namespace

const EdnValue* EdnValue::find(std::string_view keyword) const {
  if (kind != Kind::map) return nullptr;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const bool named = items[i].kind == Kind::keyword || items[i].kind == Kind::text;
    if (named && items[i].text == keyword) return items[i + 1].kind == Kind::nil ? nullptr : &items[i + 1];
  }
  return nullptr;
}

EdnReader::EdnReader(const InputFile& file) : path_(file.path()), file_(file.open()), buffer_(kEdnPiece) {}

void EdnReader::refuse(const std::string& why) const {
  throw BadInput(path_ + ":" + std::to_string(line_) + ": not EDN: " + why);
}

int EdnReader::refill() {
  while (at_ == size_) {
    const ssize_t got = ::read(file_.get(), buffer_.data(), buffer_.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw BadInput(path_ + ": cannot be read to the end");
    if (got == 0) return -1;
    at_ = 0;
    size_ = static_cast<std::size_t>(got);
  }
  return static_cast<unsigned char>(buffer_[at_]);
}

int EdnReader::take() {
  const int c = peek();
  if (c < 0) refuse("it ends inside a form");
  ++at_;
  if (c == '\n') ++line_;
  return c;
}

void EdnReader::skip_blanks() {
  for (int c = peek(); c >= 0; c = peek()) {
    if (c == ';') {
      while (peek() >= 0 && peek() != '\n') take();
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',') {
      take();
    } else {
      return;
    }
  }
}

bool EdnReader::next(EdnValue& value) {
  skip_blanks();
  if (!started_ && peek() == '[') {
    take();
    opened_ = true;
    skip_blanks();
  }
  started_ = true;
  if (opened_ && peek() == ']') {
    take();
    opened_ = false;
    skip_blanks();
    if (peek() >= 0) refuse("text after the end of the vector");
  }
  if (peek() < 0) {
    if (opened_) refuse("the vector is not closed");
    return false;
  }
  form_line_ = line_;
  read(value, 0);
  return true;
}

void EdnReader::read(EdnValue& value, int depth) {
  if (depth > kDeepest) refuse("nested too deeply");
  skip_blanks();
  value.items.clear();
  value.text.clear();
  switch (peek()) {
    case '{':
      value.kind = EdnValue::Kind::map;
      return read_items(value, '}', depth);
    case '[':
    case '(':
      value.kind = EdnValue::Kind::list;
      return read_items(value, peek() == '[' ? ']' : ')', depth);
    case '"':
      return read_text(value);
    case '#':
      return read_tagged(value, depth);
    default:
      return read_word(value);
  }
}

void EdnReader::read_items(EdnValue& value, char close, int depth) {
  take();
  for (skip_blanks(); peek() != close; skip_blanks()) {
    if (value.items.size() >= kMostItems) refuse("a form has too many items");
    value.items.emplace_back();
    read(value.items.back(), depth + 1);
  }
  take();
  if (value.kind == EdnValue::Kind::map && value.items.size() % 2 != 0) refuse("a map has a key without a value");
}

void EdnReader::read_text(EdnValue& value) {
  value.kind = EdnValue::Kind::text;
  take();
  for (;;) {
    const std::string_view plain = run([](char c) { return c == '"' || c == '\\' || c == '\n'; });
    if (value.text.size() + plain.size() > kLongest) refuse("a string is too long");
    value.text += plain;
    if (!plain.empty()) continue;
    int c = take();
    if (c == '"') return;
    if (c == '\\') {
      c = take();
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
    if (value.text.size() >= kLongest) refuse("a string is too long");
    value.text += static_cast<char>(c);
  }
}

// `#tag form`, `#{set}`, `#_ discarded`.
void EdnReader::read_tagged(EdnValue& value, int depth) {
  take();
  if (peek() == '{') {
    value.kind = EdnValue::Kind::list;
    return read_items(value, '}', depth);
  }
  if (peek() == '_') {
    take();
    EdnValue discarded;
    read(discarded, depth + 1);
  } else if (word().empty()) {
    refuse("a tag has no name");
  }
  read(value, depth + 1);
}

// Takes the buffered text up to the delimiter.
template <typename Ends>
std::string_view EdnReader::run(const Ends& ends) {
  if (peek() < 0) return {};
  const char* const from = buffer_.data() + at_;
  const char* const end = std::find_if(from, static_cast<const char*>(buffer_.data() + size_), ends);
  at_ += static_cast<std::size_t>(end - from);
  return {from, static_cast<std::size_t>(end - from)};
}

// Valid until the next read.
std::string_view EdnReader::word() {
  word_.clear();
  if (peek() == '\\') word_ += static_cast<char>(take());  // a character literal, which may be a bracket
  if (!word_.empty() && peek() >= 0) word_ += static_cast<char>(take());
  const std::string_view there = run(ends_word);
  if (word_.empty() && at_ < size_) return there;
  word_ += there;
  while (peek() >= 0 && !ends_word(static_cast<char>(peek()))) {
    if (word_.size() >= kLongest) refuse("a word is too long");
    word_ += run(ends_word);
  }
  return word_;
}

void EdnReader::read_word(EdnValue& value) {
  const int first = peek();
  const std::string_view text = word();
  if (text.empty())
    refuse(first < 0 ? "it ends inside a form" : std::string("unexpected '") + static_cast<char>(first) + "'");
  if (text[0] == ':') {
    value.kind = EdnValue::Kind::keyword;
    const auto slash = text.find('/');
    value.text = text.substr(slash == std::string_view::npos ? 1 : slash + 1);
    if (value.text.empty()) refuse("a keyword has no name");
  } else if (text == "nil") {
    value.kind = EdnValue::Kind::nil;
  } else if (text == "true" || text == "false") {
    value.kind = EdnValue::Kind::boolean;
    value.boolean = text == "true";
  } else {
    const char* from = text.data() + (text[0] == '+' ? 1 : 0);
    const char* to = text.data() + text.size() - (text.size() > 1 && text.back() == 'N' ? 1 : 0);
    const auto [end, error] = std::from_chars(from, to, value.integer);
    value.kind = error == std::errc() && end == to && from != to ? EdnValue::Kind::integer : EdnValue::Kind::other;
    if (value.kind == EdnValue::Kind::other) value.text = text;
  }
}

}  // namespace holdfast
