// The trial's database: its resource's tables, made before the load, and the resource's log, read after it. What the
// lock itself needs is lock_server.hpp's.
#pragma once

#include <string>
#include <vector>

#include "artifact/event.hpp"
#include "artifact/plan.hpp"
#include "store/mysql_connection.hpp"

namespace holdfast {

class Stores {
 public:
  explicit Stores(std::string resource_host);
  void prepare(const Plan& plan);  // database, the resource with one row a key

  // The resource's log as events, in order of commitment.
  std::vector<Event> accepted_writes(std::int64_t now_ns);

 private:
  std::string resource_host_;
};

// A patient connection to the trial's database on a server.
MySqlConnection trial_database(const std::string& host);

void make_trial_database(const std::string& host);

void must_run(MySqlConnection& db, const std::string& sql);  // HarnessError when it fails

}  // namespace holdfast
