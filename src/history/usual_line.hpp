// The quickest way through a line of a history: a program writes the fields of all its lines in one order, so what
// comes next is known before it is looked at, and no part of the line has to be found first.
//
//   UsualLine usual;
//   if (!usual.scan(text, event, line)) {          // the first line, and one in another order
//     if (!scan_plain_line(text, event, line)) parse_history_line(text, event, line);
//     usual.learn(text);
//   }
//
// Fields may be missing: what is known is the order of those that have been seen. It is as exact as plain_line.hpp, and
// takes only a part of what that takes; kLinePadding bytes behind the text must be readable, and the line's names stand
// in the text. Where lines have no order it soon gives up, so that they cost no more than before.
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
  // A plain line that `scan` did not take.
  void learn(std::string_view text);

 private:
  // What stands before a value, with its blanks, if there are any: "time":
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
    std::array<std::uint64_t, 2> mask{};  // all ones where they count
    std::size_t size = 0;
    PlainField field = kFieldUnknown;
    std::uint32_t name = 0;  // a bit for each that differs
  };
  static constexpr int kPatience = 64;  // lines
  static constexpr std::size_t kMostFields = 24;

  const char* read_fields(const char* at, const char* end, Event& event, HistoryLine& line) const;
  std::size_t behind(std::string_view written, std::string_view name, std::size_t place);
  std::uint32_t bit_of(std::string_view name, PlainField field) const;

  std::array<Field, kMostFields> order_{};
  std::size_t size_ = 0;  // of what is known of it
  int missed_ = 0;        // lines in another order, beyond those in this one
};

}  // namespace holdfast
