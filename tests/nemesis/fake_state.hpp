// State of a fake world, and its reaction to commands: it records them, and applies their effect at once unless
// disabled. Its clock advances when it is read, so that nothing really waits.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "artifact/error.hpp"
#include "nemesis/client_capabilities.hpp"
#include "nemesis/fault.hpp"
#include "servers/administration.hpp"

namespace holdfast {

struct FakeServer {
  ProcessState state = ProcessState::running;
  std::int64_t process = 40;
  std::int64_t offset_ns = 0;
  std::int64_t drift_ppm = 0;
  bool replicates = true;
  bool promoted = false;
  bool apart = false;
  bool dropped = false;  // its entries are
  bool read_only = false;
  std::int64_t drift_since_ns = 0;
};

class FakeState {
 public:
  std::atomic<bool> deaf{false};        // orders have no effect
  std::atomic<bool> deaf_later{false};  // ... from the first wait on: what acted cannot be healed
  std::atomic<bool> closed{false};
  std::string breaks;        // an order that begins so has its effect, and then fails
  bool cannot_here = false;  // failures report that it cannot be done here
  std::function<void()> at_wait = [] {};

  Victims holding;
  Victims wanting;
  std::optional<std::uint32_t> arrives = 2;
  std::optional<std::uint32_t> arrives_at_end = 4;  // for a fault that ends at a point
  Absence why_absent;                               // if no client reached a point
  std::function<bool()> comes_late;                 // true if a client has reached a point; null: at once
  std::optional<std::uint32_t> waits_in_statement;  // a client whose statements are not answered
  std::atomic<std::int64_t> load_began_ns{0};       // -1: not yet
  std::atomic<std::int64_t> client_ran_ns{1};       // processor time of each
  std::atomic<std::int64_t> server_ran_ns{1};
  std::atomic<std::int64_t> others_went_on_ns{1};  // for each client's program; -1: never
  Durability durable = Durability::kept;
  Durability durable_without_power = Durability::kept;
  bool keeps_mark = true;
  bool replacements_ask = true;
  std::string comes_back_as = "10.0.1.1";  // a host whose address was given away
  bool follows = true;                     // the replica gets what the server acknowledges
  bool loses_mark = true;                  // ... but not the last, when it is promoted
  std::uint32_t servers_there = 1;
  std::optional<std::uint32_t> leads;        // index of a server
  std::string no_drift;                      // why the servers' clocks cannot
  bool has_session = true;                   // each client, at the lock service
  bool comes_together = true;                // once a server that was cut off is let back
  std::int64_t clock_within_ns = 1'000'000;  // uncertainty of a reading of the server's clock

  std::vector<std::string> told() const {
    const std::lock_guard guard(mutex_);
    return told_;
  }

  // For the parts of the world.
  template <typename Effect>
  bool tell(const std::string& what, std::uint32_t whom, const Effect& effect) {
    const std::lock_guard guard(mutex_);
    told_.push_back(what + " " + std::to_string(whom));
    if (!deaf) effect();
    const bool fails = !breaks.empty() && told_.back().rfind(breaks, 0) == 0;
    if (fails && cannot_here) throw Unavailable("the world cannot");
    if (fails) throw HarnessError("the world broke");
    return !deaf;
  }
  template <typename Value>
  Value look(const std::map<std::uint32_t, Value>& values, std::uint32_t client) const {
    const std::lock_guard guard(mutex_);
    const auto found = values.find(client);
    return found == values.end() ? Value{} : found->second;
  }
  FakeServer server() const {
    const std::lock_guard guard(mutex_);
    return the_server;
  }
  ProcessState state(std::uint32_t client) const { return look(states, client); }
  std::int64_t look_at_clock() const { return time_ns_ += kLook_ns; }
  std::int64_t time_ns() const { return time_ns_; }  // without going on
  bool wait(std::int64_t ms) {
    at_wait();
    if (deaf_later) deaf = true;
    time_ns_ += ms * 1'000'000;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return !closed;
  }

  std::atomic<std::uint32_t> clients_there{5};
  std::map<std::uint32_t, ProcessState> states;
  std::map<std::uint32_t, std::int64_t> lost;                              // replies
  std::map<std::uint32_t, std::int64_t> kept, sent, doubled, thrown_away;  // requests
  std::map<std::uint32_t, std::string> homes;                              // addresses; "none": off the network
  FakeServer the_server;

  mutable std::mutex mutex_;

 private:
  static constexpr std::int64_t kLook_ns = 20'000'000;

  mutable std::atomic<std::int64_t> time_ns_{0};
  std::vector<std::string> told_;
};

}  // namespace holdfast
