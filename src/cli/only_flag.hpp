// `--only LOCK/SCENARIO` of all commands that select cells, and `--only @FILE` for longer lists.
//
//   # of the last run                     text after # is a comment
//   ip_lease/pause
//   get_lock/*
//
//   add_only_flag(command, flags.only, "Only the cells LOCK/SCENARIO");
//   options.only = flags.only.patterns;
//   options.only_from = flags.only.places;   // names a pattern without matches as cells.txt:2
//
// A run stores long lists of patterns in its folder, so that its repeat command stays readable.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace holdfast {

struct OnlyCells {
  std::vector<std::string> patterns;
  std::map<std::string, std::string> places;  // for patterns from a file: FILE:LINE
};

CLI::Option* add_only_flag(CLI::App* command, OnlyCells& only, const std::string& about);

// Writes many patterns to a file in the run's folder and returns `command` with that file; with few patterns,
// unchanged.
std::string with_patterns_kept(const std::string& command, const OnlyCells& only, const std::string& folder);

}  // namespace holdfast
