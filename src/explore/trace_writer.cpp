#include "explore/trace_writer.hpp"

#include <algorithm>
#include <utility>

namespace holdfast {

void TraceWriter::clear() {
  trace_.clear();
  said_.clear();
  word_.clear();
}

void TraceWriter::begin(const Word& word) {
  if (writes_) word_ = to_text(word);
}

// A step without a statement has its own line; the believers are those after the step.
void TraceWriter::end(const Word& word) {
  if (!writes_) return;
  const bool time = word.kind == WordKind::time;
  if (!word_.empty()) add({"", time ? "" : actor_name(word.actor), 0, "", "", "", std::exchange(said_, ""), {}});
  TraceStep& last = trace_.back();
  if (!said_.empty()) line_of_word().said = std::exchange(said_, "");
  for (std::uint32_t c = 0; c < clients_; ++c) {
    if (state_.beliefs.naive(c)) last.believers.push_back(state_.beliefs.text(c, state_.now_us));
  }
}

// It may be followed by lines of other actors that could continue.
TraceStep& TraceWriter::line_of_word() {
  return *std::find_if(trace_.rbegin(), trace_.rend(), [](const TraceStep& step) { return !step.word.empty(); });
}

void TraceWriter::add(TraceStep step) {
  if (!writes_) return;
  step.word = std::exchange(word_, "");
  step.time_us = state_.now_us;
  trace_.push_back(std::move(step));
}

void TraceWriter::event(const SimulatedActor& actor, const std::string& what) {
  add({"", actor_name(actor.id), 0, "", "", what, "", {}});
}

void TraceWriter::statement(const std::string& name, Op doing, const Command& sent, const std::string& answer) {
  add({"", name, 0, doing == Op::write ? "" : to_text(doing), sent.text, answer, "", {}, sent.arguments});
}

void TraceWriter::arrival(std::uint8_t of_actor, const Command& sent, const std::string& answer) {
  add({"", actor_name(of_actor), 0, "arrives", sent.text, answer, "", {}, sent.arguments});
}

void TraceWriter::look(const Answer& answer) {
  if (!writes_) return;
  said_ += said_.empty() ? "" : ", ";
  said_ += answer.type == EventType::ok ? "its own check: still held" : "its own check: no longer held";
}

void TraceWriter::answer(Op op, const Answer& answer) {
  if (!writes_ || op == Op::write) return;
  const bool ok = answer.type == EventType::ok;
  const char* what = ok ? (op == Op::acquire ? "granted" : "done") : to_text(answer.reason);
  said_ = std::string(to_text(op)) + ": " + what;
  if (answer.type == EventType::info) said_ += ", but may have taken effect";
  if (answer.token) said_ += ", token " + std::to_string(*answer.token);
}

}  // namespace holdfast
