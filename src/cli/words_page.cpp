#include "cli/words_page.hpp"

#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "artifact/property_words.hpp"
#include "nemesis/fault.hpp"
#include "suite/check_kinds.hpp"

namespace holdfast {
namespace {

// Of the faults that give it as the cause.
std::string fault_meaning(const std::string& kind) {
  std::string names;
  for (const auto& [name, type] : faults()) {
    if (kind == type->cause) names += fmt::format("{}`{}`", names.empty() ? "" : " or ", name);
  }
  return names.empty() ? "" : "the fault " + names + " struck somebody who had a part in it, or the server";
}

std::string kind_meaning(const std::string& kind) {
  const KindWords* words = find_kind(kind);
  return words != nullptr && *words->meaning != '\0' ? words->meaning : fault_meaning(kind);
}

// Of all properties that a lock may promise, each once.
std::vector<std::string> promisable_kinds() {
  std::set<std::string> out;
  for (const auto& property : promisable_properties()) {
    for (const auto& kind : known_kinds(property)) out.insert(kind);
  }
  return {out.begin(), out.end()};
}

}  // namespace

std::string words_section() {
  std::string out = "## The words\n\nWhat a lock may promise (its *properties*):\n\n";
  for (const auto& name : promisable_properties()) {
    out += fmt::format("- `{}`: {}\n", name, find_entry(property_words(), name)->summary);
  }
  out += "\nIn which way a property was violated (its *kind*):\n\n";
  for (const auto& kind : promisable_kinds()) out += fmt::format("- `{}`: {}\n", kind, kind_meaning(kind));
  return out + "\n";
}

}  // namespace holdfast
