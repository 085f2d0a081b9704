// A PostgreSQL server of the trial's own with PgBouncer before it, on the same node and another port: clients talk to
// the pool, which lends each of their transactions one of a few sessions (pool_mode=transaction). What a client leaves
// in a session, its locks and its settings, stays in the session, for whoever is lent it next.
//
// A pool of several sessions; PgBouncer lends the one that came back last, so that clients who take turns all have the
// same one.
//
// Faults strike the server, and probes ask it: the pool greets clients also while its server stands still.
//
// The pool has no number of the server's for a client's session: a session cannot be ended by it.
#pragma once

#include <vector>

#include "servers/postgres/postgres_lock_server.hpp"

namespace holdfast {

class PooledPostgres : public PostgresLockServer {
 public:
  explicit PooledPostgres(const ServerConfig& config);  // Unavailable where PgBouncer is not installed
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
