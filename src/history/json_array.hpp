// The elements of a file that is one JSON array, as texts, one after another: written by programs that keep their
// events in a list and store it at the end.
//
//   if (is_json_array(start_of_file)) ...
//   JsonArray in("history.json");
//   std::string_view element;
//   while (in.next(element)) ...       // an object's text, valid until the next call; in.line(): where it begins
//
// Keeps one element in memory; longer ones than kLongestLine are refused. Accepts objects only. Throws
// BadInput("FILE:LINE: ..."), also for an array without an end and for text after it. It does not parse elements, which
// may contain invalid JSON between balanced brackets.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "artifact/input_file.hpp"

namespace holdfast {

inline constexpr std::size_t kTellsForm = 512;  // bytes at a history's start that determine its form

// Returns true if a text begins as a JSON array of objects, or an empty one; EDN's begin with a keyword or a tag.
bool is_json_array(std::string_view start);

class JsonArray {
 public:
  explicit JsonArray(const InputFile& file);

  bool next(std::string_view& element);
  std::uint64_t line() const { return element_line_; }

 private:
  int take();
  int take_mark();  // the next character that is not blank
  void take_element();
  void take_quoted();
  void finish();
  void add(int c);
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> in_;
  std::string element_;
  std::uint64_t line_ = 1;
  std::uint64_t element_line_ = 1;
  bool first_ = true;
  bool over_ = false;
};

}  // namespace holdfast
