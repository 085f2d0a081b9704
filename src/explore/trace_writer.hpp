// Writes the trace of a schedule in readable mode; otherwise does nothing.
//
//   writer.begin(word);                                 // each word of the schedule
//   writer.statement(name, Op::release, command, answer);   // its effects
//   writer.end(word);                                   // beliefs after it
#pragma once

#include <cstdint>
#include <string>

#include "artifact/schedule_word.hpp"
#include "explore/trace.hpp"
#include "explore/world_state.hpp"

namespace holdfast {

class TraceWriter {
 public:
  // `state`: of the world, for time and beliefs.
  TraceWriter(const WorldState& state, std::uint32_t clients) : state_(state), clients_(clients) {}
  void write(bool wanted) { writes_ = wanted; }
  bool writes() const { return writes_; }
  const Trace& trace() const { return trace_; }

  void clear();
  void begin(const Word& word);
  void end(const Word& word);
  void event(const SimulatedActor& actor, const std::string& what);
  void statement(const std::string& name, Op doing, const Command& sent, const std::string& answer);
  void arrival(std::uint8_t of_actor, const Command& sent, const std::string& answer);
  void look(const Answer& answer);
  void answer(Op op, const Answer& answer);

 private:
  void add(TraceStep step);
  TraceStep& line_of_word();

  const WorldState& state_;
  const std::uint32_t clients_;
  bool writes_ = false;
  std::string word_;  // the current word, until a line has it
  std::string said_;  // the lock's answer in this step
  Trace trace_;
};

}  // namespace holdfast
