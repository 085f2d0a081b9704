// Repeats the statements of a schedule with real waits: during the search, a statement that would wait for a row lock
// is refused immediately and retried; here it waits in the server, in the same queue as real clients, until another
// session's statement lets it continue.
//
//   std::string other = RealWaits(make_server(...), 3).differs(calls);   // empty: every answer was the same
//
// The schedule defines which statements wait, and the sending order. The server must show that a statement waits if it
// should, and answer one that should be answered: silence alone proves nothing on a busy machine. A waiting statement
// that the schedule abandons (its time is over, its session ends) is interrupted. If the server resolves a deadlock
// with another victim than the schedule's, that is a difference.
//
// Simulated waits take microseconds but have no real queue. So a find in which statements wait counts only if every
// answer is the same here.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "servers/stepped_store.hpp"

namespace holdfast {

// A session of a real server in which a statement may wait for long. Errors are HarnessError or StatementFailed.
class WaitingSession {
 public:
  virtual ~WaitingSession() = default;
  virtual Reply run(const std::string& text, std::int64_t now_us) = 0;
  virtual bool waits() = 0;      // the server shows its statement waiting for a lock; called from another thread
  virtual void interrupt() = 0;  // its current statement; called from another thread
  virtual void end() = 0;        // as at the end of its connection: rolled back, locks released
};

// A server with the lock's tables, for one schedule; destroyed with everything created for it.
class WaitingServer {
 public:
  virtual ~WaitingServer() = default;
  virtual std::unique_ptr<WaitingSession> open() = 0;
  virtual bool is_deadlock(const Reply& reply) const = 0;
};

class RealWaits {
 public:
  RealWaits(std::unique_ptr<WaitingServer> server, std::size_t sessions);
  ~RealWaits();
  std::string differs(const std::vector<StoreCall>& calls);

 private:
  struct Session {
    std::unique_ptr<WaitingSession> real;
    std::string waiting;             // its current statement; empty: none
    std::int64_t waiting_at_us = 0;  // and its time
    std::future<Reply> answer;
    bool victim = false;  // of a deadlock, chosen by the server
  };
  std::string step(const StoreCall& call);
  std::string hear(Session& session, const StoreCall& call);
  static bool is_answered(Session& session, bool should_wait);
  static void send(Session& session, const StoreCall& call);
  static void give_up(Session& session);
  static void end(Session& session);

  std::unique_ptr<WaitingServer> server_;
  std::vector<Session> sessions_;
};

}  // namespace holdfast
