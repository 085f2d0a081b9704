// Starts the program of an adapter, from a process that may have threads: between fork and exec stand only calls that
// are safe there. Whoever needs more than this one call uses AdapterProcess.
#pragma once

#include <sys/types.h>

#include "adapter/adapter_process.hpp"

namespace holdfast {

struct SpawnedAdapter {
  pid_t pid = -1;
  int input = -1;   // to write to; does not block
  int output = -1;  // to read from
};

// Returns when the program has been executed. Throws HarnessError, and Unavailable where it cannot be executed.
SpawnedAdapter spawn_adapter(const AdapterCommand& command);

}  // namespace holdfast
