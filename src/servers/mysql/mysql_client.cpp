#include "servers/mysql/mysql_client.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "servers/mysql/lab_address.hpp"

namespace holdfast {
namespace {

constexpr std::string_view kEngine = "ENGINE = InnoDB";

void sign(std::string& schema, const std::vector<std::string>& tables) {
  const std::string comment = std::string(" COMMENT = '") + kTableSign + "'";
  std::size_t found = 0;
  for (auto at = schema.find(kEngine); at != std::string::npos; at = schema.find(kEngine, at + kEngine.size())) {
    schema.insert(at + kEngine.size(), comment);
    ++found;
  }
  if (found != tables.size()) throw std::logic_error("a table's definition does not end with " + std::string(kEngine));
}

std::string first_word(std::string_view sql) {
  std::string word;
  for (const char c : sql) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) == 0) {
      if (word.empty() && std::isspace(byte) != 0) continue;
      break;
    }
    word += static_cast<char>(std::toupper(byte));
  }
  return word;
}

constexpr const char* kIsolation = "repeatable_read";  // the server's own
constexpr unsigned kTimeout_s = 2;
static_assert(kRowLockWait_s < kTimeout_s);

std::string limits() {
  return "SET SESSION autocommit = 1, innodb_lock_wait_timeout = " + std::to_string(kRowLockWait_s);
}

// Sets the client's time zone and isolation level, on each new connection.
std::vector<std::string> session_settings(const ClientAccess& access) {
  std::string level = access.isolation.empty() ? kIsolation : access.isolation;  // "read_committed"
  std::replace(level.begin(), level.end(), '_', ' ');
  return {limits() + ", time_zone = '" + access.time_zone + "'", "SET SESSION TRANSACTION ISOLATION LEVEL " + level};
}

MySqlAddress lock_address(const ClientAccess& access) {
  MySqlAddress address = with_client_limits(access.target ? mysql_address(*access.target) : lab_address(access.host));
  address.first_statements = session_settings(access);
  address.timeout_s += static_cast<unsigned>((access.wait_ms + 999) / 1000);
  address.found_rows = access.variant == kFoundRows;
  return address;
}

}  // namespace

MySqlAddress taking(MySqlAddress address, const SqlFile& statements) {
  address.several_statements = statements.several();
  return address;
}

SqlFile mysql_file(const StatementFile& file, const std::string& prefix) {
  return SqlFile::parse(file).with_prefix(prefix, sign);
}

SplitTo split_to(std::string_view sql) {
  const std::string word = first_word(sql);
  if (word == "SELECT") return SplitTo::reader;
  for (const char* both : {"START", "BEGIN", "COMMIT", "ROLLBACK", "SET"}) {
    if (word == both) return SplitTo::both;
  }
  return SplitTo::writer;
}

SplitStatements::SplitStatements(MySqlAddress writer, MySqlAddress reader, SqlFile statements)
    : writer_(taking(std::move(writer), statements)),
      reader_(taking(std::move(reader), statements)),
      statements_(std::move(statements)) {}

void SplitStatements::connect() {
  writer_.connect();
  reader_.connect();
}

void SplitStatements::close() {
  writer_.close();
  reader_.close();
}

std::uint64_t SplitStatements::id() const {
  return reader_.thread_id() == 0 ? 0 : writer_.thread_id();
}

Reply SplitStatements::run(std::string_view statement, Params params) {
  const auto quote = [this](const std::string& text) { return writer_.quote(text); };
  try {
    return send(statements_.bind(statement, params, quote));
  } catch (const StatementFailed&) {
    close();
    throw;
  }
}

// Returns the writer's answer unless only the reader has an error.
Reply SplitStatements::send(const std::string& sql) {
  const SplitTo to = split_to(sql);
  if (to == SplitTo::reader) return reader_.query(sql);
  Reply written = writer_.query(sql);
  if (to == SplitTo::writer) return written;
  Reply read = reader_.query(sql);
  return written.ok() ? read : written;
}

MySqlAddress with_client_limits(MySqlAddress address) {
  address.timeout_s = kTimeout_s;
  address.first_statements = {limits()};
  return address;
}

std::unique_ptr<StatementConnection> connect_mysql_client(const StatementFile& file, const ClientAccess& access) {
  const MySqlAddress address = lock_address(access);
  SqlFile statements = mysql_file(file, access.target ? access.target->prefix : "");
  if (access.replica_host.empty()) return std::make_unique<MySqlStatements>(address, std::move(statements));
  MySqlAddress reader = address;
  reader.host = access.replica_host;
  return std::make_unique<SplitStatements>(address, reader, std::move(statements));
}

}  // namespace holdfast
