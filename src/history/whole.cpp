#include "history/whole.hpp"

#include <algorithm>
#include <fstream>

#include "artifact/error.hpp"
#include "history/history_line.hpp"
#include "history/line_reader.hpp"

namespace holdfast {
namespace {

constexpr std::streamoff kTail = 256;  // an end record is shorter

bool is_of_a_run(const std::string& path) {
  LineReader lines(path);
  std::string_view line;
  HistoryHeader header;
  try {
    return lines.next(line) && parse_history_header(line, header);
  } catch (const BadInput&) {
    return false;  // broken, or of another version: whoever reads it says so
  }
}

std::string last_line(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  in.seekg(0, std::ios::end);
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(0, size - kTail));
  std::string tail(static_cast<std::size_t>(std::min(size, kTail)), '\0');
  in.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  while (!tail.empty() && (tail.back() == '\n' || tail.back() == '\r' || tail.back() == ' ')) tail.pop_back();
  const auto before = tail.rfind('\n');
  return before == std::string::npos ? tail : tail.substr(before + 1);
}

}  // namespace

void check_whole(const std::string& path) {
  if (!is_of_a_run(path)) return;
  const std::string why =
      path + ": the history was cut off: the record that ends a run's is missing; remedy: run it again";
  try {
    if (!parse_history_end(last_line(path))) throw BadInput(why);
  } catch (const BadInput&) {
    throw BadInput(why);
  }
}

}  // namespace holdfast
