#include "relay/protocols/http/http_text.hpp"

#include <algorithm>
#include <cctype>

namespace holdfast {
namespace {

constexpr std::size_t kLongestShown = 60;
constexpr std::size_t kMostShownLines = 200;

struct HttpParts {
  std::string start;               // without the line's end
  std::vector<std::string> lines;  // headers
  std::string_view body;
};

HttpParts parts_of(std::string_view bytes) {
  HttpParts out;
  while (!bytes.empty() && out.lines.size() < kMostShownLines) {
    const auto end = bytes.find('\n');
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() && !out.start.empty()) break;
    if (out.start.empty()) {
      out.start = line;
    } else {
      out.lines.emplace_back(line);
    }
  }
  out.body = bytes;
  return out;
}

std::string shown_text(std::string_view text) {
  std::string out(text.substr(0, kLongestShown));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return out + (text.size() > kLongestShown ? "..." : "");
}

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// "PUT", "/locks/orders", and the conditions.
std::vector<std::string> http_words(const RelayedRequest& request) {
  const HttpParts parts = parts_of(request.bytes);
  const auto first = parts.start.find(' ');
  const auto last = parts.start.rfind(' ');
  std::vector<std::string> out{parts.start.substr(0, first)};
  if (first != std::string::npos && last > first) out.push_back(parts.start.substr(first + 1, last - first - 1));
  for (const auto& line : parts.lines) {
    if (in_lower_case(line.substr(0, 3)) == "if-") out.push_back(line);
  }
  return out;
}

std::string http_request(const RelayedRequest& request) {
  std::string out;
  for (const auto& word : http_words(request)) out += (out.empty() ? "" : " ") + shown_text(word);
  const HttpParts parts = parts_of(request.bytes);
  return parts.body.empty() ? out : out + " '" + shown_text(parts.body) + "'";
}

std::string http_name(const RelayedRequest& request) {
  return in_lower_case(http_words(request).front());
}

std::string http_status(const HttpParts& parts) {
  const auto blank = parts.start.find(' ');
  return blank == std::string::npos ? "" : parts.start.substr(blank + 1, 3);
}

std::string element_in(std::string_view body, std::string_view open, std::string_view close) {
  const auto begin = body.find(open);
  if (begin == std::string_view::npos) return "";
  const std::string_view rest = body.substr(begin + open.size());
  return rest.find(close) == std::string_view::npos ? "" : shown_text(rest.substr(0, rest.find(close)));
}

std::string http_reply(std::string_view reply) {
  const HttpParts parts = parts_of(reply);
  const std::string code = element_in(parts.body, "<Code>", "</Code>");
  std::string out = http_status(parts) + (code.empty() ? "" : " " + code);
  for (const auto& line : parts.lines) {
    if (in_lower_case(line.substr(0, 5)) == "etag:") out += " " + shown_text(line);
  }
  if (code.empty() && !parts.body.empty()) out += " '" + shown_text(parts.body) + "'";
  return out;
}

// A server that answers 4xx has refused the request.
bool http_may_change(const RelayedRequest& request, std::string_view reply) {
  const std::string method = http_name(request);
  return method != "get" && method != "head" && http_status(parts_of(reply)).rfind('4', 0) != 0;
}

}  // namespace

const WireText kHttpText{http_words, http_request, http_name, http_reply, http_may_change};

}  // namespace holdfast
