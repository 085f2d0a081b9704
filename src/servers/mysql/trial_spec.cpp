#include "servers/mysql/trial_spec.hpp"

#include <filesystem>

#include "artifact/error.hpp"
#include "servers/mysql/mysql_settings.hpp"

namespace holdfast {

std::string trial_log(const std::string& folder, const std::string& which) {
  return folder + "/server" + which + ".log";
}

ServerSpec trial_spec(const ServerConfig& config, const std::string& which, int network) {
  const MySqlSettings settings = mysql_settings(config.settings);
  ServerSpec spec;
  spec.data = config.folder + "/lab/db" + which;
  spec.log = trial_log(config.folder, which);
  spec.network = network;
  spec.connections = config.connections;
  spec.flush_log_at_commit = settings.flush_log_at_commit;
  spec.explicit_defaults_for_timestamp = settings.explicit_defaults_for_timestamp;
  std::error_code failed;
  std::filesystem::create_directories(spec.data, failed);
  if (failed) throw HarnessError(spec.data + ": " + system_text(failed.value()));
  return spec;
}

}  // namespace holdfast
