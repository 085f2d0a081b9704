#include "artifact/server_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace holdfast {

std::set<std::string> server_names(const std::string& text) {
  std::set<std::string> out;
  std::size_t begin = 0;
  int open = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at == text.size() || (open == 0 && text.compare(at, 2, ", ") == 0)) {
      if (at > begin) out.insert(text.substr(begin, at - begin));
      begin = std::min(at + 2, text.size());
      continue;
    }
    if (text[at] == '(') ++open;
    if (text[at] == ')' && open > 0) --open;
  }
  return out;
}

std::string server_text(const std::set<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace holdfast
