#include "checker/order_search.hpp"

#include <algorithm>
#include <unordered_map>

namespace holdfast {
namespace {

constexpr std::size_t kWindow = 64;
constexpr std::uint32_t kNobody = ~std::uint32_t{0};

// Operations that have happened, the holder, and the earliest time of that.
struct State {
  std::uint64_t first = 0;   // the first answered operation that has not happened
  std::uint64_t behind = 0;  // answered ones from `first` on that have happened
  std::uint64_t used = 0;    // unanswered ones that have happened
  std::uint32_t holder = kNobody;
  std::uint32_t depth = 0;
  std::int64_t now_ns = 0;
  std::int64_t until_ns = 0;  // end of the holder's promise

  bool same_place(const State& o) const {
    return first == o.first && behind == o.behind && used == o.used && holder == o.holder && depth == o.depth;
  }
};

struct PlaceHash {
  std::size_t operator()(const State& s) const {
    std::uint64_t h = s.first * 0x9E3779B97F4A7C15 ^ s.behind;
    h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9 ^ s.used;
    h = (h ^ h >> 31) * 0x94D049BB133111EB ^ (std::uint64_t{s.holder} << 8 | s.depth);
    return static_cast<std::size_t>(h ^ h >> 32);
  }
};
struct SamePlace {
  bool operator()(const State& a, const State& b) const { return a.same_place(b); }
};

class Search {
 public:
  Search(const Searched& operations, const LockRules& rules, std::size_t most_states)
      : rules_(rules), most_states_(most_states) {
    for (const SearchedOperation& o : operations) (o.must() ? answered_ : unanswered_).push_back(o);
    const auto by_call = [](const auto& a, const auto& b) { return a.invoked_ns < b.invoked_ns; };
    std::stable_sort(answered_.begin(), answered_.end(), by_call);
    std::stable_sort(unanswered_.begin(), unanswered_.end(), by_call);
    find_twins();
  }

  OrderFound run() {
    if (unanswered_.size() > kWindow) return OrderFound::unknown;
    push({});
    while (!todo_.empty()) {
      const State state = todo_.back();
      todo_.pop_back();
      if (state.first == answered_.size()) return OrderFound::possible;
      if (looked_at_++ >= most_states_ || !extend(state)) return OrderFound::unknown;
    }
    return OrderFound::impossible;
  }

 private:
  // Finds, for each unanswered acquire of a process without further events, the one before it that is like it.
  void find_twins() {
    twin_.assign(unanswered_.size(), kWindow);
    const auto alone = [&](std::size_t i) {
      const auto same = [&](const SearchedOperation& o) { return o.process == unanswered_[i].process; };
      return unanswered_[i].op == Op::acquire && std::none_of(answered_.begin(), answered_.end(), same) &&
             std::count_if(unanswered_.begin(), unanswered_.end(), same) == 1;
    };
    std::unordered_map<std::int64_t, std::size_t> last;  // by lease
    for (std::size_t i = 0; i < unanswered_.size() && i < kWindow; ++i) {
      if (!alone(i)) continue;
      const auto [before, first] = last.try_emplace(unanswered_[i].lease_ns, i);
      if (first) continue;
      twin_[i] = before->second;
      before->second = i;
    }
  }

  // False where the window is too small.
  bool extend(const State& state) {
    std::int64_t deadline_ns = kNever;
    std::size_t end = state.first;
    for (; end < answered_.size() && answered_[end].invoked_ns <= deadline_ns; ++end) {
      if (end - state.first == kWindow) return false;
      if (!happened(state, end)) deadline_ns = std::min(deadline_ns, answered_[end].answered_ns);
    }
    // An operation that needs neither change nor time happens at once.
    for (std::size_t i = state.first; i < end; ++i) {
      if (happened(state, i) || answered_[i].said != EventType::fail || answered_[i].invoked_ns > state.now_ns)
        continue;
      const bool mine = state.holder == answered_[i].process;
      if (answered_[i].refusal() ? state.holder == kNobody : mine) continue;
      push(after_answered(state, i));
      return true;
    }
    for (std::size_t i = 0; i < unanswered_.size(); ++i) {
      if ((state.used >> i & 1) != 0 || unanswered_[i].invoked_ns > deadline_ns) continue;
      if (twin_[i] != kWindow && (state.used >> twin_[i] & 1) == 0) continue;
      State next = state;
      next.used |= std::uint64_t{1} << i;
      follow(unanswered_[i], next, deadline_ns);
    }
    for (std::size_t i = end; i-- > state.first;) {
      if (!happened(state, i)) follow(answered_[i], after_answered(state, i), deadline_ns);
    }
    return true;
  }

  void follow(const SearchedOperation& o, const State& state, std::int64_t deadline_ns) {
    State next = state;
    if (apply(o, next) && next.now_ns <= deadline_ns) push(next);
    // Its own lease may have been dropped, so that this is a grant like the first.
    State anew = state;
    const bool again =
        rules_.reentrant && o.op == Op::acquire && o.said != EventType::fail && state.holder == o.process;
    if (again && drop(anew) && apply(o, anew) && anew.now_ns <= deadline_ns) push(anew);
  }

  static bool happened(const State& state, std::size_t i) { return (state.behind >> (i - state.first) & 1) != 0; }

  static State after_answered(State state, std::size_t i) {
    state.behind |= std::uint64_t{1} << (i - state.first);
    while ((state.behind & 1) != 0) {
      state.behind >>= 1;
      ++state.first;
    }
    return state;
  }

  // True if a correct lock can do so; updates the state.
  bool apply(const SearchedOperation& o, State& state) const {
    state.now_ns = std::max(state.now_ns, o.invoked_ns);
    const bool mine = state.holder == o.process;
    if (o.refusal()) return state.holder != kNobody;
    if (o.said == EventType::fail) return !mine || drop(state);
    if (o.op == Op::acquire) {
      if (mine && rules_.reentrant) {
        ++state.depth;
      } else {
        if (state.holder != kNobody && !drop(state)) return false;
        state.holder = o.process;
        state.depth = 1;
      }
      state.until_ns = promised(o, state.now_ns);
      return true;
    }
    if (!mine) return false;
    if (o.op == Op::renew) {
      if (o.must() || o.lease_ns != kUnknownLease) state.until_ns = promised(o, state.now_ns);
    } else if (--state.depth == 0) {
      state.holder = kNobody;
      state.until_ns = 0;
    }
    return true;
  }

  std::int64_t promised(const SearchedOperation& o, std::int64_t now_ns) const {
    if (!rules_.lapses) return kNever;
    return o.lease_ns == kUnknownLease ? now_ns : std::min(o.left_ns, promised_to(now_ns, o.lease_ns));
  }

  // Once its lease is over.
  static bool drop(State& state) {
    if (state.until_ns == kNever) return false;
    state.now_ns = std::max(state.now_ns, state.until_ns);
    state.holder = kNobody;
    state.depth = 0;
    state.until_ns = 0;
    return true;
  }

  void push(const State& state) {
    auto& known = known_[state];
    for (const Earliest& one : known) {
      if (one.now_ns <= state.now_ns && one.until_ns <= state.until_ns) return;
    }
    known.push_back({state.now_ns, state.until_ns});
    todo_.push_back(state);
  }

  struct Earliest {
    std::int64_t now_ns = 0;
    std::int64_t until_ns = 0;
  };
  LockRules rules_;
  std::size_t most_states_;
  std::size_t looked_at_ = 0;
  Searched answered_;
  Searched unanswered_;
  std::vector<std::size_t> twin_;  // kWindow: none
  std::vector<State> todo_;
  std::unordered_map<State, std::vector<Earliest>, PlaceHash, SamePlace> known_;
};

}  // namespace

OrderFound find_order(const Searched& operations, const LockRules& rules, std::size_t most_states) {
  return Search(operations, rules, most_states).run();
}

}  // namespace holdfast
