// What a LockWorld tells people of a schedule, while it is for people.
#include <algorithm>
#include <utility>

#include "explore/lock_world.hpp"

namespace holdfast {

void LockWorld::begin_telling(const Word& word) {
  if (for_people_) word_ = to_text(word);
}

// A step without a statement is a line of its own; the believers are those after the step.
void LockWorld::end_telling(const Word& word) {
  if (!for_people_) return;
  const bool time = word.kind == WordKind::time;
  if (!word_.empty()) tell({"", time ? "" : actor_name(word.actor), 0, "", "", "", std::exchange(said_, ""), {}});
  TraceStep& last = trace_.back();
  if (!said_.empty()) line_of_word().said = std::exchange(said_, "");
  for (std::uint32_t c = 0; c < settings_.clients; ++c) {
    if (state_.beliefs.naive(c)) last.believers.push_back(state_.beliefs.text(c, state_.now_us));
  }
}

// After it there may be lines of others who could go on.
TraceStep& LockWorld::line_of_word() {
  return *std::find_if(trace_.rbegin(), trace_.rend(), [](const TraceStep& step) { return !step.word.empty(); });
}

void LockWorld::tell(TraceStep step) {
  if (!for_people_) return;
  step.word = std::exchange(word_, "");
  step.time_us = state_.now_us;
  trace_.push_back(std::move(step));
}

void LockWorld::tell_event(const Party& actor, const std::string& what) {
  tell({"", actor_name(actor.id), 0, "", "", what, "", {}});
}

void LockWorld::tell_statement(const Party& actor, const std::string& text, const std::string& answer) {
  if (!for_people_) return;
  const Doing& doing = actor.doing;
  const std::string name = actor.id == probe_.id ? "anybody" : actor_name(actor.id);
  tell({"", name, 0, doing.op == Op::write ? "" : to_text(doing.op), text, answer, "", {}});
}

void LockWorld::tell_look(const Answer& answer) {
  if (!for_people_) return;
  said_ += said_.empty() ? "" : ", ";
  said_ += answer.type == EventType::ok ? "its own look: still held" : "its own look: no longer held";
}

void LockWorld::tell_answer(Op op, const Answer& answer) {
  if (!for_people_ || op == Op::write) return;
  const bool ok = answer.type == EventType::ok;
  const char* what = ok ? (op == Op::acquire ? "granted" : "done") : to_text(answer.reason);
  said_ = std::string(to_text(op)) + ": " + what;
  if (answer.type == EventType::info) said_ += ", and may have been done";
  if (answer.token) said_ += ", token " + std::to_string(*answer.token);
}

}  // namespace holdfast
