// `--only LOCK/SCENARIO`, wherever cells are chosen; and `--only @FILE`, for more of them than a command line is for.
//
//   # of the last run                     what follows a # is for people
//   ip_lease/pause
//   get_lock/*
//
//   add_only_flag(command, flags.only, "Only the cells LOCK/SCENARIO");
//   options.only = flags.only.patterns;
//   options.only_from = flags.only.places;   // so that one that matches nothing is named as cells.txt:2
//
// A run keeps the patterns in its folder where they are many, so that the command that runs it again can be read.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace holdfast {

struct OnlyCells {
  std::vector<std::string> patterns;
  std::map<std::string, std::string> places;  // of those from a file: FILE:LINE
};

CLI::Option* add_only_flag(CLI::App* command, OnlyCells& only, const std::string& about);

// `command` with its patterns in a file of the run's folder, which is written; as it is, where they are few.
std::string with_patterns_kept(const std::string& command, const OnlyCells& only, const std::string& folder);

}  // namespace holdfast
