#include "artifact/comparison.hpp"

#include <array>
#include <cstddef>

namespace holdfast {
namespace {

constexpr std::array<const char*, 3> kStates{"judged", "unavailable", "harness_error"};
constexpr std::array<const char*, 6> kChanges{"same", "fixed", "still", "flaky", "unknown", "new"};

template <typename Enum, std::size_t kCount>
bool find_word(const std::array<const char*, kCount>& words, const std::string& word, Enum& out) {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (word != words[i]) continue;
    out = static_cast<Enum>(i);
    return true;
  }
  return false;
}

}  // namespace

const char* to_text(TrialState state) {
  return kStates.at(static_cast<std::size_t>(state));
}

bool from_text(const std::string& word, TrialState& out) {
  return find_word(kStates, word, out);
}

const char* to_text(Change change) {
  return kChanges.at(static_cast<std::size_t>(change));
}

bool from_text(const std::string& word, Change& out) {
  return find_word(kChanges, word, out);
}

double ServiceNumbers::grants_per_s() const {
  return load_ns > 0 ? static_cast<double>(grants) * 1e9 / static_cast<double>(load_ns) : 0;
}

double ServiceNumbers::statements_per_grant() const {
  return grants > 0 ? static_cast<double>(statements) / static_cast<double>(grants) : 0;
}

const ComparedCell* find_cell(const Comparison& all, const std::string& variant, const std::string& scenario) {
  for (const auto& cell : all.cells) {
    if (cell.variant == variant && cell.scenario == scenario) return &cell;
  }
  return nullptr;
}

}  // namespace holdfast
