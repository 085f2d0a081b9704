// Our place on a server of the user's own, for one run, and the names of what is made there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/plan.hpp"
#include "servers/target.hpp"

namespace holdfast {

// The names of what holdfast makes on a server of the user's own, and how a name is written into a statement.
//
//   holdfast_1a2b3c4d                     a run
//   holdfast_1a2b3c4d_17_                 its 17th trial: what every table and key of it begins with
//   holdfast_1a2b3c4d_17_insert_lease     a table
//
// Others choose their names as they like, also to look like ours. So a name counts as ours only if it is one byte by
// byte, from its first to its last; what merely begins like ours is somebody else's. Having such a name is not enough
// either: see Sandbox for the sign that a table or key needs.

bool is_run_name(std::string_view name);
bool is_trial_prefix(std::string_view name);
bool is_our_table(std::string_view name);

// Of a trial's prefix or a table of ours: the run.
std::string run_of(std::string_view name);

// As an identifier of SQL: in backticks, or what else the server takes, those within it doubled.
std::string quoted_name(std::string_view name, char quote = '`');

// Our place on a server of the user's own, for one run: what its trials make there, and nothing else, is taken away
// again, also after a trial that failed and after an interrupt. After kill -9 the next run with the same target does
// it, or `holdfast clean --target`.
//
//   auto place = open_sandbox(parse_target(url), new_run_name());     // Unavailable: nothing was made
//   Target there = place->begin_trial(plan, 80'000);                 // there.prefix is this trial's own
//   ... the trial ...
//   place->end_trial(there);
//   for (const auto& line : place->close()) tell(line);
//
// Names: every table and key of ours begins with holdfast_RUN_TRIAL_, so trials never meet each other nor anybody else,
// and may run side by side. A name alone proves nothing: a table is ours when its comment says so (kTableSign), a key
// when the register of runs, itself a key (kRegister), has it. What has such a name and no sign is left alone, and
// told. A database of our own would be simpler, but would mean DROP DATABASE on a user's server. Whether a run is at
// work still is asked of the server: where it has tables, by a lock that a session of its own holds
// (table_sandbox.hpp); on Redis by a key that expires.
//
// The prefix is put into a lock's statements as they are read: the files stay as people paste them. The sign comes with
// CREATE TABLE itself, or before the key, so that nothing of ours is ever without one.

// What was found of runs that have ended.
struct Sweep {
  std::vector<std::string> done;     // for people: what was removed, and what was left alone, and why
  std::vector<std::string> foreign;  // names that begin like ours and are not ours: somebody else's words
};

// For people: what was left alone because it is not ours. Empty where nothing was.
std::string told(const std::vector<std::string>& foreign);

// A name of the server's, for people.
std::string named(const std::string& name);

class Sandbox {
 public:
  virtual ~Sandbox() = default;
  virtual const Target& target() const = 0;
  virtual Target begin_trial(const Plan& plan, std::int64_t longest_ms) = 0;  // HarnessError
  virtual void end_trial(const Target& there) = 0;                            // HarnessError
  virtual std::vector<std::string> close() = 0;  // what could not be taken away, and how to do it by hand
  virtual Sweep sweep() = 0;                     // takes away what ended runs had left
};

std::string new_run_name();  // "holdfast_1a2b3c4d"

// Throws Unavailable when the server cannot be reached, refuses the login, or does not let this user make and remove
// what a run needs; the text is one line, and has no password.
std::unique_ptr<Sandbox> open_sandbox(const Target& target, const std::string& run);

// place.sweep(), with its failures as Unavailable.
Sweep swept(Sandbox& place);

// For a user who only cleans: without trying what a run would need.
std::unique_ptr<Sandbox> visit_sandbox(const Target& target);

}  // namespace holdfast
