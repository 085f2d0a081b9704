// A client's heartbeat: a thread that does nothing but notice when the client did not run. Whoever stops a process from
// outside (a signal, a debugger, a frozen control group) leaves no trace in it but this gap.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "control/control_page.hpp"

namespace holdfast {

class HeartbeatThread {
 public:
  explicit HeartbeatThread(Heartbeat& shown);  // in the control page
  ~HeartbeatThread();
  HeartbeatThread(const HeartbeatThread&) = delete;
  HeartbeatThread& operator=(const HeartbeatThread&) = delete;

 private:
  void beat();

  Heartbeat& shown_;
  std::mutex mutex_;
  std::condition_variable over_changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace holdfast
