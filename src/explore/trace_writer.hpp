// Writes the trace of a schedule while it is for people; otherwise it does nothing.
//
//   writer.begin(word);                                 // each word of the schedule
//   writer.statement(actor, text, answer);              // what comes of it
//   writer.end(word);                                   // who believes after it
#pragma once

#include <cstdint>
#include <string>

#include "artifact/schedule_word.hpp"
#include "explore/trace.hpp"
#include "explore/world_state.hpp"

namespace holdfast {

class TraceWriter {
 public:
  // `state`: of the world, whose time and beliefs are written.
  TraceWriter(const WorldState& state, std::uint32_t clients) : state_(state), clients_(clients) {}
  void write(bool wanted) { writes_ = wanted; }
  bool writes() const { return writes_; }
  const Trace& trace() const { return trace_; }

  void clear();
  void begin(const Word& word);
  void end(const Word& word);
  void event(const Party& actor, const std::string& what);
  void statement(const std::string& name, Op doing, const std::string& text, const std::string& answer);
  void arrival(std::uint8_t of_actor, const std::string& text, const std::string& answer);
  void look(const Answer& answer);
  void answer(Op op, const Answer& answer);

 private:
  void add(TraceStep step);
  TraceStep& line_of_word();

  const WorldState& state_;
  const std::uint32_t clients_;
  bool writes_ = false;
  std::string word_;  // that is being taken, until a line has it
  std::string said_;  // what the lock answered in this step
  Trace trace_;
};

}  // namespace holdfast
