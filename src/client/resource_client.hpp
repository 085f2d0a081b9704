// The client's side of the protected resource (sql/resource.sql): read at the start of the critical section, write at
// its end. Blind: the write always goes through. Fenced: reads and writes show the grant's token, and an older one is
// refused. Errors are values here: the resource is the witness, not the suspect.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "history/event.hpp"
#include "store/statement_connection.hpp"

namespace holdfast {

struct ResourceWrite {
  std::string key;
  std::uint32_t client = 0;
  std::uint64_t grant = 0;   // number of the acquire it runs under
  std::uint64_t number = 0;  // of the write itself
  std::int64_t base = 0;     // what was read
  std::uint64_t token = 0;
};

class ResourceClient {
 public:
  ResourceClient(std::unique_ptr<StatementConnection> connection, bool fenced);
  void connect() { connection_->connect(); }

  // The value; nothing when the resource refused the token or did not answer.
  std::optional<std::int64_t> read(const std::string& key, std::uint64_t token);

  // ok: accepted, fail: refused (an older token), info: no answer; the log will tell.
  EventType write(const ResourceWrite& write);

 private:
  std::unique_ptr<StatementConnection> connection_;
  bool fenced_;
};

}  // namespace holdfast
