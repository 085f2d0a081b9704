// Capabilities of a running trial: time, candidates for faults, and injection points.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>

#include "control/control_page.hpp"
#include "lab/network.hpp"
#include "lab/readiness_probe.hpp"
#include "nemesis/client_capabilities.hpp"
#include "nemesis/world.hpp"
#include "runner/client_roster.hpp"
#include "runner/request_relay.hpp"

namespace holdfast {

// Time-out of the lab's probes.
inline constexpr int kProbe_ms = 250;

// The trial's time, on the monotonic clock of all its programs.
class LabTime : public TrialTime {
 public:
  LabTime(const ControlPage& page, bool skips) : page_(page), skips_(skips) {}

  // The runner's side.
  void begin_load() { load_ns_.store(now_ns()); }
  void close() {
    const std::lock_guard guard(mutex_);
    closing_.store(true);
    closed_.notify_all();
  }

  std::int64_t now_ns() const override { return monotonic_ns() - page_.zero_ns; }
  std::int64_t load_ns() const override { return load_ns_.load(); }
  bool closing() const override { return closing_.load(); }
  bool wait_ms(std::int64_t ms) override {
    std::unique_lock guard(mutex_);
    return !closed_.wait_for(guard, std::chrono::milliseconds(ms), [this] { return closing(); });
  }
  // In skipped time each look wakes a program.
  std::int64_t look_every_ms(std::int64_t ms) const override { return skips_ ? std::max(ms, kSlowLook_ms) : ms; }

 private:
  static constexpr std::int64_t kSlowLook_ms = 50;

  const ControlPage& page_;
  const bool skips_;
  std::mutex mutex_;
  std::condition_variable closed_;
  std::atomic<std::int64_t> load_ns_{-1};
  std::atomic<bool> closing_{false};
};

// Candidates for faults, from the roster and the clients' readings.
class LabCandidates : public Candidates {
 public:
  LabCandidates(ClientRoster& roster, TrialLab& lab, const Plan& plan)
      : roster_(roster), lab_(lab), poll_ms_(plan.load.poll_ms) {}

  std::uint32_t clients() const override { return roster_.started(); }
  std::uint32_t servers() const override { return lab_.servers(); }
  std::optional<std::uint32_t> leader() const override;
  bool gone(std::uint32_t client) const override {
    return process_state(roster_.process(client).state()) == ProcessState::gone;
  }
  Victims holders() const override {
    return roster_.where([](const ClientSlot& slot) { return slot.holding.load() > 0; });
  }
  Victims waiters() const override {
    return roster_.where([&](const ClientSlot& slot) { return waiting(slot, monotonic_ns(), poll_ms_) > 0; });
  }

 private:
  ClientRoster& roster_;
  TrialLab& lab_;
  std::int64_t poll_ms_;
};

PointAction in_process(PointAction action);

// Injection points: in the clients' work as armed points of the control page, at requests as points of the relay.
class LabInjectionPoints : public InjectionPoints {
 public:
  LabInjectionPoints(ControlPage& page, const TrialTime& time, RequestRelay& requests)
      : page_(page), time_(time), requests_(requests) {}

  void arm(const InjectionPoint& at, const std::string& whom, std::size_t point_number) override;
  std::optional<std::uint32_t> wait_arrival(std::size_t point_number) override;
  Absence absence(std::size_t point_number) override;
  bool arrived(std::size_t point_number, std::int64_t within_ms) override;
  void release(std::size_t point_number, PointAction how) override;

 private:
  std::optional<std::uint32_t> wait_request(std::size_t point_number);

  ControlPage& page_;
  const TrialTime& time_;
  RequestRelay& requests_;
  std::set<std::size_t> at_requests_;  // numbers of points; all are armed before any is waited for
};

// The statement gate of the control page.
class LabStatementGate : public StatementGate {
 public:
  explicit LabStatementGate(ControlPage& page) : page_(page) {}

  void gate(std::uint32_t client, bool on) override { holdfast::gate(page_.clients.at(client).gated, on); }
  void give_turn(std::uint32_t client, PointAction how) override {
    holdfast::give_turn(page_.clients.at(client).gated, in_process(how));
  }
  GatedClient gated(std::uint32_t client) const override {
    const Gate& seen = page_.clients.at(client).gated;
    return {seen.on.load() != 0, seen.stands.load() != 0, seen.begun.load(), seen.answered.load()};
  }

 private:
  ControlPage& page_;
};

}  // namespace holdfast
