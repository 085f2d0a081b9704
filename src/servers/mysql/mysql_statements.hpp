// One connection to a MySQL or MariaDB server that runs statements by name.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "servers/mysql/mysql_connection.hpp"
#include "servers/mysql/sql_file.hpp"
#include "store/statement_connection.hpp"

namespace holdfast {

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

}  // namespace holdfast
