#include "suite/check_kinds.hpp"

#include <algorithm>
#include <set>

#include "artifact/error.hpp"
#include "artifact/property_words.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

// "a,,b" has three parts, "" one.
std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts{""};
  for (const char c : list) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

void check_expected(const std::string& property, const JsonNode& expected) {
  const auto colon = expected.text.find(':');
  if (colon == std::string::npos) return;
  const std::vector<std::string> known = known_kinds(property);
  for (const auto& kind : parts_of(expected.text.substr(colon + 1))) {
    if (std::find(known.begin(), known.end(), kind) == known.end()) {
      expected.refuse(unknown_word("kind of " + property, kind, known));
    }
  }
}

}  // namespace

std::vector<std::string> known_kinds(const std::string& property) {
  std::set<std::string> known;
  for (const KindWords& kind : find_entry(property_words(), property)->kinds) known.insert(kind.name);
  for (const auto& [name, type] : faults()) {
    if (*type->cause != '\0') known.insert(type->cause);
  }
  return {known.begin(), known.end()};
}

void check_kinds(const Scenario& scenario) {
  for (const auto& [lock, expected] : scenario.source.find("expect")->members) {
    for (const auto& [property, verdict] : expected.members) check_expected(property, verdict);
  }
}

}  // namespace holdfast
