// Ctrl-C, and a command that is asked to end, are noted, so that it can save what it knows and leave nothing behind; a
// reader that goes away ends nothing.
//
//   const auto& interrupted = catch_interrupts();   // from here on
//   while (!interrupted.load()) ...
#pragma once

#include <atomic>

namespace holdfast {

const std::atomic<bool>& catch_interrupts();

}  // namespace holdfast
