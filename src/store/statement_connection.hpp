// A connection to a lock's store that runs the lock's statements by name, whatever the store is: what a Session needs
// of it. One implementation a kind of store.
//
//   auto db = std::make_unique<RedisStatements>(address, lock_commands("redis_token"));
//   Reply r = db->run("acquire", {{"key", "orders"}, {"owner", owner}, {"ttl_ms", std::int64_t{2000}}});
//
// Errors as in session.hpp: a server's error is in the reply; no answer throws StatementFailed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "store/mysql_connection.hpp"
#include "store/redis_connection.hpp"
#include "store/redis_file.hpp"
#include "store/session.hpp"
#include "store/sql_file.hpp"

namespace holdfast {

class StatementConnection {
 public:
  virtual ~StatementConnection() = default;
  virtual void connect() = 0;  // if need be; StatementFailed (definite): nothing was sent
  virtual Reply run(std::string_view statement, Params params) = 0;
  virtual void close() = 0;
  virtual std::uint64_t id() const = 0;  // the server's number for the connection; 0: not connected
};

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

class RedisStatements : public StatementConnection {
 public:
  RedisStatements(RedisAddress server, RedisFile commands)
      : connection_(std::move(server)), commands_(std::move(commands)) {}
  void connect() override { connection_.connect(); }
  Reply run(std::string_view statement, Params params) override {
    return connection_.command(commands_.bind(statement, params));
  }
  void close() override { connection_.close(); }
  std::uint64_t id() const override { return connection_.id(); }

 private:
  RedisConnection connection_;
  RedisFile commands_;
};

}  // namespace holdfast
