#include "explore/frontier.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "explore/fingerprint.hpp"

namespace holdfast {

namespace {

// Of what costs as much, a schedule without a fault is the better story: it needs no bad luck.
auto rank(const Cost& cost, const std::vector<Word>& words) {
  return std::tuple(cost.total(), cost.faults, words.size());
}

}  // namespace

std::shared_ptr<const Words> after(std::shared_ptr<const Words> words, const Word& word) {
  return std::make_shared<const Words>(Words{std::move(words), word});
}

std::vector<Word> all_of(const std::shared_ptr<const Words>& words) {
  std::vector<Word> out;
  for (const Words* one = words.get(); one != nullptr; one = one->before.get()) out.push_back(one->word);
  std::reverse(out.begin(), out.end());
  return out;
}

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

}  // namespace holdfast
