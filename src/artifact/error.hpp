// The two ways a part of holdfast gives up. Everything that is expected to go wrong inside a trial (a refused lock, a
// lost connection) is a value; these exceptions end the command.
//
//   throw BadInput("scenarios/x.json:12: faults[0].fault: unknown fault 'puase' (did you mean 'pause'?)");
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace holdfast {

// Exit codes of the program, as documented for users (README). `first that applies` is decided in
// src/suite/expectation.hpp.
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

// This machine cannot run what was asked (no namespaces, no server binary). The text names the remedy.
struct Unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The harness itself failed: a fault that did not act, a server that did not start. Never a verdict about a lock.
struct HarnessError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The system's word for an error of its own, and, where a limit was met, which one:
// "Resource temporarily unavailable; remedy: allow more processes (ulimit -u, or the limit of the container)".
std::string system_text(int error);

// The remedy where memory is short: a literal, for where there is no memory left to put a text together.
inline constexpr const char* kMoreMemory = "more memory (ulimit -v, or the limit of the container or control group)";

// What an exception says; what the C++ library throws when a limit is met does not name it.
std::string text_of(const std::exception& error);

}  // namespace holdfast
