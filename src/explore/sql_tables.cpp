#include "explore/sql_tables.hpp"

#include "artifact/error.hpp"

namespace holdfast {
namespace {

// Of each table its name, its columns, and a text column that leads an index.
constexpr const char* kTables = R"(
  SELECT t.table_name,
    (SELECT GROUP_CONCAT(c.column_name ORDER BY c.ordinal_position) FROM information_schema.columns c
     WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.extra <> 'auto_increment'),
    (SELECT MIN(s.column_name) FROM information_schema.statistics s JOIN information_schema.columns k
       ON k.table_schema = s.table_schema AND k.table_name = s.table_name AND k.column_name = s.column_name
     WHERE s.table_schema = t.table_schema AND s.table_name = t.table_name AND s.seq_in_index = 1
       AND k.data_type LIKE '%char')
  FROM information_schema.tables t WHERE t.table_schema = DATABASE())";

Reply must(MySqlConnection& db, const std::string& sql) {
  Reply reply = db.query(sql);
  if (!reply.ok()) throw HarnessError("the explorer's tables: " + reply.message);
  return reply;
}

}  // namespace

void SqlTables::learn(MySqlConnection& db) {
  reads_.clear();
  readable_ = true;
  for (const auto& row : must(db, kTables).rows) {
    readable_ = readable_ && row.at(1) && row.at(2);
    if (!readable_) return;
    reads_.push_back("SELECT " + *row.at(1) + " FROM " + *row.at(0) + " WHERE " + *row.at(2) + " LIKE ");
  }
}

std::optional<std::vector<StoredRow>> SqlTables::rows(MySqlConnection& db, const std::string& prefix) const {
  if (!readable_) return std::nullopt;
  std::vector<StoredRow> out;
  for (const auto& read : reads_) {
    for (const auto& row : must(db, read + "'" + prefix + "%'").rows) {
      out.push_back({{read}, StoredRow{}.gone_after_us});
      for (const auto& field : row) out.back().fields.push_back(field.value_or("NULL"));
    }
  }
  return out;
}

}  // namespace holdfast
