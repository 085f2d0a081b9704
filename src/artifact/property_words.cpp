#include "artifact/property_words.hpp"

namespace holdfast {

std::vector<std::string> promisable_properties() {
  std::vector<std::string> names;
  for (const auto& [name, words] : property_words()) {
    if (words->promised_by != PromisedBy::nobody) names.push_back(name);
  }
  return names;
}

bool concerns(const std::string& property, Concerns what) {
  const PropertyWords* words = find_entry(property_words(), property);
  return words != nullptr && words->concerns == what;
}

int rank_of(const std::string& property) {
  const PropertyWords* words = find_entry(property_words(), property);
  return words == nullptr ? kLastRank + 1 : words->rank;
}

}  // namespace holdfast
