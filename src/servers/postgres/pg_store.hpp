// PostgreSQL, stepped (stepped_store.hpp): a database per worker, the lock's tables in one of its schemas, and a
// controlled clock (pg_clock.hpp).
#pragma once

#include <memory>
#include <string>

#include "servers/postgres/pg_connection.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

// Recreates the explorer's database with the controlled clock. Throws HarnessError.
void make_explore_database(const std::string& host, const std::string& name);

// A session there; `lock_timeout_ms`: maximum wait of a statement for a lock.
PgAddress explore_session(const StoreSpec& spec, const std::string& host, const std::string& database,
                          std::int64_t lock_timeout_ms);

std::unique_ptr<SteppedStore> make_pg_store(const StoreSpec& spec, const std::string& host);

}  // namespace holdfast
