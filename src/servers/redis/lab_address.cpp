#include "servers/redis/lab_address.hpp"

#include <charconv>

namespace holdfast {

RedisAddress redis_address(const Target& target) {
  RedisAddress out;
  out.host = target.host;
  out.port = static_cast<int>(target.port);
  out.user = target.user;
  out.password = target.password;
  std::from_chars(target.database.data(), target.database.data() + target.database.size(), out.database);
  out.security = target.security;
  return out;
}

}  // namespace holdfast
