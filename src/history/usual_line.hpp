// The fastest parser for a line of a history. A program writes the fields of all its lines in the same order, so each
// field is predicted before it is read, and the line's structure need not be found first.
//
//   UsualLine usual;
//   if (!usual.scan(text, event, line)) {          // the first line, or one with another order
//     if (!scan_plain_line(text, event, line)) parse_history_line(text, event, line);
//     usual.learn(text);
//   }
//
// Fields may be missing: it knows the order of the fields seen so far. It is as exact as plain_line.hpp and accepts a
// subset of its lines; kLinePadding bytes after the text must be readable, and the line's names refer to the text. For
// lines without a common order it soon disables itself, so they are not slowed down.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "history/history_line.hpp"
#include "history/plain_words.hpp"

namespace holdfast {

class UsualLine {
 public:
  bool scan(std::string_view text, Event& event, HistoryLine& line);
  // Learns from a plain line that `scan` did not accept.
  void learn(std::string_view text);

 private:
  // The text before a value, including blanks: "time":
  struct Field {
    bool stands_in(std::uint64_t first, std::uint64_t second) const {
      return (((first ^ bytes[0]) & mask[0]) | ((second ^ bytes[1]) & mask[1])) == 0;
    }
    std::string_view word() const {
      const std::string_view written(reinterpret_cast<const char*>(bytes.data()), size);
      const std::size_t from = written.find('"') + 1;
      return written.substr(from, written.rfind('"') - from);
    }
    std::array<std::uint64_t, 2> bytes{};
    std::array<std::uint64_t, 2> mask{};  // all ones where bytes are compared
    std::size_t size = 0;
    PlainField field = kFieldUnknown;
    std::uint32_t name = 0;  // a bit for each different name
  };
  static constexpr int kPatience = 64;  // lines
  static constexpr std::size_t kMostFields = 24;

  const char* read_fields(const char* at, const char* end, Event& event, HistoryLine& line) const;
  std::size_t behind(std::string_view written, std::string_view name, std::size_t place);
  std::uint32_t bit_of(std::string_view name, PlainField field) const;

  std::array<Field, kMostFields> order_{};
  std::size_t size_ = 0;  // of the known part
  int missed_ = 0;        // lines with another order minus those with this one
};

}  // namespace holdfast
