#include "explore/search.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <random>
#include <thread>

#include "artifact/error.hpp"
#include "explore/frontier.hpp"

namespace holdfast {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kSystematic = 0.8;  // of the budget

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

bool ended_badly(const SearchWorld& world) {
  const auto& all = world.violations();
  return std::any_of(all.begin(), all.end(), [](const Violation& v) { return v.grave; });
}

class Search {
 public:
  explicit Search(const SearchLimits& limits) : limits_(limits), frontier_(limits.bounds) {}

  SearchResult run(const std::vector<SearchWorld*>& worlds) {
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < worlds.size(); ++i)
      threads.emplace_back([this, &worlds, i] { guarded(*worlds[i], i); });
    guarded(*worlds.front(), 0);
    for (auto& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    SearchResult out;
    frontier_.fill(out);
    out.stopped = stopped_;
    out.walks = walks_;
    out.seconds = since(begin_);
    return out;
  }

 private:
  bool over(double share) {
    if (limits_.stop && limits_.stop()) stopped_ = true;
    return stopped_ || since(begin_) > share * limits_.budget_s;
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
    std::mt19937_64 random(limits_.seed + worker);
    while (cut_ && !stopped_ && (walks_ == 0 || !over(1))) walk(world, random);  // one at least
  }

  // Each of them was possible once.
  static void begin_with(SearchWorld& world, const std::vector<Word>& words) {
    world.reset();
    try {
      for (const auto& word : words) world.take(word);
    } catch (const BadInput& refused) {
      throw HarnessError("the schedule '" + to_text(words) + "' went another way than before: " + refused.what());
    }
  }

  // Words first; then on by what is free, keeping the other choices for later.
  void run_task(SearchWorld& world, Task& task) {
    begin_with(world, task.words);
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
      for (std::size_t i = 1; i < options.size(); ++i) {
        Task other{task.words, task.cost + options[i].cost};
        other.words.push_back(options[i].word);
        frontier_.add(std::move(other));
      }
      world.take(options.front().word);
      task.words.push_back(options.front().word);
    }
    for (const auto& violation : world.violations()) frontier_.report(violation, task.words, task.cost);
    frontier_.count(merged);
  }

  void walk(SearchWorld& world, std::mt19937_64& random) {
    Task task;
    world.reset();
    while (!ended_badly(world)) {
      auto options = world.options();
      if (options.empty()) {
        world.finish();
        break;
      }
      options.erase(std::remove_if(options.begin(), options.end(),
                                   [&](const Option& o) { return !(task.cost + o.cost).within(limits_.bounds); }),
                    options.end());
      // Where everything is free every choice is as good; else going on is, or the walk has spent all at its beginning.
      const bool spend = random() % 4 == 0;
      const Option& chosen = spend ? options[random() % options.size()] : options.front();
      task.cost = task.cost + chosen.cost;
      task.words.push_back(chosen.word);
      world.take(chosen.word);
    }
    for (const auto& violation : world.violations()) frontier_.report(violation, task.words, task.cost);
    ++walks_;
  }

  const SearchLimits& limits_;
  Frontier frontier_;
  Clock::time_point begin_ = Clock::now();
  std::atomic<bool> stopped_{false};
  std::atomic<bool> cut_{false};
  std::atomic<std::uint64_t> walks_{0};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

}  // namespace

SearchResult search(const std::vector<SearchWorld*>& worlds, const SearchLimits& limits) {
  return Search(limits).run(worlds);
}

std::vector<Violation> run_schedule(SearchWorld& world, const std::vector<Word>& words, bool go_on) {
  world.reset();
  for (const auto& word : words) {
    if (ended_badly(world)) return world.violations();
    world.take(word);
  }
  while (!ended_badly(world)) {
    const auto options = world.options();
    if (options.empty()) {
      world.finish();
      break;
    }
    if (!go_on) break;
    world.take(options.front().word);
  }
  return world.violations();
}

std::vector<Word> shortened(SearchWorld& world, const std::vector<Word>& words, const std::string& invariant) {
  const auto still = [&](const std::vector<Word>& tried) {
    try {
      const auto all = run_schedule(world, tried, false);
      return std::any_of(all.begin(), all.end(), [&](const Violation& v) { return v.invariant == invariant; });
    } catch (const BadInput&) {
      return false;  // without the word another is not possible
    }
  };
  std::vector<Word> best = words;
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (std::size_t i = best.size(); i-- > 0;) {
      std::vector<Word> tried = best;
      tried.erase(tried.begin() + static_cast<std::ptrdiff_t>(i));
      if (!still(tried)) continue;
      best = tried;
      shorter = true;
    }
  }
  return best;
}

}  // namespace holdfast
