#include "servers/mysql/mysql_settings.hpp"

#include "servers/server_settings.hpp"

namespace holdfast {

MySqlSettings mysql_settings(const ServerSettings& settings) {
  const JsonNode node = settings_for(server_type("mysql"), settings);
  ObjectReader in(node);
  MySqlSettings out;
  out.flush_log_at_commit = in.integer("innodb_flush_log_at_trx_commit", 0, 2).value_or(out.flush_log_at_commit);
  out.explicit_defaults_for_timestamp =
      in.boolean("explicit_defaults_for_timestamp").value_or(out.explicit_defaults_for_timestamp);
  in.finish();
  return out;
}

}  // namespace holdfast
