// One connection as a read/write splitter makes it of two: what reads goes to one server, what writes to another, and
// what opens or ends a transaction to both. Splitters stand in drivers and in proxies; to the lock this is one
// connection, and it may be any lock's: a setting of the load (`reads`) asks for it.
//
//   SplitStatements db(primary, replica, SqlFile::parse(lock_file("for_update_read_split")));
//   db.run("select", {{"key", "orders"}});  // SELECT ... FOR UPDATE: locks a row of the replica
//
// It looks at the first word only, as plain splitters do: a SELECT reads, even one that locks. Better ones send a
// locking read, and all of a transaction, to the primary; they are not here, for behind them nothing can be seen.
//
// When one of the two is lost the other is closed too: what a transaction did on one side alone is never committed.
// Errors as in statement_connection.hpp.
#pragma once

#include <string>
#include <string_view>

#include "servers/mysql/mysql_connection.hpp"
#include "servers/mysql/sql_file.hpp"
#include "store/statement_connection.hpp"

namespace holdfast {

enum class SplitTo : std::uint8_t { reader, writer, both };

SplitTo split_to(std::string_view sql);  // by its first word

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

}  // namespace holdfast
