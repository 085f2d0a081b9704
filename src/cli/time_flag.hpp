// Which time trials live in, as `run`, `try` and `replay` take it. Not `compare`: latencies are measured in real time.
#pragma once

#include <CLI/CLI.hpp>

#include "artifact/time_mode.hpp"

namespace holdfast {

void add_time_flag(CLI::App* command, TimeMode& time);

}  // namespace holdfast
