#include "compare/turns.hpp"
#include "lab/workers.hpp"

#include <algorithm>
#include <deque>
#include <mutex>

namespace holdfast {
namespace {

bool stayed_undecided(const TrialResult& result) {
  const auto& all = result.verdict.properties;
  return std::any_of(all.begin(), all.end(), [](const auto& p) { return p.judgement == Judgement::undecided; });
}

class TurnTaker {
 public:
  TurnTaker(const std::vector<Turn>& turns, const std::atomic<bool>& interrupted, Surroundings& surroundings,
            const TurnDone& done)
      : turns_(turns), interrupted_(interrupted), surroundings_(surroundings), done_(done) {
    for (std::size_t i = 0; i < turns.size(); ++i) waiting_.push_back(i);
  }

  void run(int jobs) {
    work(jobs);
    waiting_.assign(again_.begin(), again_.end());
    again_.clear();
    alone_ = true;
    work(1);
  }

 private:
  void work(int jobs) {
    side_by_side(jobs, [this](int) { one_after_the_other(); });
  }

  void one_after_the_other() {
    while (!interrupted_.load()) {
      std::unique_lock guard(mutex_);
      if (waiting_.empty()) return;
      const std::size_t at = waiting_.front();
      waiting_.pop_front();
      guard.unlock();
      const Turn& turn = turns_[at];
      StoredResult met;
      TrialResult result = TrialJob(*turn.options, *turn.scenario, turn.lock, turn.number).run(interrupted_, met);
      surroundings_.met(met.server, met.stalls);
      guard.lock();
      if (interrupted_.load()) return;
      if (!alone_ && stayed_undecided(result)) again_.push_back(at);
      done_(at, std::move(result));
    }
  }

  const std::vector<Turn>& turns_;
  const std::atomic<bool>& interrupted_;
  Surroundings& surroundings_;
  const TurnDone& done_;
  std::mutex mutex_;
  std::deque<std::size_t> waiting_;
  std::vector<std::size_t> again_;
  bool alone_ = false;
};

}  // namespace

void take_turns(const std::vector<Turn>& turns, int jobs, const std::atomic<bool>& interrupted,
                Surroundings& surroundings, const TurnDone& done) {
  TurnTaker(turns, interrupted, surroundings, done).run(jobs);
}

std::vector<TurnPlace> in_turn(std::size_t repetitions, std::size_t scenarios, std::size_t variants) {
  std::vector<TurnPlace> out;
  for (std::size_t r = 0; r < repetitions; ++r) {
    for (std::size_t s = 0; s < scenarios; ++s) {
      for (std::size_t v = 0; v < variants; ++v) out.push_back({r, s, (v + r + s) % variants});
    }
  }
  return out;
}

}  // namespace holdfast
