#include "servers/redis/redis_settings.hpp"

#include "servers/server_settings.hpp"

namespace holdfast {

std::string redis_persistence(const ServerSettings& settings) {
  const JsonNode node = settings_for(server_type("redis"), settings);
  ObjectReader in(node);
  std::string out = in.choice("redis_persistence", {"none", "aof_always", "aof_everysec"}).value_or("none");
  in.finish();
  return out;
}

}  // namespace holdfast
