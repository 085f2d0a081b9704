// Long histories of a correct lock, for measuring: a few clients of each key always wait for it, and a random one of
// them gets it. Some acquires have no known outcome, and their identities retire.
//
//   MadeHistory made{.operations = 10'000'000, .keys = 100};
//   make_history(made, "jsonl", "history.jsonl");
//
// `shuffled` makes the same history as other programs may write it: each line has its fields in another order and one
// unknown field, keys and processes have arbitrary names, and several events share a time. The same numbers make the
// same file.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast {

constexpr std::int64_t kMadeLease_ns = 1'000'000'000;

struct MadeHistory {
  std::int64_t operations = 0;
  std::uint32_t keys = 1;
  std::uint32_t clients = 5;        // per key
  std::uint32_t indeterminate = 1;  // in a hundred acquires
  bool shuffled = false;
  bool violation = false;  // two hold the first key at the end
};

// `form`: journal, jsonl or edn; false: unknown form. Shuffled: jsonl and edn; a journal has equal times only.
bool make_history(const MadeHistory& made, const std::string& form, const std::string& path);

}  // namespace holdfast
