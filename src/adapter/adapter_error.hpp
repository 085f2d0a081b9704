// An adapter that violated the protocol or ended unexpectedly: an error of the harness, neither a violation by the lock
// nor a pass. The text says what happened, shows the line if there is one, how the program ended, and the end of its
// standard error.
#pragma once

#include <string>
#include <vector>

#include "artifact/error.hpp"

namespace holdfast {

// The parts of such an error: a trial prints them in one line, `adapter check` one below the other in full.
struct AdapterFailure {
  std::string happened;
  std::vector<std::string> said{};  // last lines on standard error
  std::string remedy{};             // empty: `adapter check` shows more
  bool starved = false;             // a limit was reached although it got hardly any processor
};

struct AdapterError : HarnessError {
  using HarnessError::HarnessError;  // `failure` is empty then
  AdapterError(const std::string& adapter, AdapterFailure parts);

  AdapterFailure failure;
};

// Joins the last lines of standard error into one, without stack frames, each clipped; empty if there are none.
//
//   "Error: Cannot find module 'x' | Require stack: | - /my_lock/lock.js (9 stack frames left out)"
std::string in_one_line(const std::vector<std::string>& lines);

}  // namespace holdfast
