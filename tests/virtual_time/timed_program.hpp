// A program that is run in virtual time, with what it printed and what the timekeeper saw.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "artifact/units.hpp"
#include "virtual_time/timekeeper.hpp"

namespace holdfast {

// For a shell; a path without a quote.
inline std::string quoted(const std::string& path) {
  return "'" + path + "'";
}

struct TimedProgram {
  // Through a shell, so that the clock has to follow an execve. `words` hold nothing that a shell reads otherwise.
  explicit TimedProgram(const std::string& words, const TimeFlaws& flaws = {}) : keeper(flaws) {
    const std::string file = std::string(std::getenv("HOLDFAST_VIRTUAL_TIME_TEST_FOLDER")) + "/printed";
    const std::int64_t begin_ns = keeper.now_ns();
    status = keeper.run_until_ended(keeper.start({"/bin/sh", "-c", words + " > " + file + " 2>&1"}));
    passed_ns = keeper.now_ns() - begin_ns;
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    printed = text.str();
  }
  bool succeeded() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

  Timekeeper keeper;
  int status = 0;
  std::int64_t passed_ns = 0;
  std::string printed;
};

}  // namespace holdfast
