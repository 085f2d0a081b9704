#include "explore/schedule.hpp"

#include <algorithm>

#include "artifact/error.hpp"

namespace holdfast {

bool ended_badly(const SearchWorld& world) {
  const auto& all = world.violations();
  return std::any_of(all.begin(), all.end(), [](const Violation& v) { return v.grave; });
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
