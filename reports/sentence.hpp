// The first line of every report: did it hold, and what was tried.
//
//   FAIL  2 of 20 cells not as expected        MariaDB 10.11.19 · seed 42 · 3 m 12 s
//
//   PASS  26 of 26 cells as expected (4 with violations that are allowed)        Redis 7.0.15 · seed 1 · 58.1 s
//
//   NOTHING NEW  2 of 20 cells not as expected, all of them as in the baseline        MariaDB 10.11.19 · seed 1 · 3 m
//   12 s
//
//   UNDECIDED  the violation did not come again: reproduced 0 of 5; 1 of 1 cell as expected        Redis 7.0.15 · ...
//
// The first word is PASS, NOTHING NEW, FAIL, ERROR, UNDECIDED, NOTHING JUDGED, UNAVAILABLE or INTERRUPTED, chosen in
// the order of the exit codes. The same verdict always gives the same sentence.
#pragma once

#include <string>

#include "reports/assessment.hpp"

namespace holdfast {

struct Sentence {
  std::string word;           // "FAIL"
  std::string claim;          // "2 of 20 cells not as expected: the time budget of 10m was over"
  std::string plain_claim;    // the same without the limits
  std::string limits;         // the bounds of a search, or why trials were not run; else empty
  std::string circumstances;  // "MariaDB 10.11.19 · seed 42 · 3 m 12 s"
  std::string tone = "open";  // "pass" or "fail", where the word says so
};

Sentence sentence_parts(const RunAssessment&);
std::string run_sentence(const RunAssessment&);

// With a large first letter.
std::string capitalised(std::string text);

}  // namespace holdfast
