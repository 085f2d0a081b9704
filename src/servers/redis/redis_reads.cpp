#include "servers/redis/redis_reads.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace holdfast {
namespace {

// Those that locks use. Source: Redis's documentation, flag CMD_READONLY.
constexpr std::array<std::string_view, 23> kReads = {
    "DUMP",    "EVALSHA_RO", "EVAL_RO",  "EXISTS", "EXPIRETIME", "GET",    "HEXISTS", "HGET",
    "HGETALL", "HLEN",       "HMGET",    "HVALS",  "LLEN",       "LRANGE", "MGET",    "PEXPIRETIME",
    "PTTL",    "SISMEMBER",  "SMEMBERS", "STRLEN", "TTL",        "TYPE",   "ZSCORE"};

}  // namespace

std::string verb_of(const std::vector<std::string>& arguments) {
  std::string verb = arguments.front();
  const auto capital = [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); };
  std::transform(verb.begin(), verb.end(), verb.begin(), capital);
  return verb;
}

bool only_asks(const std::vector<std::string>& arguments) {
  return std::find(kReads.begin(), kReads.end(), verb_of(arguments)) != kReads.end();
}

}  // namespace holdfast
