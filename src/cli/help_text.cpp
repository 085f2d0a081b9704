#include "cli/help_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace holdfast {
namespace {

constexpr std::size_t kNameColumns = 28;  // columns of an option's names
constexpr std::size_t kUsualWidth = 100;
constexpr std::size_t kLeastWidth = 60;
constexpr std::size_t kMostWidth = 140;

constexpr const char* kExitCodes =
    "Exit codes: 0 as expected, 1 not as expected, 2 usage error, 3 undecided, not\n"
    "exercised, not judged or not run, 4 cannot run on this machine, 5 harness\n"
    "error, 130 interrupted.";

std::size_t width() {
  const char* const columns = std::getenv("COLUMNS");
  std::size_t found = 0;
  if (columns == nullptr) return kUsualWidth;
  const auto [end, error] = std::from_chars(columns, columns + std::strlen(columns), found);
  return error == std::errc() && *end == '\0' ? std::clamp(found, kLeastWidth, kMostWidth) : kUsualWidth;
}

// Returns `first`, which occupies `used` columns, followed by the text at column `indent`.
std::string wrapped(std::string first, std::size_t used, std::size_t indent, const std::string& text) {
  if (used + 2 > indent) {
    first += '\n';
    used = 0;
  }
  std::string out = first + std::string(indent - used, ' ');
  std::size_t at = indent;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (at > indent && at + 1 + word.size() > width()) {
      out += '\n' + std::string(indent, ' ');
      at = indent;
    } else if (at > indent) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
  }
  return out + '\n';
}

// "[1 - 256]" in "INT:INT in [1 - 256]", as "1 to 256"; empty: any number.
std::string range_of(const std::string& type) {
  const auto open = type.find('[');
  const auto close = type.find(']', open);
  if (open == std::string::npos || close == std::string::npos) return "";
  std::string out = type.substr(open + 1, close - open - 1);
  const auto dash = out.find(" - ");
  return dash == std::string::npos ? "" : out.replace(dash, 3, " to ");
}

// "a|b" of "TEXT:{a,b}"; empty: any text.
std::string words_of(const std::string& type) {
  const auto open = type.find('{');
  const auto close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return "";
  std::string out = type.substr(open + 1, close - open - 1);
  std::replace(out.begin(), out.end(), ',', '|');
  return out;
}

std::string upper_case(std::string text) {
  for (char& c : text) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string names = is_positional ? option->get_name(true) : names_of(*option);
    if (is_positional && option->get_items_expected_max() > 1) names += " ...";
    names.insert(0, "  ");
    const std::size_t used = names.size();
    return wrapped(std::move(names), used, kNameColumns, option_text(*option));
  }
  std::string make_description(const CLI::App* app) const override {
    const std::string& text = app->get_description();
    return text.empty() ? "" : wrapped("", 0, 0, text);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    const std::string name = "  " + command->get_name();
    return wrapped(name, name.size(), kNameColumns, command->get_description());
  }

 private:
  static std::string names_of(const CLI::Option& option) {
    std::string out;
    for (const auto& name : option.get_snames()) out += (out.empty() ? "-" : ", -") + name;
    for (const auto& name : option.get_lnames()) out += (out.empty() ? "--" : ", --") + name;
    const std::string value = value_name(option);
    return value.empty() ? out : out + ' ' + value;
  }
};

}  // namespace

std::string value_name(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  const std::string type = option.get_type_name();
  if (const std::string words = words_of(type); !words.empty()) return words;
  if (type.rfind("INT", 0) == 0 || type.rfind("UINT", 0) == 0) return "N";
  if (type.rfind("TEXT", 0) != 0) return type;
  return option.get_lnames().empty() ? "TEXT" : upper_case(option.get_lnames().front());
}

std::string option_text(const CLI::Option& option) {
  const std::string range = range_of(option.get_type_name());
  const std::string usual = option.get_default_str();
  std::string more = range;
  if (!usual.empty()) more += (more.empty() ? "default: " : "; default: ") + usual;
  if (option.get_required()) more += more.empty() ? "required" : "; required";
  return option.get_description() + (more.empty() ? "" : " (" + more + ")");
}

std::shared_ptr<CLI::FormatterBase> help_formatter() {
  return std::make_shared<HelpFormatter>();
}

void give_examples(CLI::App* command, const std::vector<std::string>& lines) {
  std::string text = lines.empty() ? "" : "Examples:\n";
  for (const auto& line : lines) text += "  " + line + '\n';
  command->footer(text + (lines.empty() ? "" : "\n") + kExitCodes);
}

}  // namespace holdfast
