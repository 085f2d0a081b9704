#include "history/line_reader.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "artifact/error.hpp"
#include "history/plain_scan.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kLinesPiece = std::size_t{256} << 10;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(std::string_view line) {
  if (!line.empty() && line.front() == '{') return false;
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

LineReader::LineReader(const InputFile& file, Growth growth)
    : path_(file.path()), file_(file.open()), grows_(growth == Growth::growing), buffer_(kLinesPiece + kLinePadding) {}

void LineReader::check_length() const {
  struct stat found {};
  if (::fstat(file_.get(), &found) == 0 && static_cast<std::uint64_t>(found.st_size) >= read_) return;
  throw BadInput(path_ + ": has become shorter while it was followed; remedy: write each log to a file of its own");
}

std::size_t LineReader::room() const {
  return buffer_.size() - kLinePadding;
}

// Reads more data after the buffered part; removes returned lines first.
bool LineReader::fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    scanned_ -= begin_;
    begin_ = 0;
  }
  if (end_ > kLongestLine) {
    throw BadInput(path_ + ":" + std::to_string(number_ + 1) + ": the line is longer than " +
                   std::to_string(kLongestLine >> 20) + " MiB");
  }
  if (end_ == room()) buffer_.resize(2 * buffer_.size());
  ssize_t got = 0;
  do {
    got = ::read(file_.get(), buffer_.data() + end_, room() - end_);
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    throw BadInput(path_ + ": cannot be read" + (number_ > 0 ? " to the end: " : ": ") + system_text(errno));
  }
  if (got == 0 && grows_) check_length();
  at_end_ = got == 0 && !grows_;
  read_ += static_cast<std::uint64_t>(got);
  end_ += static_cast<std::size_t>(got);
  return got > 0;
}

bool LineReader::next_raw(std::string_view& line) {
  for (;;) {
    const char* from = buffer_.data() + scanned_;
    const char* found = static_cast<const char*>(std::memchr(from, '\n', end_ - scanned_));
    if (found != nullptr) {
      const auto stop = static_cast<std::size_t>(found - buffer_.data());
      line = {buffer_.data() + begin_, stop - begin_};
      begin_ = scanned_ = stop + 1;
      return true;
    }
    scanned_ = end_;
    if (fill()) continue;
    if (begin_ == end_ || grows_) return false;
    line = {buffer_.data() + begin_, end_ - begin_};
    begin_ = end_;
    return true;
  }
}

bool LineReader::next(std::string_view& line) {
  while (next_raw(line)) {
    if (++number_ == 1 && line.substr(0, 3) == kByteOrderMark) line.remove_prefix(3);
    if (is_blank(line)) continue;
    if (line.back() == '\r') line.remove_suffix(1);
    return true;
  }
  return false;
}

}  // namespace holdfast
