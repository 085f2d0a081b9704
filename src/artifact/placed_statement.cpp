#include "artifact/placed_statement.hpp"

#include <charconv>
#include <stdexcept>

namespace holdfast {

std::string at_server(std::string_view statement, std::uint32_t server) {
  return std::string(statement) + kAtServer + std::to_string(server);
}

PlacedStatement placed(std::string_view statement) {
  const auto at = statement.find(kAtServer);
  if (at == std::string_view::npos) return {statement, 0};
  PlacedStatement out{statement.substr(0, at), 0};
  const std::string_view digits = statement.substr(at + 1);
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, out.server);
  if (digits.empty() || error != std::errc() || stop != end) {
    throw std::logic_error("'" + std::string(statement) + "' names no server after its " + kAtServer);
  }
  return out;
}

bool says_server(std::string_view statement) {
  return statement.find(kAtServer) != std::string_view::npos;
}

bool is_called(std::string_view passed, std::string_view wanted) {
  if (passed == wanted) return true;
  return !says_server(wanted) && passed.substr(0, passed.find(kAtServer)) == wanted;
}

}  // namespace holdfast
