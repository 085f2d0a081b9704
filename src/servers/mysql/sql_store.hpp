// MariaDB, stepped (stepped_store.hpp), and what its tables have of one schedule.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "servers/mysql/mysql_connection.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {

// What a lock's tables have of one schedule, read from outside and written again.
//
//   SqlTables tables;
//   tables.learn(db, statements);           // which there are, in the present database
//   auto rows = tables.rows(db, "orders");  // of all keys and owners that begin so
//   tables.put(db, *rows);                  // the same rows, where they are not there
//
// Rows are found by the texts that lead an index; where a table has no such column nothing can be read quickly, and
// nothing is said. Numbers that the server gives out differ from schedule to schedule and are left away.
// The fields of a row are its table with its columns, and then SQL literals.

class SqlTables {
 public:
  // `statements`: all that will be run on them. Columns that these only count up are left away as well.
  void learn(MySqlConnection& db, const std::vector<std::string>& statements);
  std::optional<std::vector<StoredRow>> rows(MySqlConnection& db, const std::string& prefix) const;
  static void put(MySqlConnection& db, const std::vector<StoredRow>& rows);
  void empty(MySqlConnection& db, bool anew) const;  // `anew`: without a trace of what was deleted; slower

 private:
  struct Table {
    std::string name;
    std::string columns;  // "owner, token"
    std::string leader;   // the text that leads an index
  };
  bool readable_ = false;
  std::vector<Table> tables_;
};

// MariaDB, stepped: see stepped_store.hpp.

// `host`: an address, or the path of a socket.
std::unique_ptr<SteppedStore> make_sql_store(const StoreSpec& spec, const std::string& host);

}  // namespace holdfast
