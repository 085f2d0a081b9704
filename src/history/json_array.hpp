// The elements of a file that is one JSON array, as texts, one after the other: what a program writes that keeps its
// events in a list and stores that at its end.
//
//   if (is_json_array(start_of_file)) ...
//   JsonArray in("history.json");
//   std::string_view element;
//   while (in.next(element)) ...       // an object's text, good until the next call; in.line(): where it begins
//
// Memory is that of one element; one of more than kLongestLine is refused. Only objects are taken. Throws
// BadInput("FILE:LINE: ..."), also for an array without an end and for anything behind it. What it does not do: it does
// not look into an element, whose JSON may be as broken as it likes between balanced brackets.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "artifact/input_file.hpp"

namespace holdfast {

inline constexpr std::size_t kTellsForm = 512;  // bytes at the start of a history that say which form it has

// Whether a text begins as an array of objects, or as an empty one, of JSON: EDN's begin with a keyword or a tag.
bool is_json_array(std::string_view start);

class JsonArray {
 public:
  explicit JsonArray(const InputFile& file);

  bool next(std::string_view& element);
  std::uint64_t line() const { return element_line_; }

 private:
  int take();
  int take_mark();  // the next character that is no blank
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
