#include "adapter/adapter_error.hpp"

#include <algorithm>
#include <utility>

#include "artifact/visible.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kShownLines = 12;
constexpr std::size_t kShownOfEach = 1000;

std::string text_of_failure(const std::string& adapter, const AdapterFailure& failure) {
  const std::string said = in_one_line(failure.said);
  const bool says_it = failure.remedy.empty() && failure.happened.find("remedy: ") != std::string::npos;
  return "adapter " + adapter + ": " + failure.happened +
         (said.empty() ? "; its standard error is empty" : "; its last lines on standard error: " + said) +
         (says_it ? "" : "; remedy: " + (failure.remedy.empty() ? "run holdfast adapter check" : failure.remedy));
}

// "    at Module.load (node:...)" of JavaScript and Java, "\t/lock/main.go:12 +0x1d" of Go. Python prints the reason
// last.
bool is_frame(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == 0 || begin == std::string::npos) return false;
  return line.compare(begin, 3, "at ") == 0 || line.find(".go:", begin) != std::string::npos;
}

}  // namespace

AdapterError::AdapterError(const std::string& adapter, AdapterFailure parts)
    : HarnessError(text_of_failure(adapter, parts)), failure(std::move(parts)) {}

std::string in_one_line(const std::vector<std::string>& lines) {
  std::vector<std::string> shown;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(shown), [](const auto& line) { return !is_frame(line); });
  const std::size_t frames = lines.size() - shown.size();
  std::string out;
  for (std::size_t at = shown.size() - std::min(shown.size(), kShownLines); at < shown.size(); ++at) {
    out += (out.empty() ? "" : " | ") + clipped(shown[at], kShownOfEach);
  }
  return frames == 0 ? out : out + " (" + std::to_string(frames) + " stack frames left out)";
}

}  // namespace holdfast
