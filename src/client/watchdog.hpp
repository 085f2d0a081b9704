// A lock's watchdog: while the client holds the lock, a thread with its own connection renews it every third of a
// lease, or at the interval the lock declares. It renews each watched key from the grant until release is called. A
// renewal in flight at the release is not waited for; its answer goes only to the journal. Pausing the process pauses
// the watchdog; when it continues, an overdue renewal is sent immediately.
//
// Renewals are events of the holder's process, marked `background`, in a separate journal because two threads cannot
// write one. This follows the source document: the job never sees the answers, so a granted renewal extends the
// promise, and a refused one does not end the belief.
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
  // A watched key, and the process in whose name renewals are recorded.
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
  std::unique_ptr<DrivenLock> lock_;  // not shared with the client's threads
  std::unique_ptr<Driver> driver_;
  const ControlPage& page_;  // the trial's time 0 is set after clients have started
  std::atomic<std::uint64_t>& numbers_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Due> watched_;  // sorted by time of renewal
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace holdfast
