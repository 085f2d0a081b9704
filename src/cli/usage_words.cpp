#include "cli/usage_words.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

using Split = std::optional<std::pair<std::string, std::string>>;

// The parts before and after the first `mark`.
Split split_at(const std::string& text, std::string_view mark) {
  const auto at = text.find(mark);
  if (at == std::string::npos) return std::nullopt;
  return std::pair{text.substr(0, at), text.substr(at + mark.size())};
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : list + ",") {
    if (c == ',') out.push_back(std::exchange(word, ""));
    if (c != ',') word += c;
  }
  return out;
}

// "zml not in {html,json}" of `name`.
std::optional<std::string> choice_words(const std::string& name, const std::string& what) {
  const Split split = split_at(what, " not in {");
  if (!split || !ends_with(split->second, "}")) return std::nullopt;
  const std::string list = split->second.substr(0, split->second.size() - 1);
  return name + ": " + unknown_word("value", split->first, words_of(list));
}

// "Value 0 not in range 1 to 9" of `name`; later parser versions: "... [1 - 9]".
std::optional<std::string> range_words(const std::string& name, const std::string& what) {
  constexpr std::string_view begin = "Value ";
  const Split split = split_at(what, " not in range ");
  if (!split || split->first.rfind(begin, 0) != 0) return std::nullopt;
  std::string range = split->second;
  if (range.size() > 2 && range.front() == '[' && range.back() == ']') range = range.substr(1, range.size() - 2);
  Split bounds = split_at(range, " to ");
  if (!bounds) bounds = split_at(range, " - ");
  if (!bounds) return std::nullopt;
  return name + ": must be a number from " + bounds->first + " to " + bounds->second + ", not '" +
         split->first.substr(begin.size()) + "'";
}

// "1 required INT:INT in [1 - 256] missing" of `name`.
std::optional<std::string> missing_words(const std::string& name, const std::string& what) {
  const Split split = split_at(what, " required ");
  if (!split || !ends_with(split->second, " missing")) return std::nullopt;
  return name + ": the value is missing";
}

}  // namespace

std::string usage_words(const std::string& parsers) {
  if (const Split split = split_at(parsers, " is required"); split && split->second.empty()) {
    return (split->first == "A subcommand" ? "a subcommand" : split->first) + " is missing";
  }
  if (const Split split = split_at(parsers, " excludes "); split && split->first.find(' ') == std::string::npos) {
    return split->first + " and " + split->second + " cannot be combined";
  }
  const Split named = split_at(parsers, ": ");
  if (!named) return parsers;
  for (const auto words : {choice_words, range_words, missing_words}) {
    if (const auto said = words(named->first, named->second)) return *said;
  }
  return parsers;
}

}  // namespace holdfast
