// PostgreSQL, stepped (stepped_store.hpp): a database a worker, the lock's tables in a schema of it, and a clock of
// ours (pg_clock.hpp).
#pragma once

#include <memory>
#include <string>

#include "servers/postgres/pg_connection.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

// The explorer's database of that name, made anew, with our clock in it. HarnessError.
void make_explore_database(const std::string& host, const std::string& name);

// A session there; `lock_timeout_ms`: for how long a statement waits for another's lock.
PgAddress explore_session(const StoreSpec& spec, const std::string& host, const std::string& database,
                          std::int64_t lock_timeout_ms);

std::unique_ptr<SteppedStore> make_pg_store(const StoreSpec& spec, const std::string& host);

}  // namespace holdfast
