// Text for a terminal: what is coloured, and what does not fit a line.
#pragma once

#include <cstddef>
#include <string>

namespace holdfast {

// `ansi` is the colour's code, as "1;31"; without `colour` the text stays as it is.
std::string coloured(const std::string& text, const char* ansi, bool colour);

// Items one after the other, on a new line wherever the next would not fit 120 columns. `plain` is what is counted, and
// `shown` what is written, which may have colours.
//
//   TerminalLines lines{" · ", ""};
//   lines.add("ok as expected", "\x1b[32mok\x1b[0m as expected");
struct TerminalLines {
  std::string separator;
  std::string indent;  // of every line but the first
  std::string out{};
  std::size_t used = 0;  // columns of the last line

  void add(const std::string& plain, const std::string& shown);
};

// The words of `text`, made visible, as lines indented by four; ends with a line end.
std::string paragraph(const std::string& text);

}  // namespace holdfast
