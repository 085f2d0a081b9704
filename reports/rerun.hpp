// The command that runs one cell again, as pasted into a shell: the run's own command, narrowed to the cell.
//
//   holdfast run scenarios/quick --seed 42 --only nowait_lease/skew
#pragma once

#include <string>
#include <string_view>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// `word` as one argument of a POSIX shell, quoted only where it must be.
std::string shell_word(std::string_view word);

std::string rerun_command(const RunVerdict&, const Cell&);

}  // namespace holdfast
