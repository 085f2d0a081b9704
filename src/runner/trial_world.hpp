// The World that faults see (nemesis/fault.hpp), made of the control page and the client processes of a running trial.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "control/control_page.hpp"
#include "lab/process.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {

class TrialWorld : public World {
 public:
  explicit TrialWorld(ControlPage& page) : page_(page) {}

  // The runner's side.
  void add_client(Process process) { processes_.push_back(std::move(process)); }
  Process& process(std::uint32_t client) { return processes_.at(client); }
  void close() { closing_.store(true); }

  std::int64_t now_ns() const override { return monotonic_ns() - page_.zero_ns; }
  bool closing() const override { return closing_.load(); }
  bool wait_ms(std::int64_t ms) override;
  std::uint32_t clients() const override { return static_cast<std::uint32_t>(processes_.size()); }
  bool signal(std::uint32_t client, int number) override { return processes_.at(client).signal(number); }
  char process_state(std::uint32_t client) const override { return processes_.at(client).state(); }
  void set_clock_offset(std::uint32_t client, std::int64_t ns) override;
  std::int64_t clock_offset_seen(std::uint32_t client) const override;
  Victims holders() const override;
  Victims waiters() const override;
  std::optional<std::uint32_t> wait_arrival(const Moment& at, std::size_t fault_number) override;
  void release(std::size_t fault_number, Release how) override;

 private:
  ControlPage& page_;
  std::vector<Process> processes_;  // by client
  std::atomic<bool> closing_{false};
};

}  // namespace holdfast
