// A file of named Redis commands that can be pasted into a shell.
//
//   key=orders owner=6f1c ttl_ms=2000       # values for a person who pastes the file; skipped here
//   # name: acquire
//   redis-cli SET "$key" "$owner" NX PX "$ttl_ms"
//
// Each name has one command. Its arguments are plain words, 'single quotes' (a script may have several lines), or
// "$parameter". No other shell syntax is allowed, so a shell and this reader agree. The harness sends the list of
// arguments: there is no shell and no quoting.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "servers/redis/redis_connection.hpp"
#include "servers/statement_file.hpp"
#include "store/session.hpp"

namespace holdfast {

class RedisFile {
 public:
  // Throws BadInput with file and line for a command without a name, a name without exactly one command, or text that a
  // shell would interpret differently.
  static RedisFile parse(std::string_view text, const std::string& file);
  static RedisFile parse(const StatementFile& file) { return parse(file.text, file.path); }

  bool has(std::string_view name) const { return commands_.find(name) != commands_.end(); }
  std::vector<std::string> names() const;
  std::vector<std::string> parameters(std::string_view name) const;  // without duplicates; the name must exist

  // The command's arguments with its parameters filled in. Throws std::logic_error for an unknown command or parameter:
  // the lock's code and its file disagree.
  std::vector<std::string> bind(std::string_view name, Params params) const;

 private:
  struct Argument {
    std::string text;
    bool parameter = false;
  };
  friend class RedisFileReader;
  std::map<std::string, std::vector<Argument>, std::less<>> commands_;
};

// One connection to a Redis server that runs commands by name.
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
