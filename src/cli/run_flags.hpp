// What a run is asked for, on the command line or by the run that is resumed, and the small languages of its flags.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/server_flags.hpp"
#include "suite/suite.hpp"

namespace holdfast {

struct RunFlags : ServerFlags {
  std::vector<std::string> paths;
  std::vector<std::string> locks;  // of a generated suite
  std::vector<std::string> only;
  std::string out = "runs";
  std::string colour = "auto";
  std::string sabotage;
  std::uint64_t seed = 0;
  bool seed_given = false;
  std::string seeds;   // "1..5" or "3,8,13"
  std::string budget;  // "10m"
  std::string resume;  // a run's folder
  int repeat = 1;
  int jobs = 0;
  bool again = false;  // with resume: trials that failed, too
  bool controls = false;
  bool first = false;  // one find is enough
  bool json = false;
  bool quiet = false;
};

// "1..5" -> 1 2 3 4 5; "3,8,13" -> 3 8 13. Each once, at most 100,000; throws BadInput.
std::vector<std::uint64_t> parse_seeds(const std::string& text);

// "90s", "10m", "1h"; throws BadInput.
std::chrono::seconds parse_budget(const std::string& text, const std::string& flag = "--time-budget");

// For numbers without a sign: the parser would take -1 for a very large one.
std::string refuse_negative(const std::string& text);

// The command that repeats this run, as it can be pasted where this one was typed.
std::string rerun_command(const RunFlags& flags, std::uint64_t seed);

}  // namespace holdfast
