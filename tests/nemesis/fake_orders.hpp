// What a fake world does with orders: it keeps a list of them, has their effect at once, or is told not to. Its clock
// goes on when it is looked at. The orders themselves are fake_world.hpp's.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "artifact/error.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {

class FakeOrders : public World {
 public:
  std::atomic<bool> deaf{false};        // orders have no effect
  std::atomic<bool> deaf_later{false};  // ... from the first wait on: what acted cannot be healed
  std::atomic<bool> closed{false};
  std::string breaks;  // an order that begins so has its effect, and then fails

  std::optional<std::uint32_t> waits_in_statement;  // a client whose statements are not answered

  std::vector<std::string> told() const {
    const std::lock_guard guard(mutex_);
    return told_;
  }

  std::atomic<std::int64_t> load_began_ns{0};  // -1: not yet

  std::int64_t load_ns() const override { return load_began_ns; }
  std::int64_t now_ns() const override { return time_ns_ += kLook_ns; }
  bool closing() const override { return closed; }
  bool wait_ms(std::int64_t ms) override {
    if (deaf_later) deaf = true;
    time_ns_ += ms * 1'000'000;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return !closed;
  }

  std::int64_t replies_lost(std::uint32_t client) const override { return look(lost_, client); }
  void conduct(std::uint32_t client, bool on) override {
    tell(on ? "conduct" : "let go", client, [&] { conducted_[client].on = conducted_[client].stands = on; });
  }
  void give_turn(std::uint32_t client, Release how) override {
    tell(how == Release::lose_reply ? "turn and loss" : "turn", client, [&] {
      ++conducted_[client].begun;
      if (client != waits_in_statement) ++conducted_[client].answered;
      if (how == Release::lose_reply) ++lost_[client];
    });
  }
  ConductedClient conducted(std::uint32_t client) const override { return look(conducted_, client); }

 protected:
  template <typename Effect>
  bool tell(const std::string& what, std::uint32_t client, const Effect& effect) {
    const std::lock_guard guard(mutex_);
    told_.push_back(what + " " + std::to_string(client));
    if (!deaf) effect();
    if (!breaks.empty() && told_.back().rfind(breaks, 0) == 0) throw HarnessError("the world broke");
    return !deaf;
  }
  template <typename Value>
  Value look(const std::map<std::uint32_t, Value>& values, std::uint32_t client) const {
    const std::lock_guard guard(mutex_);
    const auto found = values.find(client);
    return found == values.end() ? Value{} : found->second;
  }
  std::int64_t time_ns() const { return time_ns_; }  // without going on
  static constexpr std::int64_t kLook_ns = 20'000'000;

  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::int64_t> lost_;

 private:
  mutable std::atomic<std::int64_t> time_ns_{0};
  std::vector<std::string> told_;
  std::map<std::uint32_t, ConductedClient> conducted_;
};

}  // namespace holdfast
