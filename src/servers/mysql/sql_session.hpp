// One session of a stepped MariaDB, and how it reaches its server and tells it the time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "servers/mysql/mysql_connection.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

// How the explorer's sessions reach its MariaDB, and tell it the time.

// `host`: an address, or the path of a socket. `first_statement`: of each session.
MySqlAddress sql_address(const StoreSpec& spec, const std::string& host, const std::string& database,
                         const std::string& first_statement);

// A client's session: that, and the isolation level that is the lock's own.
std::string first_of_client(const StoreSpec& spec, const std::string& first_statement);

// "SET timestamp = 1893499200.400000; ", for the statement that follows.
std::string time_setting(std::int64_t time_us);

// One session of a stepped MariaDB: what it runs, at which time, and what it holds between two statements.
//
//   SqlSession session(address);
//   Executed e = session.run("UPDATE ...", now_us);
//   if (session.holds()) session.end();
//
// A statement that may wait for another session's own lock (GET_LOCK with a time) is asked for without its wait.
// A statement that would wait for a row lock is refused at once by the server (the address's first statement sets
// innodb_lock_wait_timeout = 0); here that is told apart from a refusal that the statement asked for (NOWAIT).

// GET_LOCK and its like, whose names are the whole server's.
bool of_own_locks(const std::string& sql);

class SqlSession {
 public:
  explicit SqlSession(MySqlAddress address) : connection_(std::move(address)) {}

  Executed run(const std::string& given, std::int64_t now_us);
  void end();  // as when its connection ends: rolled back, locks gone
  void anew(const std::string&
                database);  // a session of its own beginning, in that database; errors of either are HarnessError
  bool transaction() const { return transaction_; }
  bool holds() const { return transaction_ || !autocommits_ || !own_locks_.empty(); }
  // GET_LOCK: by what is between the brackets, how often it holds each.
  const std::map<std::string, int>& own_locks() const { return own_locks_; }
  // What each transaction that ended since the last call had changed, and whether that was undone; what was changed
  // outside of one counts as one.
  std::vector<std::string> take_changes();

 private:
  void note(const std::string& text, const Executed& executed);
  void end_of_transaction(bool undone);

  MySqlConnection connection_;
  std::int64_t time_us_ = -1;  // that the server has been told
  bool transaction_ = false;
  bool autocommits_ = true;
  std::string changing_;  // of the transaction
  std::vector<std::string> changes_;
  std::map<std::string, int> own_locks_;
};

}  // namespace holdfast
