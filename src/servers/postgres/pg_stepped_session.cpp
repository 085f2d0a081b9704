#include "servers/postgres/pg_stepped_session.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/server_errors.hpp"
#include "artifact/units.hpp"
#include "servers/postgres/lab_postgres.hpp"
#include "servers/postgres/pg_clock.hpp"
#include "servers/postgres/pg_errors.hpp"
#include "servers/sql_words.hpp"

namespace holdfast {
namespace {

constexpr const char* kStep = "holdfast_step";

bool ends(const std::string& text) {
  const auto is = [&](const char* word) { return begins_with(text, word); };
  return is("COMMIT") || is("ROLLBACK") || is("END") || is("ABORT");
}

// "hashtextextended('orders', 0)" of "SELECT pg_try_advisory_lock(hashtextextended('orders', 0))".
std::string lock_of(const std::string& text) {
  const std::string_view word = "advisory_";
  const auto name = std::search(text.begin(), text.end(), word.begin(), word.end(), same_letter);
  const std::size_t open = text.find('(', static_cast<std::size_t>(name - text.begin()));
  return text.substr(open + 1, text.rfind(')') - open - 1);
}

// Matches session-level advisory locks, not transaction-level ones.
bool of_session_locks(const std::string& sql) {
  return contains_text(sql, "advisory_lock") || contains_text(sql, "advisory_unlock");
}

}  // namespace

// COMMIT and ROLLBACK are sent alone: in an aborted transaction the server accepts nothing else.
std::string PgSteppedSession::message_of(const std::string& text, std::int64_t now_us) const {
  if (ends(text)) return text;
  const std::string clock = clock_setting(now_us, transaction_ ? begun_us_ : now_us);
  if (!transaction_) return clock + text;
  return clock + "SAVEPOINT " + kStep + "; " + text + "; RELEASE SAVEPOINT " + kStep;
}

// Does what the server does to a transaction after a lock time-out.
void PgSteppedSession::abort() {
  const Reply reply = db_.query("SELECT 1 / 0");
  if (reply.ok()) throw HarnessError("the explorer's session could not be aborted");
}

Executed PgSteppedSession::run(const std::string& text, std::int64_t now_us) {
  if (given_up(text)) abort();
  waiting_.clear();
  if (!transaction_) begun_us_ = now_us;
  Executed out;
  out.reply = db_.query(message_of(text, now_us));
  const bool refused = out.reply.error == number_of_sqlstate(kLockNotAvailable) && !has_word(text, "NOWAIT");
  if (refused) {
    out.would_wait = true;
    out.wait_us = kRowLockWait_ms * kMillisecond_us;
    out.reply.affected = 0;
    waiting_ = text;
    const std::string step = kStep;
    if (transaction_) {
      const Reply back = db_.query("ROLLBACK TO SAVEPOINT " + step + "; RELEASE SAVEPOINT " + step);
      if (!back.ok()) throw HarnessError("the explorer's session: " + back.message);
    }
    return out;
  }
  out.read = begins_with(text, "SELECT");
  const bool counts =
      out.read || begins_with(text, "INSERT") || begins_with(text, "UPDATE") || begins_with(text, "DELETE");
  out.changed = out.reply.ok() && (out.reply.affected > 0 || of_session_locks(text) || !counts);
  note(text, out);
  return out;
}

void PgSteppedSession::note(const std::string& text, const Executed& executed) {
  transaction_ = db_.in_transaction();
  if (!executed.reply.ok()) return;
  if (!of_session_locks(text) || executed.reply.rows.empty() || executed.reply.rows[0].empty()) return;
  if (executed.reply.rows[0][0] != "t") return;
  const auto lock = own_locks_.emplace(lock_of(text), 0).first;
  lock->second += contains_text(text, "advisory_unlock") ? -1 : 1;
  if (lock->second <= 0) own_locks_.erase(lock);
}

void PgSteppedSession::end() {
  const Reply reply = db_.query("ROLLBACK; SELECT pg_advisory_unlock_all()");
  if (!reply.ok()) throw HarnessError("the explorer's session could not be ended: " + reply.message);
  own_locks_.clear();
  transaction_ = false;
  waiting_.clear();
}

void PgSteppedSession::anew() {
  db_.close();
  db_.connect();
}

}  // namespace holdfast
