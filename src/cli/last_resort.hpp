// Handles failures before, and after, ordinary error handling is possible.
//
//   end_with_a_word();                          // first in main
//   if (const auto why = small_stack()) ...     // before anything that needs a stack
#pragma once

#include <optional>
#include <string>

namespace holdfast {

// From here on, a process that would abort (an exception in a thread or destructor, or no memory for an exception) ends
// with one line and kExitHarness instead. Its children end with it: a lab ends when its pipe closes.
void end_with_a_word();

// Returns why the stack is too small, with the remedy, or nothing. Raises a soft limit if allowed.
std::optional<std::string> small_stack();

}  // namespace holdfast
