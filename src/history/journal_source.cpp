#include "history/journal_source.hpp"

#include <algorithm>
#include <filesystem>

#include "artifact/error.hpp"
#include "history/history_line.hpp"
#include "history/not_a_history.hpp"

namespace holdfast {
namespace {

constexpr std::uint32_t kMostKeysOfAJournal = 1'000'000;

std::vector<InputFile> journals_of(const InputFile& file) {
  const std::string& path = file.path();
  if (!std::filesystem::is_directory(path)) return {file};
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() == ".journal") names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  if (names.empty()) throw BadInput(path + ": " + why_no_history(path));
  std::vector<InputFile> out;
  out.reserve(names.size());
  for (const auto& name : names) out.push_back(InputFile::in(path, name));
  return out;
}

}  // namespace

JournalSource::JournalSource(const InputFile& file) : path_(file.path()) {
  for (const InputFile& each : journals_of(file)) {
    Lane& lane = lanes_.emplace_back();
    lane.path = each.path();
    lane.reader = std::make_unique<JournalReader>(each);
  }
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (advance(lanes_[i])) heap_.push_back(i);
  }
  std::make_heap(heap_.begin(), heap_.end(), Later{lanes_});
  if (heap_.empty()) throw BadInput(path_ + ": is empty: a history has at least one event");
}

bool JournalSource::over(const Lane& lane) {
  if (const auto at = lane.reader->broken_at()) {
    throw BadInput(lane.path + ": is broken at byte " + std::to_string(*at));
  }
  return true;
}

std::uint32_t JournalSource::new_key(const Lane& lane, std::uint32_t number) {
  if (number >= kMostKeysOfAJournal)
    throw BadInput(lane.path + ": key " + std::to_string(number) + " is not the number of a key");
  const std::uint32_t id = rules_.key_id("k" + std::to_string(number));
  if (number >= keys_.size()) keys_.resize(number + 1);
  keys_[number] = id + 1;
  return id;
}

void JournalSource::refuse_client(const Lane& lane, std::uint32_t number) {
  throw BadInput(lane.path + ": client " + std::to_string(number) + " is not the number of a client");
}

bool JournalSource::next(Event& event) {
  if (heap_.empty()) return false;
  if (heap_.size() > 1) std::pop_heap(heap_.begin(), heap_.end(), Later{lanes_});
  Lane& lane = lanes_[heap_.back()];
  lane.reader->fill(*lane.front, event);
  try {
    name(lane, event);
    rules_.admit(event);
  } catch (const BadInput& e) {
    throw BadInput(lane.path + ": event " + std::to_string(rules_.events()) + ": " + e.what());
  }
  if (advance(lane)) {
    if (heap_.size() > 1) std::push_heap(heap_.begin(), heap_.end(), Later{lanes_});
  } else {
    heap_.pop_back();
  }
  return true;
}

}  // namespace holdfast
