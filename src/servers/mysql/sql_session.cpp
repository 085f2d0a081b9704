#include "servers/mysql/sql_session.hpp"

#include <algorithm>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/units.hpp"
#include "servers/mysql/mysql_client.hpp"
#include "servers/mysql/mysql_errors.hpp"
#include "servers/mysql/sql_text.hpp"

namespace holdfast {
namespace {

std::string in_brackets(const std::string& text) {
  const std::size_t begin = text.find('(') + 1;
  return text.substr(begin, text.find_first_of(",)", begin) - begin);
}

// A session may get its lock repeatedly, and must then release it as often. An answer of 1 means success.
void count_own_lock(std::map<std::string, int>& locks, const std::string& text, const Reply& reply) {
  if (reply.rows.empty() || reply.field(0, 0).value_or("") != "1") return;
  const auto lock = locks.emplace(in_brackets(text), 0).first;
  lock->second += contains_text(text, "RELEASE_LOCK(") ? -1 : 1;
  if (lock->second <= 0) locks.erase(lock);
}

}  // namespace

MySqlAddress sql_address(const StoreSpec& spec, const std::string& host, const std::string& database,
                         const std::string& first_statement) {
  MySqlAddress address;
  const bool socket = host.find('/') != std::string::npos;
  (socket ? address.socket : address.host) = host;
  address.database = database;
  address.found_rows = spec.variant == kFoundRows;
  address.several_statements = true;  // a time setting precedes each statement
  address.timeout_s = 10;
  address.first_statements = {first_statement};
  return address;
}

std::string first_of_client(const StoreSpec& spec, const std::string& first_statement) {
  std::string level = spec.isolation;  // "read_committed"
  std::replace(level.begin(), level.end(), '_', ' ');
  return first_statement + "; SET SESSION TRANSACTION ISOLATION LEVEL " + level;
}

std::string time_setting(std::int64_t time_us) {
  const std::string fraction = std::to_string(time_us % 1'000'000 + 1'000'000).substr(1);
  return "SET timestamp = " + std::to_string(time_us / 1'000'000) + "." + fraction + "; ";
}

bool of_own_locks(const std::string& text) {
  return contains_text(text, "GET_LOCK(") || contains_text(text, "RELEASE_LOCK(");
}

Executed SqlSession::run(const std::string& given, std::int64_t now_us) {
  Executed out;
  const auto [text, wait_us] = without_wait(given);
  out.reply = connection_.query(time_us_ == now_us ? text : time_setting(now_us) + text);
  time_us_ = now_us;
  out.wait_us = wait_us;
  out.read = begins_with(text, "SELECT");
  const bool own_lock = wait_us > 0 && out.reply.rows.size() == 1 && out.reply.field(0, 0).value_or("") == "0";
  const bool row_lock = out.reply.error == kLockWaitTimeout && !has_word(text, "NOWAIT");
  out.would_wait = row_lock || own_lock;
  if (row_lock && wait_us == 0) out.wait_us = kRowLockWait_s * kSecond_us;
  const bool counts =
      out.read || begins_with(text, "INSERT") || begins_with(text, "UPDATE") || begins_with(text, "DELETE");
  out.changed = out.reply.ok() && !out.would_wait && (out.reply.affected > 0 || of_own_locks(text) || !counts);
  note(text, out);
  return out;
}

// The server reports whether a transaction is open, since a session without autocommit begins one with any statement.
// There, a refused statement keeps the locks it got before the refusal.
void SqlSession::note(const std::string& text, const Executed& executed) {
  autocommits_ = connection_.autocommits();
  const int error = executed.reply.error;
  if (error == kDeadlock || error == kChangedSinceRead) return end_of_transaction(true);
  if (!executed.reply.ok()) {
    transaction_ = transaction_ || !autocommits_;
    return;
  }
  if (executed.reply.affected > 0) changing_ += text + "; ";
  transaction_ = connection_.in_transaction();
  if (!transaction_) end_of_transaction(begins_with(text, "ROLLBACK"));
  if (of_own_locks(text)) count_own_lock(own_locks_, text, executed.reply);
}

void SqlSession::end_of_transaction(bool undone) {
  transaction_ = false;
  if (!changing_.empty()) changes_.push_back((undone ? "undone: " : "") + std::exchange(changing_, ""));
}

void SqlSession::end() {
  const Reply reply = connection_.query("ROLLBACK; SET autocommit = DEFAULT; DO RELEASE_ALL_LOCKS()");
  if (!reply.ok()) throw HarnessError("the explorer's session could not be ended: " + reply.message);
  own_locks_.clear();
  autocommits_ = true;
  end_of_transaction(true);
}

// Temporary tables, variables and the last assigned number are lost with the connection.
void SqlSession::anew(const std::string& database) {
  connection_.close();
  time_us_ = -1;
  const Reply reply = connection_.query("USE " + database);
  if (!reply.ok()) throw HarnessError("the explorer's session: " + reply.message);
}

std::vector<std::string> SqlSession::take_changes() {
  return std::exchange(changes_, {});
}

}  // namespace holdfast
