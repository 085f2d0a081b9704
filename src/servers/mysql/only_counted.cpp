#include "servers/mysql/only_counted.hpp"

#include <algorithm>
#include <regex>

namespace holdfast {
namespace {

std::ptrdiff_t places(const std::string& text, const std::string& pattern) {
  const std::regex what(pattern, std::regex::icase);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), what), std::sregex_iterator());
}

}  // namespace

bool only_counted(const std::string& column, const std::vector<std::string>& statements) {
  const std::string name = "\\b" + column + "\\b";
  return std::all_of(statements.begin(), statements.end(), [&](const std::string& text) {
    if (text.find("SELECT *") != std::string::npos) return false;
    return places(text, name) == 2 * places(text, name + "\\s*=\\s*" + name + "\\s*\\+");
  });
}

}  // namespace holdfast
