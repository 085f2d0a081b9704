// An adapter that does not keep to the protocol, or ended when no one ended it: an error of the harness, never a
// violation of the lock and never a pass. The text says what happened, shows the line if there is one, how the program
// ended, and what it said last on its standard error.
#pragma once

#include "artifact/error.hpp"

namespace holdfast {

struct AdapterError : HarnessError {
  using HarnessError::HarnessError;
};

}  // namespace holdfast
