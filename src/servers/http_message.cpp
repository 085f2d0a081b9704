#include "servers/http_message.hpp"

#include <ctime>

namespace holdfast {

const std::string& HttpAnswer::header(const std::string& name) const {
  static const std::string kNone;
  const auto found = headers.find(name);
  return found == headers.end() ? kNone : found->second;
}

std::int64_t http_date_s(const std::string& text) {
  std::tm parts{};
  const char* end = ::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return end == nullptr || *end != '\0' ? -1 : static_cast<std::int64_t>(::timegm(&parts));
}

}  // namespace holdfast
