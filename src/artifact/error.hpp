// The exceptions that end a command. Expected failures inside a trial (a refused lock, a lost connection) are values
// instead.
//
//   throw BadInput("scenarios/x.json:12: faults[0].fault: unknown fault 'puase' (did you mean 'pause'?)");
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace holdfast {

// Exit codes of the program, as documented for users (README). src/suite/expectation.hpp decides which of several
// applies.
enum ExitCode {
  kExitAsExpected = 0,
  kExitNotAsExpected = 1,
  kExitUsage = 2,
  kExitUndecided = 3,
  kExitUnavailable = 4,
  kExitHarness = 5,
  kExitInterrupted = 130,
};

// The user's input (a flag, a scenario, a history) cannot be used. The text names the file, the line and the remedy.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// This machine cannot run what was requested (no namespaces, no server binary). The text names the remedy.
struct Unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The harness itself failed: a fault did not act, a server did not start. Never a verdict about a lock.
struct HarnessError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The system's text for an error number, with the exceeded limit if there is one: "Resource temporarily unavailable;
// remedy: allow more processes (ulimit -u, or the limit of the container)".
std::string system_text(int error);

// Remedy for a lack of memory: a literal, because building a text may need memory.
inline constexpr const char* kMoreMemory = "more memory (ulimit -v, or the limit of the container or control group)";

// Text of an exception. Names the limit where the C++ library's own text does not.
std::string text_of(const std::exception& error);

}  // namespace holdfast
