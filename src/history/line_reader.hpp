// Reads a text file line by line in large pieces, so that a line costs no copy and memory does not grow with the file.
//
//   LineReader in("history.jsonl");
//   std::string_view line;
//   while (in.next(line)) ...          // blank lines are skipped; `line` is good until the next call
//
// kLinePadding bytes behind a line may be looked at. A byte order mark before the first line and a carriage return at a
// line's end are dropped. Throws BadInput when the file cannot be read, or for a line longer than kLongestLine. What it
// does not do: it does not look into a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/input_file.hpp"

namespace holdfast {

constexpr std::size_t kLongestLine = std::size_t{16} << 20;

class LineReader {
 public:
  explicit LineReader(const InputFile& file);
  bool next(std::string_view& line);
  std::uint64_t number() const { return number_; }  // of the line read last, from 1

 private:
  bool next_raw(std::string_view& line);
  bool fill();
  std::size_t room() const;  // for what is read

  std::string path_;
  Descriptor file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;    // of what is not yet given out
  std::size_t end_ = 0;      // of what has been read
  std::size_t scanned_ = 0;  // up to here there is no end of line
  bool at_end_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace holdfast
