// A client process's connection to the lock on MariaDB or MySQL: one, or one for reads and one for writes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "servers/client_access.hpp"
#include "servers/mysql/mysql_connection.hpp"
#include "servers/sql_file.hpp"
#include "servers/statement_file.hpp"
#include "store/session.hpp"

namespace holdfast {

// The address for a connection that runs these statements.
MySqlAddress taking(MySqlAddress address, const SqlFile& statements);

// On a user's own server: tables with a prefix, and kTableSign as their comment.
SqlFile mysql_file(const StatementFile& file, const std::string& prefix = "");

// One connection to a MySQL or MariaDB server that runs statements by name.
class MySqlStatements : public StatementConnection {
 public:
  MySqlStatements(MySqlAddress server, SqlFile statements)
      : connection_(taking(std::move(server), statements)), statements_(std::move(statements)) {}
  void connect() override { connection_.connect(); }
  Reply run(std::string_view statement, Params params) override {
    const auto quote = [this](const std::string& text) { return connection_.quote(text); };
    return connection_.query(statements_.bind(statement, params, quote));
  }
  void close() override { connection_.close(); }
  std::uint64_t id() const override { return connection_.thread_id(); }

 private:
  MySqlConnection connection_;
  SqlFile statements_;
};

enum class SplitTo : std::uint8_t { reader, writer, both };

SplitTo split_to(std::string_view sql);  // by its first word

// One connection split in two, as by a read/write splitter: reads go to one server, writes to another, and statements
// that open or end a transaction to both. Splitters exist in drivers and in proxies; for any lock this is one
// connection, selected by a setting of the load (`reads`).
//
//   SplitStatements db(primary, replica, SqlFile::parse(lock_file("for_update_read_split")));
//   db.run("select", {{"key", "orders"}});  // SELECT ... FOR UPDATE: locks a row on the replica
//
// It uses the first word only, as simple splitters do: a SELECT reads, even a locking one. Better splitters send
// locking reads, and all of a transaction, to the primary; they are not modelled, because they have no visible effect.
//
// When one of the two is lost, the other is closed too: what a transaction did on one side alone is never committed.
// Errors as in session.hpp.
class SplitStatements : public StatementConnection {
 public:
  SplitStatements(MySqlAddress writer, MySqlAddress reader, SqlFile statements);
  void connect() override;
  Reply run(std::string_view statement, Params params) override;
  void close() override;
  std::uint64_t id() const override;  // the writer's; 0: one of the two is not connected

 private:
  Reply send(const std::string& sql);

  MySqlConnection writer_;
  MySqlConnection reader_;
  SqlFile statements_;
};

// Maximum wait of a client's statement for a row lock: less than the connection's own time-out, since an answer is
// definite and a time-out is not.
inline constexpr unsigned kRowLockWait_s = 1;

// Limits of every client's session, whatever its use.
MySqlAddress with_client_limits(MySqlAddress address);

std::unique_ptr<StatementConnection> connect_mysql_client(const StatementFile& file, const ClientAccess& access);

}  // namespace holdfast
