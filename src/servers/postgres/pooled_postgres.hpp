// A PostgreSQL server of a trial behind PgBouncer, on the same node and another port: clients connect to the pool,
// which assigns one of a few sessions to each transaction (pool_mode=transaction). A client's locks and settings stay
// in the session for the next client that gets it.
//
// The pool has several sessions; PgBouncer assigns the most recently returned one, so clients that take turns share the
// same one.
//
// Faults strike the server, and probes ask it: the pool also greets clients while its server is stopped.
//
// The pool does not expose the server's number of a client's session, so such a session cannot be ended by number.
#pragma once

#include <vector>

#include "servers/postgres/postgres_lock_server.hpp"

namespace holdfast {

class PooledPostgres : public PostgresLockServer {
 public:
  explicit PooledPostgres(const ServerConfig& config);  // throws Unavailable if PgBouncer is not installed
  std::vector<TrialServer*> processes() override { return {&process(), &pool_}; }
  void prepare(const StatementFile& statements) override;
  std::string version() override;
  void end_connection(std::uint64_t connection, std::uint32_t server) override;
  bool connection_alive(std::uint64_t connection, std::uint32_t server) override;

 private:
  std::string log_;
  TrialServer pool_;
};

}  // namespace holdfast
