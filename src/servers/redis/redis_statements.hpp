// One connection to a Redis server that runs commands by name.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "servers/redis/redis_connection.hpp"
#include "servers/redis/redis_file.hpp"
#include "store/statement_connection.hpp"

namespace holdfast {

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
