// A run's sandbox on a user's own server, and the names of what is created there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/plan.hpp"
#include "servers/target.hpp"

namespace holdfast {

// Names of everything holdfast creates on a user's own server, and their quoting in statements.
//
//   holdfast_1a2b3c4d                     a run
//   holdfast_1a2b3c4d_17_                 its 17th trial: prefix of each of its tables and keys
//   holdfast_1a2b3c4d_17_insert_lease     a table
//
// Other users may choose similar names. So a name counts as holdfast's only if it matches exactly, byte by byte; a
// longer one is foreign. A matching name alone is not sufficient either: Sandbox describes the mark that a table or key
// needs.

bool is_run_name(std::string_view name);
bool is_trial_prefix(std::string_view name);
bool is_our_table(std::string_view name);

// The run in a trial's prefix or a table's name.
std::string run_of(std::string_view name);

// An SQL identifier in backticks, or the server's own quotes, doubled inside.
std::string quoted_name(std::string_view name, char quote = '`');

// A run's sandbox on a user's own server: only what its trials create there is removed again, also after a failed trial
// or an interrupt. After kill -9 the next run with the same target does it, or `holdfast clean --target`.
//
//   auto place = open_sandbox(parse_target(url), new_run_name());     // throws Unavailable: nothing was created
//   Target there = place->begin_trial(plan, 80'000);                 // there.prefix is this trial's own
//   ... the trial ...
//   place->end_trial(there);
//   for (const auto& line : place->close()) tell(line);
//
// Names: every table and key begins with holdfast_RUN_TRIAL_, so trials may run in parallel without affecting each
// other or foreign data. A name alone is not proof: a table is holdfast's if its comment says so (kTableSign), a key if
// the register of runs, itself a key (kRegister), lists it. Matching names without a mark are left alone and reported.
// A separate database would be simpler but would need DROP DATABASE on a user's server. Whether a run is still active
// is asked of the server: for tables, by a lock held by a session of its own (table_sandbox.hpp); on Redis by an
// expiring key.
//
// The prefix is added to a lock's statements when they are read, so the files stay pasteable. The mark is created with
// the table by CREATE TABLE, or before the key, so nothing exists without one.

// Findings of ended runs.
struct Sweep {
  std::vector<std::string> done;     // readable: what was removed, and what was left alone, with reasons
  std::vector<std::string> foreign;  // names that only resemble holdfast's; foreign text
};

// Text about what was left alone because it is foreign. Empty if nothing was.
std::string told(const std::vector<std::string>& foreign);

// Name and version of the server, for display.
std::string named(const std::string& name);

class Sandbox {
 public:
  virtual ~Sandbox() = default;
  virtual const Target& target() const = 0;
  virtual Target begin_trial(const Plan& plan, std::int64_t longest_ms) = 0;  // HarnessError
  virtual void end_trial(const Target& there) = 0;                            // HarnessError
  virtual std::vector<std::string> close() = 0;  // what could not be removed, with instructions for doing it by hand
  virtual Sweep sweep() = 0;                     // removes what ended runs left
};

std::string new_run_name();  // "holdfast_1a2b3c4d"

// Throws Unavailable if the server cannot be reached, refuses the login, or does not let this user create and remove
// what a run needs; the text is one line without a password.
std::unique_ptr<Sandbox> open_sandbox(const Target& target, const std::string& run);

// place.sweep(), with failures as Unavailable.
Sweep swept(Sandbox& place);

// For cleaning only: does not test what a run would need.
std::unique_ptr<Sandbox> visit_sandbox(const Target& target);

}  // namespace holdfast
