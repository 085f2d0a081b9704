// A lock's watchdog: while the client holds the lock, a thread with a connection of its own renews it every third of a
// lease, or as often as the lock says. It renews each key that it is told to watch, from its grant to the call of
// release; a renewal that is on its way then is not waited for, and what it is answered is told to nobody but the
// journal. When the process is stopped, so is the watchdog; when it goes on, the renewal that is overdue is sent at
// once.
//
// Its renewals are events of the holder's process, marked `background`, in a journal of their own, since two threads
// cannot write one. All this is as the source document has it: the job hears nothing of the answers, so a renewal that
// is granted prolongs the promise, and one that is refused ends no belief.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "client/client_session.hpp"
#include "driver/driver.hpp"
#include "history/journal.hpp"
#include "lock/lock.hpp"

namespace holdfast {

class Watchdog {
 public:
  // What it renews, and whose events its renewals are.
  struct Watched {
    Claim claim;
    std::uint32_t key = 0;
    std::uint32_t process = 0;
  };

  Watchdog(const LockType& type, std::unique_ptr<ClientSession> session, std::unique_ptr<JournalWriter> journal,
           const ControlPage& page, std::atomic<std::uint64_t>& numbers);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void watch(const Watched& watched);
  void leave(std::uint32_t key);

 private:
  struct Due {
    Watched watched;
    std::chrono::steady_clock::time_point at;
  };
  void add(const Watched& watched);
  void postpone(const Watched& renewed);
  void loop();
  void renew(Watched watched);
  void tell(Event event);

  const LockType& type_;
  std::unique_ptr<JournalWriter> journal_;  // the session writes to it
  std::unique_ptr<ClientSession> session_;
  std::unique_ptr<DrivenLock> lock_;  // of its own
  std::unique_ptr<Driver> driver_;
  const ControlPage& page_;  // the trial's time 0 is set after the clients are there
  std::atomic<std::uint64_t>& numbers_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Due> watched_;  // the next to be renewed first
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace holdfast
