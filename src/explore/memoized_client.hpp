// A simulated client that remembers its turns: in the same state, told the same, it does the same. So the lock's code
// runs once for each state and answer, and everything else is looked up; and a simulated client can be taken up in any
// state it has been in, which a stack cannot.
//
//   MemoizedClient a(simulated_client, memory, [&] { program.run(); });
//   const ClientTurn& first = a.take(kNotBegun, {now_us});
//   const ClientTurn& next = a.take(first.state, {now_us, 0, answer});    // or any state that it ever was in
//
// For something new the program is brought to that state: it begins again and is told all that once led there, and must
// do each time as remembered; if it does not, HiddenState. So what is remembered is proved again all the time.
//
// The memory may be shared by simulated clients of the same number, settings and names, each with a thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <shared_mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/simulated_client.hpp"

namespace holdfast {

inline constexpr std::uint64_t kNotBegun = 0;

class TurnMemory {
 public:
  const ClientTurn* find(std::uint64_t key) const;
  // The one that is kept: another may have been first.
  const ClientTurn& keep(std::uint64_t key, std::uint64_t from, const Told& told, ClientTurn turn);
  std::vector<Told> way_to(std::uint64_t state) const;

 private:
  struct Way {
    std::uint64_t from;
    Told told;
  };
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, ClientTurn> turns_;
  std::unordered_map<std::uint64_t, Way> ways_;  // to a state, from one that was known before it
};

class MemoizedClient {
 public:
  MemoizedClient(std::unique_ptr<SimulatedClient> simulated, std::shared_ptr<TurnMemory> memory,
                 std::function<void()> program)
      : simulated_(std::move(simulated)), memory_(std::move(memory)), program_(std::move(program)) {}

  // Valid as long as the memory; in a direct schedule until the next turn.
  const ClientTurn& take(std::uint64_t from, const Told& told);
  // A schedule that runs the program from its beginning and remembers nothing.
  void direct(bool wanted);
  const SimulatedClient& simulated() const { return *simulated_; }

 private:
  void begin();
  void go_to(std::uint64_t state);

  std::unique_ptr<SimulatedClient> simulated_;
  std::shared_ptr<TurnMemory> memory_;
  std::function<void()> program_;
  std::uint64_t at_ = kNotBegun;
  bool begun_ = false;
  bool direct_ = false;
  ClientTurn last_;  // of a direct schedule
};

}  // namespace holdfast
