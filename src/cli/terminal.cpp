#include "cli/terminal.hpp"

#include <nlohmann/json.hpp>

#include "cli/github.hpp"

namespace holdfast {
namespace {

void print_bytes(std::FILE* to, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), to);
}

template <typename Json>
std::string json_text(const Json& json, int indent) {
  return without_commands_in_json(json.dump(indent, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace

void print_lines(std::FILE* to, const Shown& text) {
  print_bytes(to, for_github(text.text()));
}

void print_json(const nlohmann::json& json, int indent) {
  print_bytes(stdout, json_text(json, indent));
}

void print_json(const nlohmann::ordered_json& json, int indent) {
  print_bytes(stdout, json_text(json, indent));
}

void print_commands(const WorkflowCommands& commands) {
  print_bytes(stderr, commands.text());
}

void print_file(std::string_view text) {
  print_bytes(stdout, text);
}

}  // namespace holdfast
