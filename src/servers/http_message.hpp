// A request by HTTP and the answer to it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace holdfast {

struct HttpRequest {
  std::string method;                // GET, POST, PUT or DELETE
  std::string path;                  // "/v3/kv/put"
  std::vector<std::string> headers;  // "Content-Type: application/json"
  std::string body;                  // of POST and PUT
};

struct HttpAnswer {
  long status = 0;
  std::string body;
  std::map<std::string, std::string> headers;  // by name in lower case; the last of several counts

  const std::string& header(const std::string& name) const;  // empty: not given
};

// Seconds since 1970 of an HTTP date; -1: not a date.
std::int64_t http_date_s(const std::string& text);

}  // namespace holdfast
