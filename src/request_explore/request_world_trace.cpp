// Writes the trace of a RequestWorld.
#include <algorithm>
#include <utility>

#include "request_explore/request_world.hpp"

namespace holdfast {

std::string RequestWorld::name_of(const HeldRequest& held) const {
  const WireText& text = lab_.text();
  return text.name ? text.name(lab_.heard().of(held.serial).relayed()) : "request";
}

// holdfast does not know why an adapter sends a background request, so it does not call it a renewal.
StoryStep RequestWorld::step_of(const HeldRequest& request, Op op, bool background) const {
  return {number_of_statement(name_of(request)), background ? Op::write : op, background};
}

std::string RequestWorld::plain(const std::string& text) const {
  std::string out = text;
  const std::string& name = names_.at(name_);
  const std::string shown = std::string(kNameOfLocks).substr(0, std::string(kNameOfLocks).size() - 1);
  for (std::size_t at = 0; (at = out.find(name, at)) != std::string::npos; at += shown.size()) {
    out.replace(at, name.size(), shown);
  }
  return out;
}

std::vector<std::string> RequestWorld::plain_words(const HeardRequest& heard) const {
  const WireText& text = lab_.text();
  std::vector<std::string> out;
  if (!for_people_ || text.words == nullptr) return out;
  for (const auto& word : text.words(heard.relayed())) out.push_back(plain(word));
  return out;
}

void RequestWorld::note_said(const std::string& said) {
  said_ += (said_.empty() ? "" : ", ") + said;
  said_in_step_ += (said_in_step_.empty() ? "" : ", ") + said;
}

void RequestWorld::add_line(const TraceStep& step) {
  if (!for_people_) return;
  trace_.push_back(step);
  trace_.back().word = std::exchange(word_, "");
  trace_.back().time_us = clock_.now_us();
}

void RequestWorld::end_line(const Word& word) {
  if (!for_people_) return;
  if (!word_.empty()) add_line({"", word.kind == WordKind::time ? "" : actor_name(word.actor), 0, "", "", "", "", {}});
  const auto of_word =
      std::find_if(trace_.rbegin(), trace_.rend(), [](const TraceStep& line) { return !line.word.empty(); });
  of_word->said = std::exchange(said_, "");
  TraceStep& last = trace_.back();  // after that of the word there may be one of the probe
  for (std::uint32_t c = 0; c < settings_.clients; ++c) {
    if (beliefs_.naive(c)) last.believers.push_back(beliefs_.text(c, clock_.now_us()));
  }
}

}  // namespace holdfast
