// A simulated client that memoizes its turns: in an equal state with equal input it behaves equally. So the lock's code
// runs once for each state and input, and everything else is looked up; and a simulated client can continue from any
// earlier state, which a stack cannot.
//
//   MemoizedClient a(simulated_client, memory, [&] { program.run(); });
//   const ClientTurn& first = a.take(kNotBegun, {now_us});
//   const ClientTurn& next = a.take(first.state, {now_us, 0, answer});    // or any earlier state
//
// For a new input the program is brought to that state: it restarts, gets all inputs that led there, and must behave as
// remembered each time; otherwise HiddenState is thrown. So memoized turns are verified continuously.
//
// Simulated clients with the same number, settings and names may share the memory, each in its own thread.
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
  // Returns the stored turn, since another thread may have been first.
  const ClientTurn& keep(std::uint64_t key, std::uint64_t from, const Told& told, ClientTurn turn);
  std::vector<Told> way_to(std::uint64_t state) const;

 private:
  struct Way {
    std::uint64_t from;
    Told told;
  };
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, ClientTurn> turns_;
  std::unordered_map<std::uint64_t, Way> ways_;  // how a state is reached from an earlier known one
};

class MemoizedClient {
 public:
  MemoizedClient(std::unique_ptr<SimulatedClient> simulated, std::shared_ptr<TurnMemory> memory,
                 std::function<void()> program)
      : simulated_(std::move(simulated)), memory_(std::move(memory)), program_(std::move(program)) {}

  // Valid as long as the memory; in a direct schedule until the next turn.
  const ClientTurn& take(std::uint64_t from, const Told& told);
  // Runs a schedule from its beginning without memoizing.
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
