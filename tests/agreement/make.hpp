// Makes small histories by simulating a correct lock, with a slow network in front of it, and changing something in
// half of them afterwards: so about half are legal, and the illegal ones nearly so.
//
// `choose(n)` is the source of chance: from 0 to n - 1 (a generator of random numbers, or RapidCheck's bytes).
#pragma once

#include <functional>

#include "tests/agreement/reference.hpp"

namespace holdfast::agreement {

using Choose = std::function<int(int)>;

constexpr int kMostProcesses = 15;

class Simulation {
 public:
  Simulation(Model model, Choose choose) : model_(model), choose_(std::move(choose)) {}

  Operations run() {
    const int most = 3 + choose_(8);
    const int length = 10 + choose_(50);
    const int players = 2 + choose_(kPlayers - 1);
    told_when_asked_ = one_in(2);
    for (int i = 0; i < kPlayers; ++i) players_[i].process = i;
    for (int time = 1; time <= length; ++time) step(players_[choose_(players)], time, most);
    for (Player& p : players_) {
      if (p.operation >= 0) leave_open(p, kNoAnswer);
    }
    const int more = model_ == Model::plain ? choose_(5) : 0;  // any client's release explains many
    for (int changes = more + choose_(5) - choose_(2); changes > 0; --changes) change();
    if (model_ == Model::lease && one_in(2)) give_away();
    if (of_permits(model_) && one_in(model_ == Model::semaphore ? 2 : 3)) give_away();
    return operations_;
  }

 private:
  static constexpr int kPlayers = 7;
  struct Player {
    int process = 0;
    int operation = -1;  // open; -1: none
    bool placed = false;
    int depth = 0;       // in its own view
    int permits = 0;     // as the lock knows
    int clean_ups = -1;  // -1: its identity is good; else how many clean-up releases it may still send
  };
  bool one_in(int n) { return choose_(n) == n - 1; }

  void step(Player& p, int time, int most) {
    if (p.operation < 0) {
      if (p.clean_ups == 0 && one_in(3)) begin_anew(p);
      if (static_cast<int>(operations_.size()) < most && p.clean_ups != 0) invoke(p, time);
    } else if (!p.placed) {
      wait(p, time);
    } else if (one_in(9)) {
      leave_open(p, one_in(2) ? time : kNoAnswer);
    } else {
      answer(p, time);
    }
  }

  // After an uncertain result the client continues under a new name.
  void begin_anew(Player& p) {
    if (next_process_ == kMostProcesses) return;
    p = {};
    p.process = next_process_++;
  }

  void invoke(Player& p, int time) {
    Operation o;
    o.process = p.process;
    o.does = gives_back(p) ? Does::release : Does::acquire;
    if (renews() && one_in(p.depth > 0 ? 3 : 12)) o.does = Does::renew;
    if (p.clean_ups > 0) o.does = Does::release;
    o.invoked = time;
    o.lease = model_ == Model::lease ? kLease * (one_in(8) ? 2 : 1) : 0;
    o.told_when_asked = told_when_asked_ && model_ == Model::lease && o.does != Does::release;
    o.shared = model_ == Model::read_write && o.does == Does::acquire && one_in(2);
    operations_.push_back(o);
    p.operation = static_cast<int>(operations_.size()) - 1;
    p.placed = false;
  }

  bool renews() const { return model_ != Model::plain && !of_permits(model_); }

  bool gives_back(Player& p) {
    if (model_ == Model::plain) return one_in(2);
    if (p.depth == 0) return one_in(14);
    return model_ == Model::reentrant || model_ == Model::semaphore ? !one_in(3) : !one_in(10);
  }

  void wait(Player& p, int time) {
    const int what = choose_(12);
    if (what == 0) {
      leave_open(p, one_in(2) ? time : kNoAnswer);
    } else if (what == 1 && p.clean_ups < 0) {
      operations_[p.operation].said = Answered::failed;
      operations_[p.operation].answered = time;
      p.operation = -1;
    } else {
      place(p, time);
    }
  }

  // The lock's own moment.
  void place(Player& p, int time) {
    Operation& o = operations_[p.operation];
    if (of_permits(model_)) return place_permit(p, o);
    const bool over = model_ == Model::lease && holder_ >= 0 && expires_ <= time;
    if (over && !one_in(4)) holder_ = -1;  // a lease is valid for its time at least
    const int who = model_ == Model::plain ? 0 : o.process;
    p.placed = true;
    const bool mine = holder_ == who;
    if (o.does == Does::acquire) {
      const bool again = mine && model_ == Model::reentrant;
      o.said = holder_ < 0 || again ? Answered::ok : Answered::refused;
      if (o.said != Answered::ok) return;
      depth_ = again ? depth_ + 1 : 1;
      holder_ = who;
      if (!again) ++token_;
      o.token = model_ == Model::fenced ? token_ : 0;
    } else {
      o.said = mine ? Answered::ok : Answered::refused;
      if (!mine) return;
      if (o.does == Does::release && --depth_ == 0) holder_ = -1;
    }
    expires_ = time + o.lease;
  }

  void place_permit(Player& p, Operation& o) {
    p.placed = true;
    if (o.does == Does::release) {
      o.said = p.permits > 0 ? Answered::ok : Answered::refused;
      if (p.permits == 0) return;
      --p.permits;
      writing_ ? void(writing_ = false) : void(--readers_);
      return;
    }
    const bool semaphore = model_ == Model::semaphore;
    const bool fits = semaphore ? readers_ < kPermits : !writing_ && (o.shared || readers_ == 0);
    o.said = fits ? Answered::ok : Answered::refused;
    if (!fits) return;
    ++p.permits;
    semaphore || o.shared ? void(++readers_) : void(writing_ = true);
  }

  void answer(Player& p, int time) {
    Operation& o = operations_[p.operation];
    o.answered = time;
    if (o.is(Does::acquire, Answered::ok)) ++p.depth;
    if (o.is(Does::release, Answered::ok)) p.depth = std::max(0, p.depth - 1);
    if (o.does != Does::acquire && o.said == Answered::refused) p.depth = 0;
    if (p.clean_ups > 0) --p.clean_ups;
    p.operation = -1;
  }

  void leave_open(Player& p, int time) {
    Operation& o = operations_[p.operation];
    o.said = Answered::nothing;
    o.answered = time;
    o.token = 0;
    // Without an answer the process is stuck; after an `info` it may clean up once, unless this was its clean-up.
    const bool first = p.clean_ups < 0;
    if (first && time != kNoAnswer && o.does == Does::renew) {  // it ends nothing
      p.operation = -1;
      return;
    }
    p.clean_ups = first && time != kNoAnswer && o.does != Does::renew ? choose_(2) : 0;
    p.operation = -1;
    p.depth = 0;
  }

  void change() {
    if (operations_.empty()) return;
    Operation& o = operations_[choose_(static_cast<int>(operations_.size()))];
    if (model_ == Model::fenced && o.token != 0 && one_in(2)) {
      o.token = 1 + choose_(static_cast<int>(token_) + 1);
    } else if (o.said == Answered::ok) {
      o.said = Answered::refused;
      o.token = 0;
    } else if (o.said == Answered::refused) {
      o.said = Answered::ok;
      if (model_ == Model::fenced && o.does == Does::acquire) o.token = 1 + choose_(static_cast<int>(token_) + 2);
    }
  }

  // The refused are granted it, too.
  void give_away() {
    for (Operation& o : operations_) {
      if (o.is(Does::acquire, Answered::refused)) o.said = Answered::ok;
    }
  }

  static constexpr int kLease = 9;  // a multiple of what a coarse clock takes together (judge.hpp)
  int next_process_ = kPlayers;
  bool told_when_asked_ = false;
  Model model_;
  Choose choose_;
  Player players_[kPlayers];
  Operations operations_;
  int holder_ = -1;
  int readers_ = 0;
  bool writing_ = false;
  int depth_ = 0;
  int expires_ = 0;
  std::uint64_t token_ = 0;
};

}  // namespace holdfast::agreement
