#include "history/json_array.hpp"

#include <cerrno>
#include <cstdio>

#include "artifact/error.hpp"
#include "history/line_reader.hpp"

namespace holdfast {
namespace {

constexpr std::string_view kArrayBlanks = " \t\r\n";

// The first character at or after `at` that is not blank; 0: none.
char mark_from(std::string_view text, std::size_t& at) {
  at = text.find_first_not_of(kArrayBlanks, at);
  return at == std::string_view::npos ? '\0' : text[at++];
}

}  // namespace

bool is_json_array(std::string_view start) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::size_t at = start.substr(0, byte_order_mark.size()) == byte_order_mark ? byte_order_mark.size() : 0;
  if (mark_from(start, at) != '[') return false;
  const char first = mark_from(start, at);
  if (first == ']') return true;
  if (first != '{') return false;
  const char inside = mark_from(start, at);
  return inside == '"' || inside == '}';
}

JsonArray::JsonArray(const InputFile& file) : path_(file.path()), in_(nullptr, std::fclose) {
  Descriptor opened = file.open();
  in_.reset(::fdopen(opened.get(), "rb"));
  if (!in_) throw BadInput(path_ + ": cannot be read: " + system_text(errno));
  opened.take();
  int c = take_mark();
  if (c == 0xEF) {  // a byte order mark
    take();
    take();
    c = take_mark();
  }
  if (c != '[') refuse("expected a JSON array");
}

void JsonArray::refuse(const std::string& why) const {
  throw BadInput(path_ + ":" + std::to_string(line_) + ": " + why);
}

int JsonArray::take() {
  const int c = ::getc_unlocked(in_.get());
  if (c == '\n') ++line_;
  return c;
}

int JsonArray::take_mark() {
  int c = take();
  while (c != EOF && kArrayBlanks.find(static_cast<char>(c)) != std::string_view::npos) c = take();
  return c;
}

void JsonArray::add(int c) {
  if (c == EOF) refuse("the array was cut off: its closing ] is missing");
  if (element_.size() == kLongestLine) {
    refuse("an element is longer than " + std::to_string(kLongestLine >> 20) + " MiB");
  }
  element_ += static_cast<char>(c);
}

void JsonArray::take_quoted() {
  for (bool escaped = false;;) {
    const int c = take();
    add(c);
    if (c == '"' && !escaped) return;
    escaped = c == '\\' && !escaped;
  }
}

void JsonArray::take_element() {
  element_ = '{';
  element_line_ = line_;
  for (int depth = 1; depth > 0;) {
    const int c = take();
    add(c);
    if (c == '"') take_quoted();
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
  }
}

void JsonArray::finish() {
  over_ = true;
  if (take_mark() != EOF) refuse("text after the array's closing ]");
}

bool JsonArray::next(std::string_view& element) {
  if (over_) return false;
  int c = take_mark();
  const bool closed = c == ']';
  if (!closed && !first_) {
    if (c != ',' && c != EOF) refuse("expected , or ] after an element of the array");
    if (c == ',') c = take_mark();
  }
  first_ = false;
  if (closed) return finish(), false;
  if (c == EOF) refuse("the array was cut off: its closing ] is missing");
  if (c != '{') refuse("expected an object: a history has one per event");
  take_element();
  element = element_;
  return true;
}

}  // namespace holdfast
