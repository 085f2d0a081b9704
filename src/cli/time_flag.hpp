// Reads `--time` of `run`, `try` and `replay`. `compare` does not have it, because it measures latencies.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>

#include "artifact/time_mode.hpp"

namespace holdfast {

void add_time_flag(CLI::App* command, std::optional<TimeMode>& time);

}  // namespace holdfast
