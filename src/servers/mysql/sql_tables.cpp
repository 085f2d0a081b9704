#include "servers/mysql/sql_tables.hpp"

#include "artifact/error.hpp"
#include "servers/mysql/only_counted.hpp"

namespace holdfast {
namespace {

// Of each table its name and a column of text, or of bytes, that leads an index.
constexpr const char* kTables = R"(
  SELECT t.table_name,
    (SELECT MIN(s.column_name) FROM information_schema.statistics s JOIN information_schema.columns k
       ON k.table_schema = s.table_schema AND k.table_name = s.table_name AND k.column_name = s.column_name
     WHERE s.table_schema = t.table_schema AND s.table_name = t.table_name AND s.seq_in_index = 1
       AND (k.data_type LIKE '%char' OR k.data_type = 'varbinary'))
  FROM information_schema.tables t WHERE t.table_schema = DATABASE())";

// Its columns but those that the server fills, and whether a row can be made without giving one.
constexpr const char* kColumns = R"(
  SELECT column_name, column_default IS NOT NULL FROM information_schema.columns
  WHERE table_schema = DATABASE() AND extra <> 'auto_increment' AND extra NOT LIKE '%GENERATED%' AND table_name = )";

Reply must_answer(MySqlConnection& db, const std::string& sql) {
  Reply reply = db.query(sql);
  if (!reply.ok()) throw HarnessError("the explorer's tables: " + reply.message + " in: " + sql);
  return reply;
}

}  // namespace

void SqlTables::learn(MySqlConnection& db, const std::vector<std::string>& statements) {
  tables_.clear();
  readable_ = true;
  for (const auto& row : must_answer(db, kTables).rows) {
    Table table{row.at(0).value_or(""), "", row.at(1).value_or("")};
    for (const auto& column : must_answer(db, kColumns + db.quote(table.name)).rows) {
      const std::string name = column.at(0).value_or("");
      if (column.at(1) == "1" && only_counted(name, statements)) continue;
      table.columns += (table.columns.empty() ? "" : ", ") + name;
    }
    readable_ = readable_ && !table.leader.empty();
    tables_.push_back(std::move(table));
  }
}

std::optional<std::vector<StoredRow>> SqlTables::rows(MySqlConnection& db, const std::string& prefix) const {
  if (!readable_) return std::nullopt;
  std::vector<StoredRow> out;
  for (const auto& table : tables_) {
    const std::string read = "SELECT " + table.columns + " FROM " + table.name + " WHERE " + table.leader + " LIKE ";
    for (const auto& row : must_answer(db, read + "'" + prefix + "%'").rows) {
      StoredRow stored;
      stored.fields.push_back(table.name + " (" + table.columns + ")");
      for (const auto& field : row) stored.fields.push_back(field ? db.quote(*field) : "NULL");
      out.push_back(std::move(stored));
    }
  }
  return out;
}

void SqlTables::put(MySqlConnection& db, const std::vector<StoredRow>& rows) {
  std::string sql;
  for (const auto& row : rows) {
    sql += (sql.empty() ? "INSERT INTO " : "; INSERT INTO ") + row.fields.front() + " VALUES (";
    for (std::size_t i = 1; i < row.fields.size(); ++i) sql += (i > 1 ? ", " : "") + row.fields[i];
    sql += ")";
  }
  if (!sql.empty()) must_answer(db, sql);
}

void SqlTables::empty(MySqlConnection& db, bool anew) const {
  for (const auto& table : tables_) must_answer(db, (anew ? "TRUNCATE TABLE " : "DELETE FROM ") + table.name);
}

}  // namespace holdfast
