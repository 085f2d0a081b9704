// What one trial showed of a lock: which statements its attempts send, in which order, and how they end.
//
//   const LockFacts facts = read_facts("runs/latest/cells/my_lock/lapses/1/history.jsonl");
//   for (const auto& shape : facts.of(Situation::granted)) ...   // {"select", "insert"}, {"select", "take_over"}
//
// The statements come from the history, where the client's session recorded them: so nothing is asked of the lock's
// code. Attempts that came to nothing of these (no answer, a conflict, a failed release) are left out.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "history/history_source.hpp"

namespace holdfast {

// What an attempt came to: an acquire that was granted or refused, a renewal, a release.
enum class Situation : std::uint8_t { granted, refused, renewed, released };
inline constexpr std::array kSituations{Situation::granted, Situation::refused, Situation::renewed,
                                        Situation::released};
const char* to_text(Situation situation);

struct AttemptShape {
  Situation situation = Situation::granted;
  std::vector<std::string> statements;  // in the order in which they were sent
  std::int64_t seen = 0;                // how many attempts were so
};

struct LockFacts {
  std::vector<AttemptShape> shapes;  // each once; of a situation the most frequent first
  bool looks_at_deadline = false;    // a job was given up because the client's own look said that its lease is over

  std::vector<AttemptShape> of(Situation situation) const;
};

LockFacts read_facts(HistorySource& history);
LockFacts read_facts(const std::string& path);  // throws BadInput as the reader does

}  // namespace holdfast
