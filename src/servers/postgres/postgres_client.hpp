// A client process's connection to the lock on PostgreSQL.
#pragma once

#include <memory>
#include <utility>

#include "servers/client_access.hpp"
#include "servers/postgres/pg_connection.hpp"
#include "servers/server_type.hpp"
#include "servers/sql_file.hpp"
#include "store/session.hpp"

namespace holdfast {

// One connection that runs statements by name.
class PgStatements : public StatementConnection {
 public:
  PgStatements(PgAddress server, SqlFile statements)
      : connection_(std::move(server)), statements_(std::move(statements)) {}
  void connect() override { connection_.connect(); }
  Reply run(std::string_view statement, Params params) override {
    const auto quote = [this](const std::string& text) { return connection_.quote(text); };
    return connection_.query(statements_.bind(statement, params, quote));
  }
  void close() override { connection_.close(); }
  std::uint64_t id() const override { return connection_.process(); }

 private:
  PgConnection connection_;
  SqlFile statements_;
};

std::unique_ptr<StatementConnection> connect_postgres_client(const StatementFile& file, const ClientAccess& access);

// Adds the parts that need the client library.
ServerType with_postgres_client(ServerType type);

}  // namespace holdfast
