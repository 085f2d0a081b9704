// One word of a schedule: the scheduler's next decision. A schedule is a readable list of words:
//
//   A A +2s B A!lost B B          A steps twice, two seconds pass, B steps, A's statement is executed but its reply is
//                                 lost, B steps twice
//
// Actors are letters: A, B, C are clients, a, b, c their watchdogs. Times are exact: +1.999999s.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

enum class WordKind : std::uint8_t {
  step,     // A: up to and including its next statement
  time,     // +2s: on every clock
  lost,     // A!lost: a step whose statement is executed but whose reply is lost
  late,     // A!late: a step whose statement stays in flight while the client gives up waiting ...
  arrives,  // A!arrives: ... and is executed now
  cut,      // A!cut: the server ends A's session; A notices at its next statement
  crash,    // A!crash: A ends, and the server knows
  victim,   // A!victim: of a deadlock
  ahead,    // A!ahead: A's wall clock is ahead by more than a lease, from the beginning
  behind,   // A!behind
};

struct Word {
  WordKind kind = WordKind::step;
  std::uint8_t actor = 0;    // client n is 2n, its watchdog 2n + 1
  std::int64_t time_us = 0;  // for `time`

  bool operator==(const Word&) const = default;
  bool is_fault() const { return kind >= WordKind::lost && kind != WordKind::arrives && kind != WordKind::victim; }
};

std::string actor_name(std::uint8_t actor);
std::string to_text(const Word&);
std::string to_text(const std::vector<Word>&);

// "1.999999s", without trailing zeros.
std::string seconds_text(std::int64_t time_us);

// Throws BadInput naming the word.
std::vector<Word> parse_words(const std::string& text);

}  // namespace holdfast
