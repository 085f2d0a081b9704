// The protected resource on MariaDB or MySQL; servers/client_access.hpp describes the interfaces.
#pragma once

#include <memory>
#include <string>

#include "servers/client_access.hpp"

namespace holdfast {

Process start_mysql_resource(const ResourceServer& server);
std::string mysql_resource_socket(int directory);
std::unique_ptr<ResourceStore> open_mysql_resource(const ResourceAccess& access);
std::unique_ptr<StatementConnection> connect_mysql_resource(const ResourceAccess& access);

}  // namespace holdfast
