#include "artifact/pattern.hpp"

#include <regex>

namespace holdfast {

struct Pattern::Compiled {
  std::regex regex;
};

Pattern::Pattern(const std::string& text, Case letters) : compiled_(std::make_unique<Compiled>()) {
  const auto syntax = std::regex::ECMAScript;
  compiled_->regex.assign(text, letters == Case::ignored ? syntax | std::regex::icase : syntax);
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;

bool Pattern::is(const std::string& text) const {
  return std::regex_match(text, compiled_->regex);
}

bool Pattern::in(const std::string& text) const {
  return std::regex_search(text, compiled_->regex);
}

std::vector<std::string> Pattern::groups(const std::string& text) const {
  std::smatch found;
  if (!std::regex_match(text, found, compiled_->regex)) return {};
  return {found.begin() + 1, found.end()};
}

std::vector<std::string> Pattern::places(const std::string& text, std::size_t group) const {
  std::vector<std::string> out;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), compiled_->regex); at != std::sregex_iterator(); ++at) {
    out.push_back((*at)[group].str());
  }
  return out;
}

}  // namespace holdfast
