// Which time trials live in, as `run`, `try`, `compare` and others are told of it.
#pragma once

#include <CLI/CLI.hpp>

#include "artifact/time_mode.hpp"

namespace holdfast {

void add_time_flag(CLI::App* command, TimeMode& time);

}  // namespace holdfast
