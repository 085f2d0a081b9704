// One session of a stepped MariaDB, its connection, and how its time is set.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "servers/mysql/mysql_connection.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

// Connections of the explorer's sessions to MariaDB, and how their time is set.

// `host`: an address, or the path of a socket. `first_statement`: of each session.
MySqlAddress sql_address(const StoreSpec& spec, const std::string& host, const std::string& database,
                         const std::string& first_statement);

// A client's session: additionally the lock's own isolation level.
std::string first_of_client(const StoreSpec& spec, const std::string& first_statement);

// "SET timestamp = 1893499200.400000; ", for the following statement.
std::string time_setting(std::int64_t time_us);

// One session of a stepped MariaDB: its statements with their times, and what it holds between two statements.
//
//   SqlSession session(address);
//   Executed e = session.run("UPDATE ...", now_us);
//   if (session.holds()) session.end();
//
// A statement that may wait for another session's own lock (GET_LOCK with a time) is asked for without its wait.
// A statement that would wait for a row lock is refused at once by the server (the address's first statement sets
// innodb_lock_wait_timeout = 0); here that is told apart from a refusal that the statement asked for (NOWAIT).

// Matches GET_LOCK and similar functions, whose names are global to the server.
bool of_own_locks(const std::string& sql);

class SqlSession {
 public:
  explicit SqlSession(MySqlAddress address) : connection_(std::move(address)) {}

  Executed run(const std::string& given, std::int64_t now_us);
  void end();                              // as at the end of its connection: rolled back, locks released
  void anew(const std::string& database);  // a new session in that database; failures of either are HarnessError
  bool transaction() const { return transaction_; }
  bool holds() const { return transaction_ || !autocommits_ || !own_locks_.empty(); }
  // GET_LOCK: count of each held lock, by the text between the brackets.
  const std::map<std::string, int>& own_locks() const { return own_locks_; }
  // For each transaction ended since the last call: what it had changed, and whether that was undone; changes outside a
  // transaction count as one.
  std::vector<std::string> take_changes();

 private:
  void note(const std::string& text, const Executed& executed);
  void end_of_transaction(bool undone);

  MySqlConnection connection_;
  std::int64_t time_us_ = -1;  // as set in the server
  bool transaction_ = false;
  bool autocommits_ = true;
  std::string changing_;  // of the transaction
  std::vector<std::string> changes_;
  std::map<std::string, int> own_locks_;
};

}  // namespace holdfast
