// A process that runs a line of the shell.
//
//   const Process busy = shell("while :; do :; done");
#pragma once

#include <string>

#include "lab/process.hpp"

namespace holdfast {

inline Process shell(const std::string& script) {
  Spawn spawn;
  spawn.argv = {"/bin/sh", "-c", script};
  return spawn_process(spawn);
}

}  // namespace holdfast
