#include "explore/schedule.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostWords = 200;

bool violates(const SearchWorld& world, const std::string& invariant) {
  const auto& all = world.violations();
  return std::any_of(all.begin(), all.end(), [&](const Violation& v) { return v.invariant == invariant; });
}

// The words without the fault at that place; for a late statement also without its arrival.
std::vector<Word> without_fault(std::vector<Word> words, std::size_t at) {
  const Word fault = words[at];
  const auto place = words.begin() + static_cast<std::ptrdiff_t>(at);
  if (fault.kind == WordKind::lost || fault.kind == WordKind::late) {
    place->kind = WordKind::step;
  } else {
    words.erase(place);
  }
  if (fault.kind != WordKind::late) return words;
  const Word arrival{WordKind::arrives, fault.actor, 0};
  const auto arrives = std::find(words.begin() + static_cast<std::ptrdiff_t>(at), words.end(), arrival);
  if (arrives != words.end()) words.erase(arrives);
  return words;
}

// Runs the words and continues with free ones; returns all words if they violate the invariant.
std::optional<std::vector<Word>> gone_on(SearchWorld& world, std::vector<Word> words, const std::string& invariant) {
  try {
    run_schedule(world, words, false);
    while (!ended_badly(world) && words.size() < kMostWords) {
      const auto options = world.options();
      if (options.empty()) break;
      words.push_back(options.front().word);
      world.take(options.front().word);
      if (!ended_badly(world) && world.options().empty()) world.finish();
    }
  } catch (const BadInput&) {
    return std::nullopt;  // another word is not possible without the fault
  }
  if (!violates(world, invariant)) return std::nullopt;
  return words;
}

// Looks for the same violation without the fault at that place. The victim needed a step for the fault's effect, such
// as noticing a lost connection, so it also tries leaving out each of its later steps.
std::optional<std::vector<Word>> gone_on_without(SearchWorld& world, const std::vector<Word>& words, std::size_t fault,
                                                 const std::string& invariant) {
  const std::vector<Word> less = without_fault(words, fault);
  auto found = gone_on(world, less, invariant);
  for (std::size_t i = fault; i < less.size() && !found; ++i) {
    if (less[i] != Word{WordKind::step, words[fault].actor, 0}) continue;
    std::vector<Word> tried = less;
    tried.erase(tried.begin() + static_cast<std::ptrdiff_t>(i));
    found = gone_on(world, std::move(tried), invariant);
  }
  return found;
}

std::vector<Word> without_idle_faults(SearchWorld& world, std::vector<Word> words, const std::string& invariant) {
  for (std::size_t i = words.size(); i-- > 0;) {
    if (i >= words.size() || !words[i].is_fault()) continue;
    if (auto less = gone_on_without(world, words, i, invariant)) words = std::move(*less);
  }
  return words;
}

}  // namespace

bool ended_badly(const SearchWorld& world) {
  const auto& all = world.violations();
  return std::any_of(all.begin(), all.end(), [](const Violation& v) { return v.severe; });
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
      run_schedule(world, tried, false);
      return violates(world, invariant);
    } catch (const BadInput&) {
      return false;  // another word is not possible without it
    }
  };
  std::vector<Word> best = without_idle_faults(world, words, invariant);
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

std::optional<Cost> cost_of(SearchWorld& world, const std::vector<Word>& words) {
  Cost cost;
  world.reset();
  for (const auto& word : words) {
    if (ended_badly(world)) break;
    const auto options = world.options();
    const auto offered =
        std::find_if(options.begin(), options.end(), [&](const Option& option) { return option.word == word; });
    if (offered == options.end()) return std::nullopt;
    cost = cost + offered->cost;
    world.take(word);
  }
  return cost;
}

}  // namespace holdfast
