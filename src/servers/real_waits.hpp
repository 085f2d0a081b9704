// The statements of a schedule once more, with waits that are real: while the search runs, a statement that would wait
// for a row lock is refused at once and tried again; here it is left waiting in the server, in the queue in which real
// clients stand, until another session's statement lets it go on.
//
//   std::string other = RealWaits(make_server(...), 3).differs(calls);   // empty: every answer was the same
//
// The schedule says which statements wait, and in which order all are sent. The server must show that one waits which
// should wait, and answer one which should be answered: silence alone proves nothing on a busy machine. A waiting
// statement that the schedule gives up (its time is over, its session ends) is interrupted. A deadlock that the server
// finds by itself has a victim of its choosing: where it chooses another than the schedule did, that is a difference.
//
// Simulated waits cost microseconds, but the queue of real ones is not there. So a find in which statements wait counts
// only if every answer is the same here.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "servers/stepped_store.hpp"

namespace holdfast {

// A session of a real server, in which a statement may lie waiting for long. Errors are HarnessError or
// StatementFailed.
class WaitingSession {
 public:
  virtual ~WaitingSession() = default;
  virtual Reply run(const std::string& text, std::int64_t now_us) = 0;
  virtual bool waits() = 0;      // the server shows its statement in a wait for another's lock; from another thread
  virtual void interrupt() = 0;  // the statement that it is in; from another thread
  virtual void end() = 0;        // as when its connection ends: rolled back, locks gone
};

// A server with the lock's tables, for one schedule; what was made for it goes with the object.
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
    std::string waiting;             // the statement that it is in; empty: none
    std::int64_t waiting_at_us = 0;  // and the time that this has
    std::future<Reply> answer;
    bool victim = false;  // of a deadlock, by the server's choice
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
