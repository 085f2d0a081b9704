// `--shard` of run, explore and compare: which part of the whole this machine is to do, from the words of the flag to
// what is kept in the folder.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/run_flags.hpp"
#include "cli/stored.hpp"
#include "suite/shard.hpp"

namespace holdfast {

CLI::Option* add_shard_flag(CLI::App* command, std::string& shard);

// "2/4" as it says, "auto" as the environment says. Throws BadInput.
Shard asked_shard(const std::string& text);

// Throws BadInput where shards could not be merged later: each would draw a seed of its own, or make a suite of its
// own.
void check_shardable(const RunFlags& flags);

// Deals the cells, and keeps in the manifest who has which. With `flags.shard` empty it does nothing.
void take_shard(RunFlags& flags, SuiteOptions& options, RunManifest& manifest);

}  // namespace holdfast
