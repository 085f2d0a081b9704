#include "history/history_source.hpp"

#include <charconv>

namespace holdfast {

// Only as it would be written: 007 is another name than 7.
std::optional<std::uint32_t> ProcessNames::number_of(const std::string& name) {
  std::uint32_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [to, error] = std::from_chars(name.data(), end, number);
  const bool written_so = error == std::errc() && to == end && (name.size() == 1 || name[0] != '0');
  return written_so && number < kMost ? std::optional(number) : std::nullopt;
}

std::uint32_t ProcessNames::id_of(const std::string& name) {
  if (const auto number = number_of(name)) return id_of(*number);
  const auto known = other_ids_.find(name);
  return known != other_ids_.end() ? known->second : add(name);
}

std::uint32_t ProcessNames::add(std::uint32_t number) {
  if (number >= kMost) return id_of(std::to_string(number));
  const std::uint32_t page = number / kOfAPage;
  if (page >= ids_.size()) ids_.resize(page + 1);
  if (ids_[page].empty()) ids_[page].resize(kOfAPage);
  numbers_.push_back(number);
  ids_[page][number % kOfAPage] = size();
  return size() - 1;
}

std::uint32_t ProcessNames::add(const std::string& name) {
  const std::uint32_t id = size();
  numbers_.push_back(kMost);
  other_ids_.emplace(name, id);
  other_names_.emplace(id, name);
  return id;
}

std::string ProcessNames::at(std::uint32_t id) const {
  const std::uint32_t number = numbers_.at(id);
  return number < kMost ? std::to_string(number) : other_names_.at(id);
}

std::vector<std::string> ProcessNames::all() const {
  std::vector<std::string> names;
  for (std::uint32_t id = 0; id < size(); ++id) names.push_back(at(id));
  return names;
}

}  // namespace holdfast
