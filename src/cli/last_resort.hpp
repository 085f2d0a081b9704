// What is done before anything else can fail, and where nothing else can be done any more.
//
//   end_with_a_word();                          // first in main
//   if (const auto why = small_stack()) ...     // before anything that needs a stack
#pragma once

#include <optional>
#include <string>

namespace holdfast {

// From here on a process that would be aborted (an exception in a thread or a destructor, or no memory for an
// exception) ends with one line and kExitHarness instead. What it began ends with it: a lab at the end of its pipe.
void end_with_a_word();

// Why this process has too small a stack, and the remedy; nothing: it has enough. A soft limit that may be raised is.
std::optional<std::string> small_stack();

}  // namespace holdfast
