// Reads a text file line by line in large pieces, without copying lines, in constant memory.
//
//   LineReader in("history.jsonl");
//   std::string_view line;
//   while (in.next(line)) ...          // blank lines are skipped; `line` is valid until the next call
//
// kLinePadding bytes after a line may be read. Drops a byte order mark before the first line and a carriage return at a
// line's end. Throws BadInput if the file cannot be read, or for a line longer than kLongestLine. It does not interpret
// lines.
//
// A file that still grows has whole lines only, and `next` may return true again after it returned false. Throws
// BadInput if it has become shorter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/input_file.hpp"

namespace holdfast {

constexpr std::size_t kLongestLine = std::size_t{16} << 20;

enum class Growth : std::uint8_t { complete, growing };

class LineReader {
 public:
  explicit LineReader(const InputFile& file, Growth growth = Growth::complete);
  bool next(std::string_view& line);
  std::uint64_t number() const { return number_; }  // number of the last line, from 1

 private:
  bool next_raw(std::string_view& line);
  bool fill();
  void check_length() const;
  std::size_t room() const;  // free space for reading

  std::string path_;
  Descriptor file_;
  bool grows_;
  std::uint64_t read_ = 0;  // bytes
  std::vector<char> buffer_;
  std::size_t begin_ = 0;    // start of the data not yet returned
  std::size_t end_ = 0;      // end of the data
  std::size_t scanned_ = 0;  // there is no line end before this position
  bool at_end_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace holdfast
