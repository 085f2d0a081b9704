// A replay file: a schedule and its settings, in a form that people can read and edit.
//
//   # two_holders: A and B both hold the lock, each inside its own lease
//   lock ip_lease
//   schedule A +2s B A B
//
// Every other line is a setting that differs from its default (`clients 3`, `lease_ms 5000`). Lines that begin with #
// are comments.
#pragma once

#include <string>
#include <vector>

#include "explore/explorer.hpp"

namespace holdfast {

struct ReplayFile {
  ExploreSettings settings;
  std::vector<Word> words;
  std::string about;  // written as a comment, not read
};

std::string to_text(const ReplayFile&);
ReplayFile parse_replay(const std::string& text, const std::string& file);  // throws BadInput naming file and line
ReplayFile load_replay(const std::string& file);

}  // namespace holdfast
