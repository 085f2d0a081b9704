#include "explore/trace.hpp"

#include <algorithm>

#include "explore/beliefs.hpp"

namespace holdfast {
namespace {

// Converts a text with several lines to one.
std::string on_one_line(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    const bool blank = letter == '\n' || letter == ' ';
    if (blank && (out.empty() || out.back() == ' ')) continue;
    out += blank ? ' ' : letter;
  }
  return out;
}

// The end of the last whole letter (UTF-8) within so many bytes.
std::size_t letters_end(const std::string& text, std::size_t most) {
  std::size_t at = most;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return at > 3 ? at : most;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  const std::string indent = "  ";
  std::vector<std::string> lines;
  std::string rest = on_one_line(text);
  while (rest.size() > width) {
    std::size_t at = rest.rfind(' ', width);
    // A word that is longer than the line is cut, between two letters.
    if (at == std::string::npos || at <= (lines.empty() ? 0 : indent.size())) at = letters_end(rest, width);
    lines.push_back(rest.substr(0, at));
    rest = indent + rest.substr(rest[at] == ' ' ? at + 1 : at);
  }
  lines.push_back(rest);
  return lines;
}

}  // namespace

std::string columns(const Trace& trace, std::size_t width) {
  std::string out;
  int number = 0;
  for (const auto& step : trace) {
    const bool second = !step.client.empty() && (step.client[0] == 'B' || step.client[0] == 'b');
    const std::string margin(second ? width / 2 : 0, ' ');
    const std::size_t room = width / 2 - 2;
    std::string head = std::to_string(++number) + "  " + clock_text(step.time_us);
    if (step.client.empty()) {
      out += head + "  (" + step.word + ")\n";
      continue;
    }
    std::vector<std::string> lines;
    const auto add = [&](const std::string& text, const char* before) {
      if (text.empty()) return;
      for (auto& line : wrapped(before + text, room)) lines.push_back(line);
    };
    add(step.statement, "");
    add(step.answer, "-> ");
    add(step.said, "=> ");
    out += head + "  " + (second ? std::string(width / 2 - std::min(width / 2, head.size() + 2), ' ') : "") +
           step.client +
           (step.word.empty()      ? step.client.size() > 1 ? "" : " continues after its wait"
            : step.word.size() > 1 ? " (" + step.word + ")"
                                   : "") +
           (step.doing.empty() ? "" : " " + step.doing) + "\n";
    for (const auto& line : lines) out += margin + "    " + line + "\n";
    std::string believers;
    for (const auto& believer : step.believers) believers += (believers.empty() ? "" : ", ") + believer;
    if (!believers.empty()) out += "    believes: " + believers + "\n";
  }
  return out;
}

}  // namespace holdfast
