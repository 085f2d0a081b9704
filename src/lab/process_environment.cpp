#include "lab/process_environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace holdfast {
namespace {

// Where programs and libraries are found, and where a program may write.
constexpr std::array<std::string_view, 5> kForAll{"PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR", "LANG"};

// Of this program's own processes also how they are examined: preloads and sanitizers of its tests.
constexpr std::array<std::string_view, 8> kForItself{
    "LD_PRELOAD", "TZ", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "NO_COLOR", "container"};

bool begins(const std::string& name, std::string_view with) {
  return name.compare(0, with.size(), with) == 0;
}

}  // namespace

bool is_handed_on(const std::string& name, bool itself) {
  const auto among = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (among(kForAll)) return true;
  return itself && (among(kForItself) || begins(name, "HOLDFAST_") || begins(name, "LC_"));
}

std::vector<std::string> environment_of(const Spawn& spawn, bool itself) {
  std::vector<std::string> out;
  out.reserve(spawn.environment.size());
  for (const auto& [name, value] : spawn.environment) out.push_back(name + "=" + value);
  for (char** entry = environ; *entry != nullptr; ++entry) {  // a shell would take the last of two of one name
    const std::string text(*entry);
    const std::string name = text.substr(0, text.find('='));
    if (spawn.environment.count(name) == 0 && is_handed_on(name, itself)) out.push_back(text);
  }
  return out;
}

}  // namespace holdfast
