// A MariaDB or MySQL of a trial, as its scenario sets it up.
#pragma once

#include <string>

#include "servers/lock_server.hpp"
#include "servers/mysql/start_mariadb.hpp"

namespace holdfast {

// `which` tells it from the trial's others: "", "-replica", "-1". Its data directory is there afterwards, which one
// that is started again finds as it left it. HarnessError.
ServerSpec trial_spec(const ServerConfig& config, const std::string& which, int network);

std::string trial_log(const std::string& folder, const std::string& which);

}  // namespace holdfast
