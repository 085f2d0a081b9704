// Text for a terminal: what is coloured, and what does not fit a line.
#pragma once

#include <cstddef>
#include <string_view>

#include "reports/shown.hpp"

namespace holdfast {

// `ansi` is the colour's code, as "1;31"; without `colour` the text stays as it is.
Shown coloured(const Shown& text, Literal ansi, bool colour);

// Items one after the other, on a new line wherever the next would not fit 120 columns. `plain` is what is counted, and
// `coloured` what is written.
//
//   TerminalLines lines{Literal(" · "), {}};
//   lines.add("ok as expected");
struct TerminalLines {
  Shown separator;
  Shown indent;  // of every line but the first
  Shown out{};
  std::size_t used = 0;  // columns of the last line

  void add(const Shown& plain, const Shown& coloured);
  void add(const Shown& plain) { add(plain, plain); }
  void add(Literal plain) { add(Shown(plain)); }
};

// The words of `text` as lines indented by four; ends with a line end.
Shown paragraph(std::string_view text);

}  // namespace holdfast
