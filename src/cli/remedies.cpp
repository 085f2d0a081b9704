#include "cli/remedies.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

#include "artifact/json_text.hpp"
#include "lock/added_locks.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMissing = ": cannot be read: No such file or directory";
constexpr std::string_view kRemedy = "; remedy: ";

// The path before ":LINE: "; the whole text if there is none.
std::string path_of(const std::string& message) {
  for (std::size_t at = message.find(':'); at != std::string::npos; at = message.find(':', at + 1)) {
    const std::size_t end = message.find_first_not_of("0123456789", at + 1);
    if (end != std::string::npos && end > at + 1 && message[end] == ':') return message.substr(0, at);
  }
  return message;
}

std::vector<std::string> names_beside(const fs::path& path) {
  constexpr std::size_t kMost = 1000;
  std::vector<std::string> out;
  std::error_code none;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
    if (out.size() == kMost) break;
    out.push_back(entry->path().filename().string());
  }
  return out;
}

std::string missing_file(const std::string& message) {
  const fs::path path(message.substr(0, message.size() - kMissing.size()));
  const std::string near = nearest(path.filename().string(), names_beside(path));
  if (!near.empty()) return message + " (did you mean '" + (path.parent_path() / near).string() + "'?)";
  return message + std::string(kRemedy) + "check the path, which is relative to the working directory";
}

// A reader of JSON met something else.
std::string not_json(const std::string& message) {
  const std::string path = path_of(message);
  const auto stated = message.find(kRemedy);
  const std::string remedy = stated == std::string::npos ? "" : message.substr(stated);
  if (is_lock_file(path)) {
    return path + ": is a file of statements (a lock), not JSON" +
           (remedy.empty() ? std::string(kRemedy) + "holdfast try " + path : remedy);
  }
  if (!remedy.empty() || message.find("not JSON: ") == std::string::npos) return message;
  return message + std::string(kRemedy) + "look for a missing comma or quote there or on the line before";
}

}  // namespace

std::string with_remedy(const std::string& message) {
  if (message.ends_with(kMissing)) return missing_file(message);
  const bool broken =
      message.find(": not JSON: ") != std::string::npos || message.find(": broken JSON at column") != std::string::npos;
  return broken ? not_json(message) : message;
}

}  // namespace holdfast
