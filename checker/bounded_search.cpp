#include "checker/bounded_search.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace holdfast {
namespace {

constexpr std::size_t kNotKept = ~std::size_t{0};
constexpr std::uint32_t kNobody = ~std::uint32_t{0};

using State = std::tuple<std::uint64_t, std::uint32_t, int>;  // placed, holder, depth

class Search {
 public:
  Search(const Searched& operations, bool reentrant) : operations_(operations), reentrant_(reentrant) {}

  BoundedSearch::Answer run() {
    std::vector<State> todo{{0, kNobody, 0}};
    while (!todo.empty()) {
      const State state = todo.back();
      todo.pop_back();
      if (!seen_.insert(state).second) continue;
      if (seen_.size() > kMostStates) return BoundedSearch::Answer::unknown;
      if (!extend(state, todo)) return BoundedSearch::Answer::possible;
    }
    return BoundedSearch::Answer::impossible;
  }

 private:
  // False when all that was answered is placed.
  bool extend(const State& state, std::vector<State>& todo) const {
    const std::uint64_t placed = std::get<0>(state);
    std::int64_t deadline_ns = kNever;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if ((placed >> i & 1) == 0) deadline_ns = std::min(deadline_ns, operations_[i].answered_ns);
    }
    if (deadline_ns == kNever) return false;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if ((placed >> i & 1) != 0 || operations_[i].invoked_ns > deadline_ns) continue;
      State next = state;
      std::get<0>(next) |= std::uint64_t{1} << i;
      if (apply(operations_[i], std::get<1>(next), std::get<2>(next))) todo.push_back(next);
    }
    return true;
  }

  bool apply(const SearchedOperation& o, std::uint32_t& holder, int& depth) const {
    const bool mine = holder == o.process;
    if (o.said == EventType::fail) return o.acquire ? holder != kNobody : !mine;
    if (!o.acquire) {
      if (mine && --depth == 0) holder = kNobody;
      return mine;
    }
    if (mine && reentrant_) return ++depth, true;
    if (holder != kNobody) return false;
    holder = o.process;
    depth = 1;
    return true;
  }

  const Searched& operations_;
  bool reentrant_;
  std::set<State> seen_;
};

bool refusal(const SearchedOperation& o) {
  return o.acquire && o.said == EventType::fail;
}

Searched without_refusals(Searched operations) {
  operations.erase(std::remove_if(operations.begin(), operations.end(), refusal), operations.end());
  return operations;
}

// Without a refusal, or without a hold: an acquire and what its process did until its next one.
Searched without(const Searched& operations, std::size_t which) {
  const SearchedOperation& first = operations[which];
  bool inside = false;
  Searched rest;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const SearchedOperation& o = operations[i];
    if (o.process == first.process && o.acquire && !refusal(o)) inside = i == which;
    const bool left_out = refusal(first) ? i == which : inside && o.process == first.process && !refusal(o);
    if (!left_out) rest.push_back(o);
  }
  return rest;
}

}  // namespace

void BoundedSearch::event(const Event& event) {
  if (event.actor != Actor::client || (event.op != Op::acquire && event.op != Op::release)) return;
  if (event.key >= keys_.size()) keys_.resize(event.key + 1);
  if (event.process >= open_.size()) open_.resize(event.process + 1, kNotKept);
  Key& key = keys_[event.key];
  if (key.too_many) return;
  if (event.type == EventType::invoke) {
    key.too_many = key.operations.size() == kMostSearched;
    if (key.too_many) return;
    open_[event.process] = key.operations.size();
    key.operations.push_back({event.process, event.client, event.op == Op::acquire, EventType::info, event.time_ns,
                              kNever, event.index, event.index});
    return;
  }
  if (open_[event.process] == kNotKept || event.type == EventType::info) return;
  SearchedOperation& o = key.operations[open_[event.process]];
  o.said = event.type;
  o.answered_ns = event.time_ns;
  o.index = event.index;
  const Reason telling = event.op == Op::acquire ? Reason::busy : Reason::not_held;
  if (event.type != EventType::fail || event.reason == telling) return;
  o.invoked_ns = o.answered_ns = kNever;  // surely had no effect, and says nothing
}

BoundedSearch::Answer BoundedSearch::search(const Searched& operations) const {
  return Search(operations, reentrant_).run();
}

BoundedSearch::Refusals BoundedSearch::refusals(std::uint32_t key) const {
  if (key >= keys_.size() || keys_[key].too_many) return {};
  Searched operations = keys_[key].operations;
  operations.erase(
      std::remove_if(operations.begin(), operations.end(), [](const auto& o) { return o.invoked_ns == kNever; }),
      operations.end());
  // What is impossible without its refusals is another property's.
  if (search(without_refusals(operations)) != Answer::possible) return {Answer::possible, {}};
  const Answer answer = search(operations);
  if (answer != Answer::impossible) return {answer, {}};
  return {answer, smallest(std::move(operations))};
}

Searched BoundedSearch::smallest(Searched operations) const {
  for (std::size_t i = 0; i < operations.size();) {
    const Searched rest = operations[i].acquire ? without(operations, i) : operations;
    const bool fewer = rest.size() < operations.size();
    if (fewer && search(rest) == Answer::impossible && search(without_refusals(rest)) == Answer::possible) {
      operations = rest;
      i = 0;
    } else {
      ++i;
    }
  }
  return operations;
}

}  // namespace holdfast
