// A player that remembers its turns: in the same state, told the same, it does the same. So the lock's code runs once
// for each state and answer, and everything else is looked up; and a player can be taken up in any state it has been
// in, which a stack cannot.
//
//   RememberedPlayer a(player, memory, [&] { program.run(); });
//   const PlayerTurn& first = a.take(kNotBegun, {now_us});
//   const PlayerTurn& next = a.take(first.state, {now_us, 0, answer});    // or any state that it ever was in
//
// For something new the program is brought to that state: it begins again and is told all that once led there, and must
// do each time as remembered; if it does not, HiddenState. So what is remembered is proved again all the time.
//
// The memory may be shared by players of the same number, settings and names, each with a thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <shared_mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/player.hpp"

namespace holdfast {

inline constexpr std::uint64_t kNotBegun = 0;

class TurnMemory {
 public:
  const PlayerTurn* find(std::uint64_t key) const;
  // The one that is kept: another may have been first.
  const PlayerTurn& keep(std::uint64_t key, std::uint64_t from, const Told& told, PlayerTurn turn);
  std::vector<Told> way_to(std::uint64_t state) const;

 private:
  struct Way {
    std::uint64_t from;
    Told told;
  };
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, PlayerTurn> turns_;
  std::unordered_map<std::uint64_t, Way> ways_;  // to a state, from one that was known before it
};

class RememberedPlayer {
 public:
  RememberedPlayer(std::unique_ptr<Player> player, std::shared_ptr<TurnMemory> memory, std::function<void()> program)
      : player_(std::move(player)), memory_(std::move(memory)), program_(std::move(program)) {}

  // Valid as long as the memory; in a direct schedule until the next turn.
  const PlayerTurn& take(std::uint64_t from, const Told& told);
  // A schedule that runs the program from its beginning and remembers nothing.
  void direct(bool wanted);
  const Player& player() const { return *player_; }

 private:
  void begin();
  void go_to(std::uint64_t state);

  std::unique_ptr<Player> player_;
  std::shared_ptr<TurnMemory> memory_;
  std::function<void()> program_;
  std::uint64_t at_ = kNotBegun;
  bool begun_ = false;
  bool direct_ = false;
  PlayerTurn last_;  // of a direct schedule
};

}  // namespace holdfast
