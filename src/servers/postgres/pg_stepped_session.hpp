// One session of a stepped PostgreSQL: what it runs, at which time, and what it holds between two statements.
//
//   PgSteppedSession session(address);
//   Executed e = session.run("UPDATE ...", now_us);
//   if (session.holds()) session.end();
//
// A statement that would wait for another's lock is refused within a millisecond (lock_timeout; an unlucky one waits
// that long and no more), which is told apart from a refusal that it asked for (NOWAIT). In a transaction an error
// would abort all of it, so each statement there has a savepoint of ours, to which one that would wait goes back: it
// has changed nothing, and can be tried again. Any other error aborts the transaction, as it does with real clients; so
// does a wait that is given up, which shows when the session goes on with another statement.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "servers/postgres/pg_connection.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

class PgSteppedSession {
 public:
  explicit PgSteppedSession(PgAddress address) : db_(std::move(address)) {}

  Executed run(const std::string& text, std::int64_t now_us);
  void end();   // as when its connection ends: rolled back, locks gone
  void anew();  // a session of its own beginning
  bool transaction() const { return transaction_; }
  bool holds() const { return transaction_ || !own_locks_.empty(); }
  // Advisory locks of the session: by what is between the brackets, how often it holds each.
  const std::map<std::string, int>& own_locks() const { return own_locks_; }

 private:
  std::string message_of(const std::string& text, std::int64_t now_us) const;
  bool given_up(const std::string& text) const { return transaction_ && !waiting_.empty() && waiting_ != text; }
  void abort();
  void note(const std::string& text, const Executed& executed);

  PgConnection db_;
  bool transaction_ = false;
  std::int64_t begun_us_ = 0;
  std::string waiting_;  // the statement that would wait
  std::map<std::string, int> own_locks_;
};

}  // namespace holdfast
