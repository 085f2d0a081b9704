// A small reader of EDN, the text format in which Jepsen stores its histories: one form after the other, from a file
// that need not fit into memory.
//
//   EdnReader in("history.edn");
//   EdnValue op;
//   while (in.next(op)) ... op.find("type") ...      // {:type :invoke, :f :acquire, :process 0, :time 12}
//
// Maps, vectors, lists, sets, strings, characters, numbers, keywords, symbols, nil, true and false; comments and
// discarded forms are skipped, a tag before a form is dropped. A single vector around all forms is opened. Keywords
// lose their colon and their namespace (`:foo/bar` is "bar"). Throws BadInput("FILE:LINE: ...").
//
// What it does not do: ratios, exact decimals and tagged values keep their text only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/input_file.hpp"

namespace holdfast {

struct EdnValue {
  enum class Kind : std::uint8_t { nil, boolean, integer, other, text, keyword, list, map };
  Kind kind = Kind::nil;
  bool boolean = false;
  std::int64_t integer = 0;
  std::string text;             // of strings, keywords, symbols and other numbers
  std::vector<EdnValue> items;  // list; of a map: key, value, key, value, ...

  const EdnValue* find(std::string_view keyword) const;  // in a map; null when absent or nil
};

class EdnReader {
 public:
  explicit EdnReader(const InputFile& file);

  bool next(EdnValue& value);
  std::uint64_t line() const { return form_line_; }  // where the form read last begins
  const std::string& path() const { return path_; }

 private:
  int peek() { return at_ < size_ ? static_cast<unsigned char>(buffer_[at_]) : refill(); }
  int refill();
  int take();
  template <typename Ends>
  std::string_view run(const Ends& ends);
  void skip_blanks();
  void read(EdnValue& value, int depth);
  void read_items(EdnValue& value, char close, int depth);
  void read_text(EdnValue& value);
  void read_word(EdnValue& value);
  void read_tagged(EdnValue& value, int depth);
  std::string_view word();
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
  Descriptor file_;
  std::vector<char> buffer_;
  std::string word_;  // where it is not whole in the buffer
  std::size_t at_ = 0;
  std::size_t size_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t form_line_ = 1;
  bool opened_ = false;  // a vector around all forms
  bool started_ = false;
};

}  // namespace holdfast
