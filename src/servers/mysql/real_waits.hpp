// The statements of a schedule once more, with waits that are real: while the search runs, a statement that would wait
// for a row lock is refused at once and tried again; here it is left waiting in the server, in the queue in which real
// clients stand, until another session's statement lets it go on.
//
//   std::string other = RealWaits(spec, host).differs(calls);   // empty: every answer was the same
//
// The schedule says which statements wait, and in which order all are sent. One that should wait must not be answered
// within a while; one that should be answered must be. A waiting statement that the schedule gives up (its time is
// over, its session ends) is killed. A deadlock is found by the server itself, which chooses its victim: where it
// chooses another than the schedule did, that is a difference.
//
// Simulated waits cost microseconds, but the queue of real ones is not there. So a find in which statements wait counts
// only if every answer is the same here.
//
// For MariaDB only; nothing waits in Redis. Tables and sessions are its own.
#pragma once

#include <future>
#include <map>
#include <string>
#include <vector>

#include "servers/mysql/mysql_connection.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

class RealWaits {
 public:
  RealWaits(const StoreSpec& spec, const std::string& host);
  ~RealWaits();
  std::string differs(const std::vector<StoreCall>& calls);

 private:
  struct Session {
    explicit Session(MySqlAddress address) : connection(std::move(address)) {}
    MySqlConnection connection;
    std::string waiting;             // the statement that it is in; empty: none
    std::int64_t waiting_at_us = 0;  // and the time that this has
    std::future<Reply> answer;
    bool victim = false;  // of a deadlock, by the server's choice
  };
  std::string step(const StoreCall& call);
  std::string hear(Session& session, const StoreCall& call);
  void send(Session& session, const StoreCall& call);
  void give_up(Session& session);
  void end(Session& session);

  MySqlConnection beside_;
  std::vector<Session> sessions_;
};

}  // namespace holdfast
