// One session of a stepped PostgreSQL: its statements with their times, and what it holds between two statements.
//
//   PgSteppedSession session(address);
//   Executed e = session.run("UPDATE ...", now_us);
//   if (session.holds()) session.end();
//
// A statement that would wait for a lock is refused within a millisecond (lock_timeout), which is distinguished from a
// refusal that it requested (NOWAIT). In a transaction an error would abort everything, so each statement there has a
// savepoint, to which one that would wait is rolled back: it has changed nothing, and can be retried. Any other error
// aborts the transaction, as for real clients; so does an abandoned wait, which becomes visible when the session
// continues with another statement.
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
  void end();   // as at the end of its connection: rolled back, locks released
  void anew();  // replaces it by a new session
  bool transaction() const { return transaction_; }
  bool holds() const { return transaction_ || !own_locks_.empty(); }
  // Session-level advisory locks: count of each held lock, by the text between the brackets.
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
