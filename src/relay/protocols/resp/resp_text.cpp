#include "relay/protocols/resp/resp_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kLongestText = 60;
constexpr std::size_t kMostValues = 20;
constexpr int kDeepestShown = 6;
constexpr std::int64_t kLargestNumber = 1'000'000'000;  // of a length or count; larger ones are invalid
// Commands that answer 0 or nil if they did nothing.
constexpr auto kTellWhenNothing =
    std::to_array<std::string_view>({"SET", "SETNX", "MSETNX", "HSETNX", "DEL", "UNLINK", "EXPIRE", "PEXPIRE",
                                     "PERSIST", "HDEL", "SREM", "ZREM", "SADD", "LREM", "PUBLISH", "EXEC"});
constexpr auto kReads = std::to_array<std::string_view>(
    {"GET",  "MGET", "EXISTS", "TTL",    "PTTL",      "TYPE",   "STRLEN", "HGET",   "HMGET", "HGETALL",  "HEXISTS",
     "HLEN", "LLEN", "LRANGE", "LINDEX", "SISMEMBER", "ZSCORE", "ZRANK",  "ZRANGE", "ZCARD", "SMEMBERS", "WAIT"});

std::string_view line_at(std::string_view bytes, std::size_t& at) {
  const std::size_t end = bytes.find("\r\n", at);
  const std::string_view out = bytes.substr(at, end == std::string_view::npos ? end : end - at);
  at = end == std::string_view::npos ? bytes.size() : end + 2;
  return out;
}

std::int64_t number_in(std::string_view text) {
  std::int64_t out = -1;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

std::vector<std::string> words_of_command(const RelayedRequest& request) {
  const std::string_view bytes = request.bytes;
  std::vector<std::string> out;
  if (bytes.empty()) return out;
  std::size_t at = 0;
  if (bytes[0] != '*') {
    out.emplace_back(line_at(bytes, at));
    return out;
  }
  line_at(bytes, at);
  while (at < bytes.size() && bytes[at] == '$') {
    const std::int64_t size = number_in(line_at(bytes, at).substr(1));
    if (size < 0 || size > kLargestNumber) break;
    out.emplace_back(bytes.substr(std::min(at, bytes.size()), static_cast<std::size_t>(size)));
    at += static_cast<std::size_t>(size) + 2;
  }
  return out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string clipped(std::string text) {
  for (char& letter : text) {
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = ' ';
  }
  if (text.size() > kLongestText) text = text.substr(0, kLongestText) + "...";
  const bool plain = !text.empty() && text.find(' ') == std::string::npos;
  return plain ? text : "'" + text + "'";
}

// The first meaningful line, which in most libraries tells what the script does.
std::string script_text(const std::string& script) {
  const std::size_t begin = script.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "''";
  const std::size_t end = script.find('\n', begin);
  return clipped(script.substr(begin, end == std::string::npos ? end : end - begin) +
                 (end == std::string::npos ? "" : " ..."));
}

std::string request_text(const RelayedRequest& request) {
  const auto words = words_of_command(request);
  std::string out = words.empty() ? "" : upper(words.front());
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool script = i == 1 && upper(words.front()) == "EVAL";
    out += " " + (script ? script_text(words[i]) : clipped(words[i]));
  }
  return out;
}

std::string name(const RelayedRequest& request) {
  const auto words = words_of_command(request);
  std::string out = words.empty() ? "" : words.front();
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out == "evalsha" ? "eval" : out;
}

std::string value_text(std::string_view bytes, std::size_t& at, int depth);

std::string values_text(std::string_view bytes, std::size_t& at, std::int64_t count, int depth) {
  std::string out = "[";
  for (std::int64_t i = 0; i < count && at < bytes.size(); ++i) {
    if (static_cast<std::size_t>(i) == kMostValues) return out + ", ...]";
    out += (i == 0 ? "" : ", ") + value_text(bytes, at, depth + 1);
  }
  return out + "]";
}

std::string value_text(std::string_view bytes, std::size_t& at, int depth) {
  if (at >= bytes.size() || depth > kDeepestShown) return "...";
  const char type = bytes[at];
  std::string_view line = line_at(bytes, at);
  if (!line.empty()) line.remove_prefix(1);
  const std::int64_t number = std::min(number_in(line), kLargestNumber);
  switch (type) {
    case '$':
    case '=':
    case '!': {
      if (number < 0) return "nil";
      const std::string text(bytes.substr(std::min(at, bytes.size()), static_cast<std::size_t>(number)));
      at += static_cast<std::size_t>(number) + 2;
      return type == '!' ? "error: " + text : clipped(text);
    }
    case '*':
    case '~':
      return number < 0 ? "nil" : values_text(bytes, at, number, depth);
    case '%':
      return values_text(bytes, at, 2 * number, depth);
    case '_':
      return "nil";
    case '-':
      return "error: " + std::string(line);
    default:
      return std::string(line);
  }
}

std::string reply_text(std::string_view reply) {
  std::size_t at = 0;
  return value_text(reply, at, 0);
}

// Certain only for commands whose answer tells. A failed script keeps its earlier changes, unless it did not exist.
bool may_change(const RelayedRequest& request, std::string_view reply) {
  const auto words = words_of_command(request);
  const std::string word = words.empty() ? "" : upper(words.front());
  const auto among = [&word](const auto& list) { return std::find(list.begin(), list.end(), word) != list.end(); };
  const std::string answer = reply_text(reply);
  const bool is_script = word.rfind("EVAL", 0) == 0 || word.rfind("FCALL", 0) == 0;
  if (is_script) return answer.rfind("error: NOSCRIPT", 0) != 0;
  if (among(kReads) || answer.rfind("error: ", 0) == 0) return false;
  const auto gets = [](const std::string& one) { return upper(one) == "GET"; };
  if (word == "SET" && std::any_of(words.begin(), words.end(), gets)) return true;
  return !among(kTellWhenNothing) || (answer != "0" && answer != "nil");
}

}  // namespace

const WireText kRespText{words_of_command, request_text, name, reply_text, may_change};

}  // namespace holdfast
