// What a process that is started reads, and where what it says goes.
#pragma once

#include "lab/process.hpp"

namespace holdfast {

// A descriptor to become its standard input; -1: it keeps ours. Throws HarnessError.
int open_input(const Spawn& spawn);

// A descriptor for what it says; -1: it goes where ours does. Closes `input` where it throws HarnessError.
int open_log(const Spawn& spawn, int input);

// All descriptors from `first` on will be closed by an execve. Between fork and exec: safe there.
bool close_others_at_exec(unsigned first);

}  // namespace holdfast
