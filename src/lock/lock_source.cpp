#include "lock/lock_source.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "lock/lock.hpp"
#include "lock/statement_lock.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestProgram = std::uintmax_t{1} << 20U;
constexpr std::string_view kAcquire = "acquire";

// In `acquire(key)`, `"acquire":` and `acquire)`.
bool is_defined_at(std::string_view line, std::size_t at) {
  const char before = at == 0 ? ' ' : line[at - 1];
  const std::size_t end = at + kAcquire.size();
  const char after = end < line.size() ? line[end] : ' ';
  const bool whole = std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_' && before != '.';
  return whole && std::string_view("()\"':").find(after) != std::string_view::npos;
}

bool defines_acquire(std::string_view line) {
  for (std::size_t at = line.find(kAcquire); at != std::string_view::npos; at = line.find(kAcquire, at + 1)) {
    if (is_defined_at(line, at)) return true;
  }
  return false;
}

// Empty for a file that is too large, cannot be read, or is not text.
std::string program_text(const fs::path& file) {
  std::error_code none;
  if (!fs::is_regular_file(file, none) || fs::file_size(file, none) > kLargestProgram || none) return "";
  try {
    std::string text = read_text_file(file.string());
    return text.find('\0') == std::string::npos ? text : "";
  } catch (const BadInput&) {
    return "";
  }
}

std::optional<SourcePlace> adapter_source(const Manifest& manifest) {
  for (const auto& word : manifest.command) {
    const fs::path file = (fs::path(manifest.folder) / word).lexically_normal();
    if (fs::path(word).is_absolute() || file.extension().empty()) continue;
    if (const std::string text = program_text(file); !text.empty()) return SourcePlace{file, line_of_acquire(text)};
  }
  if (manifest.file.empty()) return std::nullopt;
  return SourcePlace{(fs::path(manifest.folder) / manifest.file).lexically_normal(), 1};
}

}  // namespace

std::int64_t line_of_acquire(std::string_view program) {
  std::int64_t line = 1;
  for (std::size_t begin = 0; begin < program.size(); ++line) {
    const std::size_t end = std::min(program.find('\n', begin), program.size());
    if (defines_acquire(program.substr(begin, end - begin))) return line;
    begin = end + 1;
  }
  return 1;
}

std::optional<SourcePlace> lock_source(const std::string& lock) {
  const LockType* type = find_entry(locks(), lock);
  if (type == nullptr) return std::nullopt;
  if (type->file != nullptr) {
    const auto& steps = type->file->acquire.steps;
    return SourcePlace{type->file->path, steps.empty() ? 1 : static_cast<std::int64_t>(steps.front().line)};
  }
  return type->manifest == nullptr ? std::nullopt : adapter_source(*type->manifest);
}

}  // namespace holdfast
