// What a lock's tables have of one schedule, read from outside.
//
//   SqlTables tables;
//   tables.learn(db);                       // which there are, in the present database
//   auto rows = tables.rows(db, "orders");  // of all keys and owners that begin so
//
// Rows are found by the texts that lead an index; where a table has no such column nothing can be read quickly, and
// nothing is said. Numbers that the server gives out differ from schedule to schedule and are left away.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/stepped_store.hpp"
#include "store/mysql_connection.hpp"

namespace holdfast {

class SqlTables {
 public:
  void learn(MySqlConnection& db);
  std::optional<std::vector<StoredRow>> rows(MySqlConnection& db, const std::string& prefix) const;

 private:
  bool readable_ = false;
  std::vector<std::string> reads_;  // up to their prefix: SELECT ... WHERE lock_key LIKE
};

}  // namespace holdfast
