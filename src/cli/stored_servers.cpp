#include "cli/stored_servers.hpp"

#include <filesystem>
#include <set>

#include "artifact/error.hpp"
#include "cli/output.hpp"
#include "servers/server_choice.hpp"
#include "servers/target.hpp"

namespace holdfast {
namespace {

std::set<std::string> servers_in(const ServerFlags& flags, const std::string& directory) {
  std::set<std::string> out;
  for (const auto& server : flags.servers) out.insert(absolute_server(server, directory));
  return out;
}

std::string flag_word(Literal flag, const std::string& value) {
  return ShellCommand().flag(flag, value).text();
}

[[noreturn]] void refuse(const std::string& folder, const std::string& flag, const char* does) {
  throw BadInput(folder + "/run.json: the run was begun with " + flag + ", and nothing that a folder names is " + does +
                 "; remedy: if you trust it, repeat it: " + flag);
}

}  // namespace

std::string absolute_server(const std::string& name_and_path, const std::string& directory) {
  const auto equals = name_and_path.find('=');
  if (equals == std::string::npos || equals + 1 == name_and_path.size()) return name_and_path;
  const auto path = std::filesystem::path(directory) / name_and_path.substr(equals + 1);
  const std::string word = name_and_path.substr(0, equals);
  const std::string name = program_name(word);
  return (name.empty() ? word : name) + "=" + path.lexically_normal().string();
}

void check_servers_of(const std::string& folder, const ServerFlags& stored, const std::string& directory,
                      const ServerFlags& given) {
  const auto then = servers_in(stored, directory);
  const auto now = servers_in(given, std::filesystem::current_path().string());
  for (const auto& server : then) {
    if (!now.contains(server)) refuse(folder, flag_word("--server", server), "started");
  }
  for (const auto& server : now) {
    if (!then.contains(server)) {
      throw BadInput(flag_word("--server", server) + ": the run of " + folder +
                     " was begun without it; remedy: " + "leave it out, or begin a new run");
    }
  }
  const std::string target = given.target.empty() ? "" : parse_target(given.target).text();
  if (target == stored.target) return;
  if (!stored.target.empty()) refuse(folder, flag_word("--target", stored.target), "connected to");
  throw BadInput("--target: the run of " + folder +
                 " was begun on no target; remedy: leave it out, or begin a new run");
}

}  // namespace holdfast
