#include "servers/server_choice.hpp"

#include <unistd.h>
#include <filesystem>
#include <map>

#include "artifact/error.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

std::map<std::string, std::string>& choices() {
  static std::map<std::string, std::string> all;
  return all;
}

}  // namespace

std::string program_name(const std::string& word) {
  for (const auto& [kind, type] : server_types()) {
    for (const auto& program : type->programs) {
      if (word == program.name || (word == program.alias && !word.empty())) return program.name;
    }
  }
  return "";
}

void choose_server(const std::string& name_and_path) {
  const auto equals = name_and_path.find('=');
  const std::string name = program_name(name_and_path.substr(0, equals));
  if (equals == std::string::npos || name.empty()) {
    throw BadInput("--server " + name_and_path + ": write " + server_choices());
  }
  if (equals + 1 == name_and_path.size()) throw BadInput("--server " + name_and_path + ": no path is given");
  const std::string path = std::filesystem::absolute(name_and_path.substr(equals + 1)).string();
  if (!std::filesystem::is_regular_file(path) || ::access(path.c_str(), X_OK) != 0) {
    throw BadInput("--server " + name_and_path + ": no such program");
  }
  choices()[name] = path;
}

std::string server_choices() {
  std::string out;
  for (const auto& [kind, type] : server_types()) {
    for (const auto& program : type->programs) {
      out += (out.empty() ? "" : " or ") + std::string(program.name) + "=PATH";
    }
  }
  return out;
}

std::optional<std::string> chosen_server(const std::string& name) {
  const auto found = choices().find(name);
  return found == choices().end() ? std::nullopt : std::optional(found->second);
}

std::string find_server(const std::string& choice, const std::string& program, const Package& package) {
  const auto chosen = chosen_server(choice);
  return chosen ? *chosen : find_program(program, package);
}

}  // namespace holdfast
