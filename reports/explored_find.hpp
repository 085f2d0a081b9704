// A schedule that a search found, as a page shows it: who sent which statement and got which answer, a column for each
// client, with the files and commands that repeat it.
//
//   write_explored_finds(finds, out);          all finds of a lock: the cheapest of each kind whole, the others in
//   short write_explored_find(*told_find(finds, witness), out);
//
// Where scripts run, the steps can be walked through one by one (page/steps.js).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "artifact/verdict.hpp"
#include "reports/html.hpp"

namespace holdfast {

struct ExploredStep {
  std::string word;       // of the schedule: "+2.6s" where no client acts
  std::string client;     // "A"; empty: none
  std::string clock;      // "12:00:02.4"
  std::string doing;      // "acquire"
  std::string statement;  // or request
  std::string answer;
  std::string said;                    // the lock's answer to its client: "acquire: granted"
  std::vector<std::string> believers;  // "A until 12:00:02.4"
};

struct ExploredFind {
  std::string invariant;
  std::string text;
  std::string cause;     // in words; empty: not known
  std::string needs;     // "1 preemption, 0 time jumps, 0 faults"
  std::string schedule;  // "A A B B B A"
  std::string replay;    // command
  std::string scenario;  // command; empty: real processes cannot follow the schedule
  bool first = true;     // the cheapest of its invariant
  std::vector<ExploredStep> steps;
  std::string flaw{};  // the mistake that the schedule shows, in sentences; empty: none by itself
};

void write_explored_find(const ExploredFind&, HtmlWriter&);
void write_explored_finds(const std::vector<ExploredFind>&, HtmlWriter&);

// The find that a witness describes; null: none.
const ExploredFind* told_find(const std::vector<ExploredFind>&, const Witness&);

}  // namespace holdfast
