// What the search has still to run, and what it has seen: shared by its workers.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "explore/search.hpp"

namespace holdfast {

// A schedule, from its last word back; schedules share their beginnings.
struct Words {
  std::shared_ptr<const Words> before;
  Word word;
};
std::shared_ptr<const Words> after(std::shared_ptr<const Words> words, const Word& word);
std::vector<Word> all_of(const std::shared_ptr<const Words>& words);

// A schedule to be run: from a place on by a word, then by what costs nothing.
struct Task {
  std::shared_ptr<const SearchPlace> from;  // nothing: from the beginning
  std::shared_ptr<const Words> words;       // that led there
  Word word;
  Cost cost;
};

class Frontier {
 public:
  Frontier() { levels_[0].push_back({}); }

  std::optional<Task> next();  // waits while others may still add to this level; nothing: all is run, or closed
  void done();                 // with the task that next() gave
  void add(std::vector<Task> tasks);
  void close();

  // Whether a state may be left: somebody has been there who had no less to spend.
  bool known(std::uint64_t state, const Cost& spent);
  void report(Find find);
  void count(bool merged);

  void fill(SearchResult& out);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, std::vector<Task>> levels_;  // by total cost; the last is taken first
  int level_ = 0;
  int active_ = 0;
  bool closed_ = false;
  bool complete_ = false;
  std::uint64_t schedules_ = 0;
  std::uint64_t merged_ = 0;
  std::unordered_map<std::uint64_t, Cost> seen_;            // by state: what was spent to be there
  std::unordered_multimap<std::uint64_t, Cost> seen_also_;  // what else; few states have any
  std::unordered_map<std::uint64_t, Find> finds_;           // by invariant and story
};

}  // namespace holdfast
