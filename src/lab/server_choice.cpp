#include "lab/server_choice.hpp"

#include <unistd.h>
#include <filesystem>
#include <map>

#include "artifact/error.hpp"
#include "lab/process.hpp"

namespace holdfast {
namespace {

std::map<std::string, std::string>& choices() {
  static std::map<std::string, std::string> all;
  return all;
}

}  // namespace

void choose_server(const std::string& name_and_path) {
  const auto equals = name_and_path.find('=');
  std::string name = name_and_path.substr(0, equals);
  if (name == "mysqld") name = "mariadbd";
  if (equals == std::string::npos || (name != "mariadbd" && name != "redis-server")) {
    throw BadInput("--server " + name_and_path + ": write mysqld=PATH or redis-server=PATH");
  }
  if (equals + 1 == name_and_path.size()) throw BadInput("--server " + name_and_path + ": no path is given");
  const std::string path = std::filesystem::absolute(name_and_path.substr(equals + 1)).string();
  if (!std::filesystem::is_regular_file(path) || ::access(path.c_str(), X_OK) != 0) {
    throw BadInput("--server " + name_and_path + ": there is no program of that path");
  }
  choices()[name] = path;
}

std::optional<std::string> chosen_server(const std::string& name) {
  const auto found = choices().find(name);
  return found == choices().end() ? std::nullopt : std::optional(found->second);
}

std::string find_server(const std::string& name, const std::string& package) {
  const auto chosen = chosen_server(name);
  return chosen ? *chosen : find_program(name, package);
}

}  // namespace holdfast
