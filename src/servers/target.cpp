#include "servers/target.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>

#include "artifact/error.hpp"
#include "servers/sandbox.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

constexpr const char* kHidden = "***";

const UrlForm& form_of(const Target& target) {
  return server_type(target.server).url;
}

// "neither mysql:// nor redis:// nor rediss://"
std::string unknown_scheme() {
  std::string out;
  for (const auto& [name, type] : server_types()) {
    for (const char* scheme : {type->url.scheme, type->url.tls_scheme}) {
      if (*scheme != '\0') out += (out.empty() ? "neither " : " nor ") + std::string(scheme) + "://";
    }
  }
  return out;
}

[[noreturn]] void refuse(const std::string& why) {
  throw BadInput("--target: " + why + "; a target is " + target_forms() +
                 ", with ?tls=required&ca=FILE to check its certificate, and the password in " + kTargetPassword +
                 "; write special characters of a URL as %40 for @ and so on");
}

bool only_stars(const std::string& text) {
  return !text.empty() && text.find_first_not_of('*') == std::string::npos;
}

// Cuts `text` at the first `mark` and returns the rest; empty: no mark.
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

// "%40" is "@": a password may contain the separators of a URL.
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

// Encodes the separators of a URL, and the percent sign.
std::string encoded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool mark = std::strchr("%:@/#?&[]", c) != nullptr || c <= ' ';
    out += mark ? fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c))) : std::string(1, c);
  }
  return out;
}

std::string password_of(const std::optional<std::string>& given) {
  if (given && !given->empty() && !only_stars(*given)) return decoded(*given);
  const char* known = std::getenv(kTargetPassword);
  if (known == nullptr && given && only_stars(*given)) {
    throw BadInput(std::string("--target: the password is hidden; remedy: set the environment variable ") +
                   kTargetPassword);
  }
  return known == nullptr ? "" : known;
}

// The brackets in "[::1]:3306" contain further colons.
void read_host(std::string text, Target& out) {
  std::optional<std::string> port;
  if (!text.empty() && text.front() == '[') {
    const auto rest = cut(text, ']');
    out.host = text.substr(1);
    if (!rest || (!rest->empty() && rest->front() != ':')) refuse("the host's brackets are not closed");
    if (!rest->empty()) port = rest->substr(1);
  } else {
    port = cut(text, ':');
    out.host = text;
  }
  if (out.host.empty()) refuse("no host");
  const auto named = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr(".-_:", c); };
  if (!std::all_of(out.host.begin(), out.host.end(), named)) refuse("the host is neither a name nor an address");
  if (!port) return;
  out.port = number(*port, 65535).value_or(0);
  if (out.port == 0) refuse("the part after the host's colon is not a port");
}

void check(const Target& target) {
  if (!target.prefix.empty() && !is_trial_prefix(target.prefix))
    refuse("the part after the # is not the name of a trial");
  const auto wrong_with = form_of(target).wrong;
  if (const std::string wrong = wrong_with == nullptr ? "" : wrong_with(target); !wrong.empty()) refuse(wrong);
}

// Absolute path, since the file is read from other folders, too.
std::string whole_path(const std::string& file) {
  std::error_code error;
  const auto path = std::filesystem::absolute(file, error);
  if (error || ::access(path.c_str(), R_OK) != 0) refuse("ca: the file cannot be read");
  return path.string();
}

// "tls=required&ca=FILE". There is no opportunistic mode: encryption that is only attempted can be prevented by an
// attacker.
void read_settings(std::string text, Target& out) {
  std::optional<std::string> tls;
  while (!text.empty()) {
    const std::string rest = cut(text, '&').value_or("");
    const std::string value = decoded(cut(text, '=').value_or(""));
    if (text == "tls" && (value == "off" || value == "required")) {
      tls = value;
    } else if (text == "tls") {
      refuse(
          "tls must be off or required; required checks a certificate for the host's name, issued by an authority of "
          "the system or of ca");
    } else if (text == "ca" && !value.empty()) {
      out.security.ca = whole_path(value);
    } else {
      refuse("the part after the ? is not tls=off, tls=required or ca=FILE");
    }
    text = rest;
  }
  if (tls == "off" && out.security.tls)
    refuse(form_of(out).tls_scheme + std::string(":// and tls=off contradict each other"));
  out.security.tls = out.security.tls || tls == "required";
  if (!out.security.tls && !out.security.ca.empty()) refuse("ca has no effect without tls=required");
}

bool begins_with_scheme(const char* text, const char* scheme) {
  const std::size_t length = std::strlen(scheme);
  return length > 0 && std::strncmp(text, scheme, length) == 0 && text[length] == ':';
}

bool begins_like_target(const char* text) {
  const auto& all = server_types();
  return std::any_of(all.begin(), all.end(), [text](const auto& entry) {
    const UrlForm& url = entry.type->url;
    return begins_with_scheme(text, url.scheme) || begins_with_scheme(text, url.tls_scheme);
  });
}

// Range of an argument that may contain a password; empty: none. A malformed URL has one somewhere, too.
struct Stretch {
  char* begin = nullptr;
  char* end = nullptr;
};
std::optional<Stretch> password_in(char* argument) {
  char* text = argument;
  if (char* value = std::strchr(argument, '='); argument[0] == '-' && value != nullptr) text = value + 1;  // --flag=URL
  char* authority = std::strstr(text, "://");
  if (authority == nullptr && !begins_like_target(text)) return std::nullopt;
  authority = authority != nullptr ? authority + 3 : std::strchr(text, ':') + 1;
  authority += std::strspn(authority, "/");
  char* end = authority + std::strcspn(authority, "/?#");
  char* at = end;
  while (at > authority && *at != '@') --at;
  char* colon = std::find(authority, end, ':');
  if (colon == end) return std::nullopt;
  if (*at == '@' && colon < at) return Stretch{colon + 1, at};
  if (*at == '@' || *authority == '[' || number(std::string(colon + 1, end), 65535)) return std::nullopt;
  char* last = std::strrchr(colon, '@');  // after an invalid percent code
  return Stretch{colon + 1, last != nullptr ? last : colon + std::strlen(colon)};
}

// Replaces it with stars, and keeps a target's in the environment.
void hide(char* argument, bool of_target) {
  const auto found = password_in(argument);
  if (!found || found->begin == found->end) return;
  const std::string password(found->begin, found->end);
  if (only_stars(password)) return;
  if (of_target) ::setenv(kTargetPassword, decoded(password).c_str(), 1);
  std::fill(found->begin, found->end, '*');
}

}  // namespace

std::string target_forms() {
  std::vector<std::string> all;
  for (const auto& [name, type] : server_types()) {
    const UrlForm& url = type->url;
    if (*url.scheme == '\0') continue;
    all.emplace_back(url.form);
    if (*url.tls_scheme != '\0') all.push_back(url.tls_scheme + all.back().substr(std::strlen(url.scheme)));
  }
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) out += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + all[i];
  return out;
}

std::string Target::place() const {
  const bool colons = host.find(':') != std::string::npos;
  return (colons ? "[" + host + "]" : host) + ":" + std::to_string(port) + "/" + database;
}

std::string Target::text() const {
  const UrlForm& url = form_of(*this);
  const bool by_scheme = security.tls && *url.tls_scheme != '\0';
  std::string out = std::string(by_scheme ? url.tls_scheme : url.scheme) + "://" + encoded(user);
  if (!password.empty()) out += std::string(":") + kHidden;
  if (!user.empty() || !password.empty()) out += "@";
  Target named = *this;
  named.database = encoded(database);
  out += named.place();
  const bool asked = security.tls && !by_scheme;
  if (asked) out += "?tls=required";
  if (!security.ca.empty()) out += (asked ? "&ca=" : "?ca=") + encoded(security.ca);
  if (!prefix.empty()) out += "#" + prefix;
  return out;
}

Target parse_target(const std::string& text) {
  Target out;
  const auto mark = text.find("://");
  const std::string scheme = text.substr(0, mark);
  for (const auto& [name, type] : server_types()) {
    const bool secured = *type->url.tls_scheme != '\0' && scheme == type->url.tls_scheme;
    if (mark == std::string::npos || scheme.empty() || (scheme != type->url.scheme && !secured)) continue;
    out.server = name;
    out.port = type->url.port;
    out.security.tls = secured;
  }
  if (out.server.empty()) refuse(unknown_scheme());
  if (const std::string why = server_type(out.server).missing(); !why.empty()) throw Unavailable(why);
  std::string rest = text.substr(mark + 3);
  out.prefix = cut(rest, '#').value_or("");
  read_settings(cut(rest, '?').value_or(""), out);
  out.database = decoded(cut(rest, '/').value_or(""));
  std::optional<std::string> password;
  if (const auto at = rest.rfind('@'); at != std::string::npos) {
    out.user = rest.substr(0, at);
    rest = rest.substr(at + 1);
    password = cut(out.user, ':');
    out.user = decoded(out.user);
  }
  out.password = password_of(password);
  if (out.database.empty()) out.database = form_of(out).database;
  read_host(rest, out);
  check(out);
  return out;
}

void hide_target_password(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const bool before = i > 1 && std::strcmp(argv[i - 1], "--target") == 0;
    hide(argv[i], before || std::strncmp(argv[i], "--target=", 9) == 0);
  }
}

}  // namespace holdfast
