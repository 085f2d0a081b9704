// The frame of every page: its head with the policy and the one style sheet, and the first line with the verdict.
//
//   return whole_page({.title = "VIOLATED app.jsonl", .moves = true}, [&](HtmlWriter& out) { ... });
//
// Each page is one file that opens offline and loads nothing; one without scripts allows none.
#pragma once

#include <functional>
#include <string>

#include "artifact/literal.hpp"
#include "reports/html.hpp"

namespace holdfast {

struct PageFrame {
  std::string title{};
  std::string kind{};  // class of the body: "comparison"; may be empty
  bool moves = false;  // has scripts; the writer of the end adds them
};

using WritePart = std::function<void(HtmlWriter& out)>;

// `body` writes what people read, `end` what comes after it: the scripts of a page that moves.
std::string whole_page(const PageFrame&, const WritePart& body, const WritePart& end = {});

// "✗ VIOLATED mutual exclusion of app.jsonl", in the tone of the word: pass, fail, open, or none.
void write_verdict_line(const std::string& word, const std::string& claim, const std::string& tone, HtmlWriter& out);

// Wraps a table or a picture that scrolls sideways if it is wider than the screen, by keys too.
[[nodiscard]] HtmlWriter::Tag scrolling_part(const char* name, HtmlWriter& out);

}  // namespace holdfast
