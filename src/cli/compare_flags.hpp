// Flags of `holdfast compare`, shared by its two forms (comparison, envelope).
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "artifact/scenario.hpp"
#include "cli/run_flags.hpp"
#include "compare/compare.hpp"

namespace holdfast {

struct CompareFlags : ServerFlags {
  std::vector<std::string> locks;      // each may be several, separated by commas
  std::vector<std::string> scenarios;  // files, folders, or SUITE and SUITE/CELL of the folder scenarios
  std::vector<std::string> settings;   // KEY=VALUE,VALUE
  std::string lease;                   // --set lease_ms=
  std::string baseline;
  std::string shard;  // "2/4"
  std::string out = "runs";
  std::string sabotage;
  std::string envelope;  // FAULT or FAULT.KEY; empty: a comparison
  std::string property;  // of an envelope; empty: all safety properties
  std::int64_t most = 0;
  std::int64_t step = 0;
  std::uint64_t seed = 0;
  bool seed_given = false;
  bool as_written = false;
  int repeat = 0;  // 0: default, which is once for a comparison and three times for an envelope
  int jobs = 0;
  bool json = false;
  bool quiet = false;
};

void add_compare_flags(CLI::App* command, CompareFlags& flags);

// Loads the named scenarios, by default those of scenarios/quick. Throws BadInput with the remedy.
std::vector<Scenario> compared_scenarios(const std::vector<std::string>& words);

std::string compare_command(const CompareFlags& flags, std::uint64_t seed);  // quoted for a shell

// Writes compare.html, and finally compare.json, which marks the folder as complete.
void write_comparison(const Comparison& all, const std::string& folder);
void print_comparison(const Comparison& all, bool json, const std::string& folder);

// Runs `--envelope` (the largest tolerated amount of a fault). Returns the exit code.
int run_envelope(const CompareFlags& flags);

}  // namespace holdfast
