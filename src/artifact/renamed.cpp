#include "artifact/renamed.hpp"

#include <array>

#include "artifact/property_words.hpp"

namespace holdfast {
namespace {

struct Renamed {
  const char* was;
  const char* is;
};

constexpr std::array kKeys{Renamed{"exposure", "coverage"}};

}  // namespace

std::string called_now(const std::string& word) {
  for (const auto& one : kKeys) {
    if (word == one.was) return one.is;
  }
  for (const auto& [name, words] : property_words()) {
    if (word == words->was) return name;
  }
  return "";
}

std::string older_form(std::int64_t found, std::int64_t version) {
  return "form " + std::to_string(found) + " is of an older holdfast, this one reads form " + std::to_string(version) +
         "; docs/changes.md says what was renamed; remedy: run it again";
}

}  // namespace holdfast
