// The trial's database: its resource's tables, made before the load, and the resource's log, read after it. What the
// lock itself needs is lock_server.hpp's.
#pragma once

#include <string>
#include <vector>

#include "artifact/plan.hpp"
#include "history/event.hpp"
#include "store/mysql_connection.hpp"
#include "store/sql_file.hpp"

namespace holdfast {

class Stores {
 public:
  // A database that is there already; `prefix` is what the names of our tables in it begin with.
  explicit Stores(MySqlAddress resource, const std::string& prefix = "");
  void prepare(const Plan& plan);  // the resource with one row a key

  // The resource's log as events, in order of commitment.
  std::vector<Event> accepted_writes(std::int64_t now_ns);

 private:
  MySqlAddress resource_;
  SqlFile statements_;
};

inline constexpr unsigned kPatience_s = 5;

// The trial's database on a server of the lab, for somebody patient.
MySqlAddress trial_address(const std::string& host);

void make_trial_database(MySqlAddress address);

void must_run(MySqlConnection& db, const std::string& sql);  // HarnessError when it fails

}  // namespace holdfast
