#include "lock/adapter_locks.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "adapter/command_words.hpp"
#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifestFile = "lock.json";
const std::string kPassedAs =
    "HOLDFAST_ADAPTER_";  // what begins with HOLDFAST_ reaches all processes (lab/process.cpp)
constexpr const char* kTextsFile = "lock.md";
constexpr const char* kUsualServer = "redis";  // of an adapter that names none

// By the lock's name: the words of a command line that add it again.
std::map<std::string, std::vector<std::string>>& words_of_added() {
  static std::map<std::string, std::vector<std::string>> all;
  return all;
}

const std::string& server_of_adapter(const Manifest& manifest) {
  static const std::string usual = kUsualServer;
  return manifest.servers.empty() ? usual : manifest.servers.front();
}

void add_adapter(const Manifest& manifest, std::vector<std::string> words) {
  add_lock(manifest.name, lock_type_of(manifest));
  words_of_added()[manifest.name] = std::move(words);
}

void add_manifest(const std::string& given) {
  std::error_code none;
  const fs::path path = fs::is_directory(given, none) ? fs::path(given) / kManifestFile : fs::path(given);
  const std::string file = fs::absolute(path).lexically_normal().string();
  add_adapter(load_manifest(file, entry_names(server_types())), {"--adapter", file});
}

// "NAME@SERVER=COMMAND": the server is no part of what NamedCommand reads.
void add_command(const std::string& given) {
  const auto equals = given.find('=');
  const auto at = given.find('@');
  const bool names_server = at < equals;
  const std::string server = names_server ? given.substr(at + 1, equals - at - 1) : kUsualServer;
  if (find_entry(server_types(), server) == nullptr) {
    throw BadInput("--adapter-command: " + unknown_word("kind of server", server, entry_names(server_types())));
  }
  Manifest manifest = manifest_of(named_command(names_server ? given.substr(0, at) + given.substr(equals) : given));
  manifest.folder = fs::current_path().string();
  manifest.servers = {server};
  add_adapter(manifest, {"--adapter-command", given});
}

}  // namespace

void add_adapters(const AdapterOrder& order) {
  for (const auto& given : order.manifests) add_manifest(given);
  for (const auto& given : order.commands) add_command(given);
}

void add_adapters_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code none;
  for (fs::directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
    const bool taken = find_entry(locks(), entry->path().filename().string()) != nullptr;
    if (const fs::path file = entry->path() / kManifestFile; !taken && fs::is_regular_file(file, none)) {
      files.push_back(file.string());
    }
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) add_manifest(file);
}

LockType lock_type_of(const Manifest& manifest) {
  LockType out;
  out.server = server_of_adapter(manifest);
  out.driver = "adapter";
  out.lease = manifest.lease;
  out.renews = manifest.can_do("renew");
  out.releases = manifest.releases;
  out.fenced = manifest.fenced;
  out.whole_seconds = manifest.whole_seconds;
  out.reentrant = manifest.can_do("reenter");
  out.waits = manifest.can_do("wait");
  out.waits_ms = manifest.waits_ms;
  out.guard_ms = manifest.guard_ms;
  out.tick_ms = manifest.tick_ms;
  out.watchdog_ms = manifest.watchdog_ms;
  out.manifest = std::make_shared<const Manifest>(manifest);
  return out;
}

std::vector<std::string> adapter_words(const std::string& lock) {
  const auto found = words_of_added().find(lock);
  return found == words_of_added().end() ? std::vector<std::string>() : found->second;
}

std::map<std::string, std::string> adapter_variables(const std::string& lock) {
  std::map<std::string, std::string> out;
  const auto& manifest = lock_type(lock).manifest;
  if (manifest == nullptr) return out;
  for (const auto& name : manifest->environment) {
    if (const char* value = std::getenv(name.c_str())) out[kPassedAs + name] = value;
  }
  return out;
}

void take_adapter_variables(const std::string& lock) {
  const auto& manifest = lock_type(lock).manifest;
  if (manifest == nullptr) return;
  for (const auto& name : manifest->environment) {
    if (const char* value = std::getenv((kPassedAs + name).c_str())) ::setenv(name.c_str(), value, 1);
  }
}

std::string stored_adapter(const std::string& lock) {
  const auto& manifest = lock_type(lock).manifest;
  return manifest == nullptr ? "" : canonical_json(*manifest).dump();
}

LockTexts adapter_texts(const std::string& lock) {
  const auto& manifest = lock_type(lock).manifest;
  if (manifest == nullptr) throw HarnessError(lock + " is no adapter");
  const fs::path file = fs::path(manifest->folder) / kTextsFile;
  std::error_code none;
  if (fs::is_regular_file(file, none)) return read_lock_texts(read_text_file(file.string()), file.string(), lock);
  LockTexts out;
  out.about = "an adapter" + (manifest->language.empty() ? "" : " in " + manifest->language);
  return out;
}

}  // namespace holdfast
