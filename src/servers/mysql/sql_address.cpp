#include "servers/mysql/sql_address.hpp"

#include <algorithm>

namespace holdfast {

MySqlAddress sql_address(const StoreSpec& spec, const std::string& host, const std::string& database,
                         const std::string& first_statement) {
  MySqlAddress address;
  const bool socket = host.find('/') != std::string::npos;
  (socket ? address.socket : address.host) = host;
  address.database = database;
  address.found_rows = spec.variant == kFoundRows;
  address.several_statements = true;  // a time goes before each
  address.timeout_s = 10;
  address.first_statements = {first_statement};
  return address;
}

std::string first_of_client(const StoreSpec& spec, const std::string& first_statement) {
  std::string level = spec.isolation;  // "read_committed"
  std::replace(level.begin(), level.end(), '_', ' ');
  return first_statement + "; SET SESSION TRANSACTION ISOLATION LEVEL " + level;
}

std::string time_setting(std::int64_t time_us) {
  const std::string fraction = std::to_string(time_us % 1'000'000 + 1'000'000).substr(1);
  return "SET timestamp = " + std::to_string(time_us / 1'000'000) + "." + fraction + "; ";
}

}  // namespace holdfast
