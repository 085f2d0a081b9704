// `--shard` of run, explore and compare: selects this machine's part of the whole, and stores the selection in the
// folder.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/run_flags.hpp"
#include "cli/stored.hpp"
#include "suite/shard.hpp"

namespace holdfast {

CLI::Option* add_shard_flag(CLI::App* command, std::string& shard);

// Parses "2/4", or reads "auto" from the environment. Throws BadInput.
Shard asked_shard(const std::string& text);

// Throws BadInput if shards could not be merged later because each would draw its own seed or make its own first trial.
void check_shardable(const RunFlags& flags);

// Deals the cells and stores the assignment in the manifest. Does nothing if `flags.shard` is empty.
void take_shard(RunFlags& flags, SuiteOptions& options, RunManifest& manifest);

}  // namespace holdfast
