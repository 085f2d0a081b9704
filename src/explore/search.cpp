#include "explore/search.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "artifact/error.hpp"
#include "explore/fingerprint.hpp"
#include "explore/schedule.hpp"
#include "lab/workers.hpp"

namespace holdfast {
namespace {

// A schedule as a linked list from its last word back; schedules share their beginnings.
struct Words {
  std::shared_ptr<const Words> before;
  Word word;
};

std::vector<Word> all_of(const std::shared_ptr<const Words>& words) {
  std::vector<Word> out;
  for (const Words* one = words.get(); one != nullptr; one = one->before.get()) out.push_back(one->word);
  std::reverse(out.begin(), out.end());
  return out;
}

std::shared_ptr<const Words> after(std::shared_ptr<const Words> words, const Word& word) {
  return std::make_shared<const Words>(Words{std::move(words), word});
}

// A schedule to run: from a place by one word, then by everything free.
struct Task {
  std::shared_ptr<const SearchPlace> from;  // null: from the beginning
  std::shared_ptr<const Words> words;       // words that led there
  Word word;
  Cost cost;
};

class Frontier {
 public:
  Frontier() { levels_[0].push_back({}); }

  std::optional<Task> next();  // waits while others may still add to this level; empty: all is done, or closed
  void done();                 // with the task returned by next()
  void add(std::vector<Task> tasks);
  void close();

  // Returns true if the state was reached before with at least as much left to spend.
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
  std::unordered_map<std::uint64_t, Cost> seen_;            // by state: spent cost when it was reached
  std::unordered_multimap<std::uint64_t, Cost> seen_also_;  // further costs; few states have any
  std::unordered_map<std::uint64_t, Find> finds_;           // by invariant and story
};

// Among equal costs, a schedule without a fault is preferred, since it needs no bad luck.
auto rank(const Cost& cost, const std::vector<Word>& words) {
  return std::tuple(cost.total(), cost.faults, words.size());
}

// Returns whether this part runs the schedule. A part has the schedules that begin with certain branches off the first
// one, which all parts run.
bool is_of_part(const SearchLimits& limits, const std::vector<Word>& words, const Word& branch) {
  if (limits.parts < 2) return true;
  return Fingerprint().add(to_text(words)).add(to_text(branch)).value() % limits.parts == limits.part;
}

constexpr double kSystematic = 0.8;  // share of the budget
// one schedule in this many is run from its beginning for comparison
constexpr std::uint64_t kSchedulesPerProof = 1024;

class Search {
 public:
  explicit Search(const SearchLimits& limits) : limits_(limits), begin_(seconds_now(limits)) {}

  SearchResult run(const std::vector<SearchWorld*>& worlds) {
    side_by_side(static_cast<int>(worlds.size()), [this, &worlds](int number) {
      const auto at = static_cast<std::size_t>(number);
      guarded(*worlds[at], at);
    });
    if (failure_) std::rethrow_exception(failure_);
    SearchResult out;
    frontier_.fill(out);
    out.stopped = stopped_;
    out.walks = walks_;
    out.first = first_;
    out.seconds = since_begin();
    return out;
  }

 private:
  double since_begin() const { return seconds_now(limits_) - begin_; }

  bool over(double share) {
    if (limits_.stop && limits_.stop()) stopped_ = true;
    return stopped_ || since_begin() > share * limits_.budget_s;
  }

  void guarded(SearchWorld& world, std::size_t worker) {
    try {
      work(world, worker);
    } catch (...) {
      const std::lock_guard guard(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
      stopped_ = true;
      frontier_.close();
    }
  }

  void work(SearchWorld& world, std::size_t worker) {
    while (auto task = frontier_.next()) {
      run_task(world, *task);
      frontier_.done();
      if (over(kSystematic)) {
        cut_ = true;
        frontier_.close();
      }
    }
    std::mt19937_64 random(limits_.seed + worker + limits_.part);
    while (cut_ && !stopped_ && (walks_ == 0 || !over(1))) walk(world, random);  // at least one
  }

  void begin_with(SearchWorld& world, Task& task) {
    if (!task.from) return world.reset();
    take_again(world, *task.from, task.word);
    task.words = after(task.words, task.word);
    if (limits_.merge && limits_.prove && ++begun_ % kSchedulesPerProof == 0) prove(world, all_of(task.words));
  }

  // Every stored word was possible at its place.
  static void take_again(SearchWorld& world, const SearchPlace& from, const Word& word) {
    world.go_to(from);
    try {
      world.take(word);
    } catch (const BadInput& refused) {
      throw HarnessError("'" + to_text(word) + "' is no longer possible where it was: " + refused.what());
    }
  }

  // Verifies that a place equals the result of its words.
  static void prove(SearchWorld& world, const std::vector<Word>& words) {
    const std::uint64_t state = world.state();
    try {
      world.reset();
      for (const auto& word : words) world.take(word);
    } catch (const BadInput& refused) {
      throw HarnessError("'" + to_text(words) + "' is no longer possible: " + refused.what());
    }
    if (world.state() != state) throw HarnessError("'" + to_text(words) + "' leads to a different state than before");
  }

  // Takes its word, then everything free, and stores the other choices for later.
  void run_task(SearchWorld& world, Task& task) {
    begin_with(world, task);
    const bool is_first = !task.from;
    bool merged = false;
    while (!ended_badly(world)) {
      if (limits_.merge && frontier_.known(world.state(), task.cost)) {
        merged = true;
        break;
      }
      const auto options = world.options();
      if (options.empty()) {
        world.finish();
        break;
      }
      keep_others(world, task, options);
      world.take(options.front().word);
      task.words = after(task.words, options.front().word);
    }
    report(
        world, [&task] { return all_of(task.words); }, task.cost);
    if (is_first) first_ = all_of(task.words);
    if (!is_first || limits_.part == 0) frontier_.count(merged);
  }

  template <class Words>
  void report(const SearchWorld& world, const Words& words, const Cost& cost) {
    for (const auto& violation : world.violations()) {
      frontier_.report({violation, words(), cost, violation.severe ? world.story() : 0});
    }
  }

  void keep_others(SearchWorld& world, const Task& task, const std::vector<Option>& options) {
    std::vector<Task> others;
    for (std::size_t i = 1; i < options.size(); ++i) {
      const Cost cost = task.cost + options[i].cost;
      if (!cost.within(limits_.bounds)) continue;
      if (!task.from && !is_of_part(limits_, all_of(task.words), options[i].word)) continue;
      if (others.empty()) others.reserve(options.size());
      others.push_back({others.empty() ? world.here() : others.front().from, task.words, options[i].word, cost});
    }
    frontier_.add(std::move(others));
  }

  void walk(SearchWorld& world, std::mt19937_64& random) {
    Cost cost;
    std::vector<Word> words;
    world.reset();
    while (!ended_badly(world)) {
      auto options = world.options();
      if (options.empty()) {
        world.finish();
        break;
      }
      options.erase(std::remove_if(options.begin(), options.end(),
                                   [&](const Option& o) { return !(cost + o.cost).within(limits_.bounds); }),
                    options.end());
      // If everything is free, all choices are equal; otherwise prefer continuing, so that the walk does not spend
      // everything at its beginning.
      const bool spend = random() % 4 == 0;
      const Option& chosen = spend ? options[random() % options.size()] : options.front();
      cost = cost + chosen.cost;
      words.push_back(chosen.word);
      world.take(chosen.word);
    }
    report(
        world, [&words] { return words; }, cost);
    ++walks_;
  }

  const SearchLimits& limits_;
  const double begin_;
  Frontier frontier_;
  std::atomic<bool> stopped_{false};
  std::atomic<bool> cut_{false};
  std::atomic<std::uint64_t> walks_{0};
  std::atomic<std::uint64_t> begun_{0};
  std::vector<Word> first_;  // by the one worker that runs it, before there is other work
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

std::optional<Task> Frontier::next() {
  std::unique_lock guard(mutex_);
  while (!closed_) {
    auto& here = levels_[level_];
    if (!here.empty()) {
      Task task = std::move(here.back());
      here.pop_back();
      ++active_;
      return task;
    }
    if (active_ > 0) {
      changed_.wait(guard);
      continue;
    }
    levels_.erase(level_);
    ++level_;
    if (levels_.empty()) closed_ = complete_ = true;
  }
  changed_.notify_all();
  return std::nullopt;
}

void Frontier::done() {
  const std::lock_guard guard(mutex_);
  --active_;
  changed_.notify_all();
}

void Frontier::add(std::vector<Task> tasks) {
  if (tasks.empty()) return;
  const std::lock_guard guard(mutex_);
  for (auto& task : tasks) levels_[task.cost.total()].push_back(std::move(task));
  changed_.notify_all();
}

void Frontier::close() {
  const std::lock_guard guard(mutex_);
  closed_ = true;
  changed_.notify_all();
}

bool Frontier::known(std::uint64_t state, const Cost& spent) {
  const std::lock_guard guard(mutex_);
  const auto [first, fresh] = seen_.emplace(state, spent);
  if (fresh) return false;
  if (first->second.within(spent)) return true;
  const auto [begin, end] = seen_also_.equal_range(state);
  if (std::any_of(begin, end, [&](const auto& other) { return other.second.within(spent); })) return true;
  seen_also_.emplace(state, spent);
  return false;
}

void Frontier::report(Find find) {
  const std::uint64_t kind = Fingerprint(find.story).add(find.violation.invariant).value();
  const std::lock_guard guard(mutex_);
  const auto known = finds_.find(kind);
  if (known == finds_.end()) {
    finds_.emplace(kind, std::move(find));
  } else if (rank(find.cost, find.words) < rank(known->second.cost, known->second.words)) {
    known->second = std::move(find);
  }
}

void Frontier::count(bool merged) {
  const std::lock_guard guard(mutex_);
  ++schedules_;
  if (merged) ++merged_;
}

void Frontier::fill(SearchResult& out) {
  const std::lock_guard guard(mutex_);
  out.complete = complete_;
  out.levels = level_;
  out.schedules = schedules_;
  out.merged = merged_;
  out.states = seen_.size();
  for (const auto& [cost, tasks] : levels_) out.left += tasks.size();
  for (const auto& [kind, find] : finds_) out.finds.push_back(find);
  std::sort(out.finds.begin(), out.finds.end(), [](const Find& a, const Find& b) {
    return std::tuple(!a.violation.severe, rank(a.cost, a.words), a.violation.invariant, to_text(a.words)) <
           std::tuple(!b.violation.severe, rank(b.cost, b.words), b.violation.invariant, to_text(b.words));
  });
}

}  // namespace

double seconds_now(const SearchLimits& limits) {
  if (limits.clock) return limits.clock();
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

SearchResult search(const std::vector<SearchWorld*>& worlds, const SearchLimits& limits) {
  return Search(limits).run(worlds);
}

}  // namespace holdfast
