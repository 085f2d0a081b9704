// A small reader of EDN, the text format of Jepsen's histories: one form after another, from a file of any size.
//
//   EdnReader in("history.edn");
//   EdnValue op;
//   while (in.next(op)) ... op.find("type") ...      // {:type :invoke, :f :acquire, :process 0, :time 12}
//
// Reads maps, vectors, lists, sets, strings, characters, numbers, keywords, symbols, nil, true and false; skips
// comments and discarded forms, and drops a tag before a form. Opens a single vector around all forms. Keywords lose
// their colon and namespace (`:foo/bar` is "bar"). Throws BadInput("FILE:LINE: ...").
//
// Limits: ratios, exact decimals and tagged values are kept as text only.
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
  std::string text;             // for strings, keywords, symbols and other numbers
  std::vector<EdnValue> items;  // elements; of a map: key, value, key, value, ...

  const EdnValue* find(std::string_view keyword) const;  // in a map; null when absent or nil
};

class EdnReader {
 public:
  explicit EdnReader(const InputFile& file);

  bool next(EdnValue& value);
  std::uint64_t line() const { return form_line_; }  // line on which the last form begins
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
  std::string word_;  // for a word that is not completely in the buffer
  std::size_t at_ = 0;
  std::size_t size_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t form_line_ = 1;
  bool opened_ = false;  // a vector around all forms
  bool started_ = false;
};

}  // namespace holdfast
