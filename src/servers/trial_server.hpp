// One server of a trial: its process, which faults may stop, kill and start again. Faults call it from threads of their
// own, beside the runner.
//
//   TrialServer server([&] { return start_mariadb(spec); });
//   server.start();
//   server.when_started([&](Process& p) { wait_for_answer(kLockAddress, kMySqlProbe, p, spec.log, kServerStart_ms); });
//   server.kill(); ... server.restart();      // a fault: on the same data
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "lab/process.hpp"

namespace holdfast {

class TrialServer {
 public:
  explicit TrialServer(std::function<Process()> start) : start_(std::move(start)) {}
  void start();
  void when_started(const std::function<void(Process&)>& wait);

  bool signal(int number) const;
  char state() const;
  std::optional<std::int64_t> stopped_at_ns() const;  // as the process has it
  std::int64_t process_number() const;
  void kill();     // its end is expected from now on
  void restart();  // nothing, unless it was killed

  void watch();  // HarnessError when it has ended by itself
  void stop();   // in the end, so that its processor time is counted

 private:
  std::function<Process()> start_;
  mutable std::mutex mutex_;
  Process process_;
  bool killed_ = false;
};

}  // namespace holdfast
