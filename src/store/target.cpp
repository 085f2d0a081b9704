#include "store/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr const char* kForms = "; a target is mysql://user:password@host:port/database or redis://:password@host:port";
constexpr const char* kHidden = "***";
constexpr unsigned kUsualMySqlPort = 3306;
constexpr unsigned kUsualRedisPort = 6379;

[[noreturn]] void refuse(const std::string& why) {
  throw BadInput("--target: " + why + kForms);
}

bool only_stars(const std::string& text) {
  return !text.empty() && text.find_first_not_of('*') == std::string::npos;
}

// Cuts `text` at the first `mark` and gives what follows it; nothing where there is no mark.
std::optional<std::string> cut(std::string& text, char mark) {
  const auto at = text.find(mark);
  if (at == std::string::npos) return std::nullopt;
  std::string rest = text.substr(at + 1);
  text.resize(at);
  return rest;
}

std::optional<unsigned> number(const std::string& text, unsigned most) {
  unsigned value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value > most) return std::nullopt;
  return value;
}

// "%40" is "@": a password may have the marks that part a URL.
std::string decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// The marks that part a URL, and what begins a code, become codes.
std::string encoded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool mark = std::strchr("%:@/#?[]", c) != nullptr || c <= ' ';
    out += mark ? fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c))) : std::string(1, c);
  }
  return out;
}

std::string password_of(const std::optional<std::string>& given) {
  if (given && !given->empty() && !only_stars(*given)) return decoded(*given);
  const char* known = std::getenv(kTargetPassword);
  if (known == nullptr && given && only_stars(*given)) {
    throw BadInput(std::string("--target: the password is hidden; remedy: give it in the environment, as ") +
                   kTargetPassword);
  }
  return known == nullptr ? "" : known;
}

// "[::1]:3306" has colons of its own.
void read_host(std::string text, Target& out) {
  std::optional<std::string> port;
  if (!text.empty() && text.front() == '[') {
    const auto rest = cut(text, ']');
    out.host = text.substr(1);
    if (rest && !rest->empty()) port = rest->substr(1);
  } else {
    port = cut(text, ':');
    out.host = text;
  }
  if (out.host.empty()) refuse("no host");
  if (!port) return;
  out.port = number(*port, 65535).value_or(0);
  if (out.port == 0) refuse("'" + *port + "' is no port");
}

void check(const Target& target) {
  if (target.kind == StoreKind::redis) {
    if (!number(target.database, 1'000'000)) refuse("'" + target.database + "' is no number of a Redis database");
    return;
  }
  if (target.user.empty()) refuse("no user");
  if (target.database.empty()) refuse("no database, in which holdfast may make tables of its own");
  if (target.database.find_first_of("`/\\") != std::string::npos) refuse("that is no plain name of a database");
}

// The stretch of the password in an argument is starred, and its text kept in the environment.
void hide(char* argument) {
  char* begin = std::strstr(argument, "://");
  char* end = std::strrchr(argument, '@');
  if (begin == nullptr || end == nullptr) return;
  begin = std::strchr(begin + 3, ':');
  if (begin == nullptr || begin >= end) return;
  const std::string password(begin + 1, end);
  if (password.empty() || only_stars(password)) return;
  ::setenv(kTargetPassword, decoded(password).c_str(), 1);
  std::fill(begin + 1, end, '*');
}

}  // namespace

std::string Target::place() const {
  const bool colons = host.find(':') != std::string::npos;
  return (colons ? "[" + host + "]" : host) + ":" + std::to_string(port) + "/" + database;
}

std::string Target::text() const {
  std::string out = kind == StoreKind::redis ? "redis://" : "mysql://";
  out += encoded(user);
  if (!password.empty()) out += std::string(":") + kHidden;
  if (!user.empty() || !password.empty()) out += "@";
  Target named = *this;
  named.database = encoded(database);
  out += named.place();
  if (!prefix.empty()) out += "#" + prefix;
  return out;
}

MySqlAddress Target::mysql() const {
  MySqlAddress out;
  out.host = host;
  out.port = port;
  out.user = user;
  out.password = password;
  out.database = database;
  return out;
}

RedisAddress Target::redis() const {
  RedisAddress out;
  out.host = host;
  out.port = static_cast<int>(port);
  out.user = user;
  out.password = password;
  out.database = static_cast<int>(number(database, 1'000'000).value_or(0));
  return out;
}

Target parse_target(const std::string& text) {
  Target out;
  const auto mark = text.find("://");
  const std::string scheme = text.substr(0, mark);
  if (mark == std::string::npos || (scheme != "mysql" && scheme != "redis")) refuse("neither mysql:// nor redis://");
  out.kind = scheme == "redis" ? StoreKind::redis : StoreKind::mysql;
  out.port = out.kind == StoreKind::redis ? kUsualRedisPort : kUsualMySqlPort;
  std::string rest = text.substr(mark + 3);
  std::optional<std::string> password;
  if (const auto at = rest.rfind('@'); at != std::string::npos) {
    out.user = rest.substr(0, at);
    rest = rest.substr(at + 1);
    password = cut(out.user, ':');
    out.user = decoded(out.user);
  }
  out.password = password_of(password);
  out.prefix = cut(rest, '#').value_or("");
  out.database = decoded(cut(rest, '/').value_or(""));
  if (out.kind == StoreKind::redis && out.database.empty()) out.database = "0";
  read_host(rest, out);
  check(out);
  return out;
}

void hide_target_password(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const bool before = i > 1 && std::strcmp(argv[i - 1], "--target") == 0;
    if (before || std::strncmp(argv[i], "--target=", 9) == 0) hide(argv[i]);
  }
}

}  // namespace holdfast
