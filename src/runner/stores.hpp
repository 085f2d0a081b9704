// The trial's tables: made before the load, read after it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "artifact/event.hpp"
#include "artifact/plan.hpp"
#include "store/mysql_connection.hpp"

namespace holdfast {

class Stores {
 public:
  Stores(const std::string& lock_host, const std::string& resource_host);
  void prepare(const Plan& plan);  // database, the lock's table, the resource with one row a key
  std::string server_version();    // "MariaDB 10.11.19"

  // A client's session at the lock service.
  void end_connection(std::uint64_t connection);
  bool connection_alive(std::uint64_t connection);

  // For faults of the server. A mark is a row of ours; `n` tells one from the other.
  void prepare_marks();
  void leave_mark(std::int64_t n);                // returns once it is acknowledged
  std::optional<bool> mark_kept(std::int64_t n);  // nothing: no answer
  struct Clock {
    std::int64_t server_ns = 0;    // since 1970, by the server
    std::int64_t asked_ns = 0;     // by the host, before it was asked
    std::int64_t answered_ns = 0;  // and after
  };
  std::optional<Clock> clock();  // nothing: no answer

  // The resource's log as events, in order of commitment.
  std::vector<Event> accepted_writes(std::int64_t now_ns);

 private:
  MySqlConnection connect(const std::string& host, const std::string& database);
  void must(MySqlConnection& db, const std::string& sql);

  std::string lock_host_;
  std::string resource_host_;
};

}  // namespace holdfast
