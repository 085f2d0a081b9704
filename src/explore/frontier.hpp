// What the search has still to run, and what it has seen: shared by its workers.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "explore/search.hpp"

namespace holdfast {

// A schedule to be run: these words, then what costs nothing.
struct Task {
  std::vector<Word> words;
  Cost cost;
};

class Frontier {
 public:
  explicit Frontier(const Cost& bounds) : bounds_(bounds) { levels_[0].push_back({}); }

  std::optional<Task> next();  // waits while others may still add to this level; nothing: all is run, or closed
  void done();                 // with the task that next() gave
  void add(Task task);         // dropped when it is beyond the bounds
  void close();

  // Whether a state may be left: somebody has been there who had no less to spend.
  bool known(std::uint64_t state, const Cost& spent);
  void report(const Violation& violation, const std::vector<Word>& words, const Cost& cost);
  void count(bool merged);

  void fill(SearchResult& out);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Cost bounds_;
  std::map<int, std::vector<Task>> levels_;  // by total cost; the last is taken first
  int level_ = 0;
  int active_ = 0;
  bool closed_ = false;
  bool complete_ = false;
  std::uint64_t schedules_ = 0;
  std::uint64_t merged_ = 0;
  std::unordered_map<std::uint64_t, std::vector<Cost>> seen_;
  std::vector<Find> finds_;
};

}  // namespace holdfast
