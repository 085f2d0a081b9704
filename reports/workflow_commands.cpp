#include "reports/workflow_commands.hpp"

#include <fmt/format.h>

#include "reports/shortened.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostTitle = 200;

std::string command_data(std::string_view text, bool in_property) {
  std::string out;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (in_property && (c == ':' || c == ','));
    out += special ? fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c))) : std::string(1, c);
  }
  return out;
}

}  // namespace

void WorkflowCommands::add(Literal name, std::string_view title, const TerminalText& message,
                           const SourcePlace* place) {
  std::string where;
  if (place != nullptr)
    where = fmt::format("file={},line={},", command_data(terminal_text("{}", place->file).text(), true), place->line);
  text_ += fmt::format("::{} {}title={}::{}\n", name.view(), where, command_data(shortened(title, kMostTitle), true),
                       command_data(message.text(), false));
}

// "::name" counts where it is the first that a line has after blanks, "##[name]" wherever it stands.
std::string without_commands(std::string_view text) {
  std::string out;
  bool blank_so_far = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool first = blank_so_far && text.substr(at, 2) == "::";
    const bool old = text.substr(at, 3) == "##[";
    out += text[at];
    if (first) out += ' ';
    if (old) {
      out += "# ";
      ++at;
    }
    blank_so_far = text[at] == '\n' || (blank_so_far && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r'));
  }
  return out;
}

// In JSON only a text can hold these three.
std::string without_commands_in_json(std::string json) {
  for (std::size_t at = json.find("##["); at != std::string::npos; at = json.find("##[", at)) {
    json.replace(at + 2, 1, "\\u005b");
  }
  return json;
}

}  // namespace holdfast
