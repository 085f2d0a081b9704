// An adapter that does not keep to the protocol, or ended when no one ended it: an error of the harness, never a
// violation of the lock and never a pass. The text says what happened, shows the line if there is one, how the program
// ended, and what it said last on its standard error.
#pragma once

#include <string>
#include <vector>

#include "artifact/error.hpp"

namespace holdfast {

// The parts of such an error: a trial prints them in one line, `adapter check` one below the other and in full.
struct AdapterFailure {
  std::string happened;
  std::vector<std::string> said{};  // its last lines on standard error
  std::string remedy{};             // empty: `adapter check` shows more
  bool starved = false;             // a limit was reached although it got hardly any processor
};

struct AdapterError : HarnessError {
  using HarnessError::HarnessError;  // `failure` is empty then
  AdapterError(const std::string& adapter, AdapterFailure parts);

  AdapterFailure failure;
};

// Lines of standard error in one: the last few, without the frames of a stack, each clipped; empty: there are none.
//
//   "Error: Cannot find module 'x' | Require stack: | - /my_lock/lock.js (9 stack frames left out)"
std::string in_one_line(const std::vector<std::string>& lines);

}  // namespace holdfast
