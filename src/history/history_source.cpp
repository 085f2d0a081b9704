#include "history/history_source.hpp"

#include <bit>
#include <charconv>
#include <utility>

namespace holdfast {

// Accepts canonical numbers only: 007 is a different name from 7.
std::optional<std::uint32_t> ProcessNames::number_of(std::string_view name) {
  std::uint32_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [to, error] = std::from_chars(name.data(), end, number);
  const bool written_so = error == std::errc() && to == end && (name.size() == 1 || name[0] != '0');
  return written_so && number < kMost ? std::optional(number) : std::nullopt;
}

std::uint32_t ProcessNames::id_of(std::string_view name) {
  if (const auto number = number_of(name)) return id_of(*number);
  std::string text(name);
  const auto known = other_ids_.find(text);
  return known != other_ids_.end() ? known->second : add(text);
}

std::uint32_t ProcessNames::look_up(std::uint32_t number) {
  const Slot* const slot = slot_of(number);
  const std::uint32_t id = slot != nullptr ? slot->id_and_1 - 1 : add(number);
  if (number < kMost) recent_[spread(number) >> (32 - kRecentBits)] = {number, id + 1};
  return id;
}

// Null: not found.
const ProcessNames::Slot* ProcessNames::slot_of(std::uint32_t number) const {
  if (slots_.empty()) return nullptr;
  for (std::uint32_t at = place_of(number);; at = (at + 1) & (slot_count() - 1)) {
    const Slot& slot = slots_[at];
    if (slot.id_and_1 == 0) return nullptr;
    if (slot.number == number) return &slot;
  }
}

std::uint32_t ProcessNames::add(std::uint32_t number) {
  if (number == kMost) return id_of(std::to_string(number));
  if (2 * (std::size_t{taken_} + 1) > slots_.size()) grow();
  numbers_.push_back(number);
  insert(number, size() - 1);
  return size() - 1;
}

void ProcessNames::insert(std::uint32_t number, std::uint32_t id) {
  std::uint32_t at = place_of(number);
  while (slots_[at].id_and_1 != 0) at = (at + 1) & (slot_count() - 1);
  slots_[at] = {number, id + 1};
  ++taken_;
}

void ProcessNames::grow() {
  const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
  shift_ = 32 - std::countr_zero(slot_count());
  taken_ = 0;
  for (const Slot& slot : before) {
    if (slot.id_and_1 != 0) insert(slot.number, slot.id_and_1 - 1);
  }
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
