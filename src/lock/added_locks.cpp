#include "lock/added_locks.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "adapter/command_words.hpp"
#include "adapter/manifest.hpp"
#include "adapter/running_time.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/plain_file.hpp"
#include "lock/statement_lock.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifestFile = "lock.json";
const std::string kPassedAs =
    "HOLDFAST_ADAPTER_";  // names with HOLDFAST_ are passed to all processes (lab/process.cpp)
constexpr const char* kTextsFile = "lock.md";
constexpr std::int64_t kUsualTick_ms = 1000;   // for an election
constexpr const char* kUsualServer = "redis";  // for an adapter without `servers`

// By the lock's name: its texts as they were when it was added.
std::map<std::string, LockTexts>& texts_of_added() {
  static std::map<std::string, LockTexts> all;
  return all;
}

// By the lock's name: command-line words that add it again.
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

// Each of several manifests in a folder may have its own texts, NAME.md; lock.md belongs to lock.json, and to another
// manifest only if its title says so.
std::string texts_file(const Manifest& manifest) {
  std::error_code none;
  const fs::path own = fs::path(manifest.folder) / (manifest.name + ".md");
  if (fs::is_regular_file(own, none)) return own.string();
  const fs::path usual = fs::path(manifest.folder) / kTextsFile;
  if (!fs::is_regular_file(usual, none)) return "";
  if (manifest.file == kManifestFile) return usual.string();
  const std::string text = read_text_file(usual.string());
  return text.substr(0, text.find_first_of("\r\n")) == "# " + manifest.name ? usual.string() : "";
}

LockTexts read_texts(const Manifest& manifest) {
  const std::string file = texts_file(manifest);
  if (!file.empty()) return read_lock_texts(read_text_file(file), file, manifest.name);
  LockTexts out;
  out.about = "an adapter" + (manifest.language.empty() ? "" : " in " + manifest.language);
  return out;
}

std::string manifest_file(const std::string& given) {
  std::error_code none;
  const bool folder = fs::is_directory(given, none);
  const fs::path path = folder ? found_file((fs::path(given) / kManifestFile).string()) : given;
  return fs::absolute(path).lexically_normal().string();
}

void add_manifest(const std::string& given) {
  const std::string file = manifest_file(given);
  add_adapter(load_manifest(file, entry_names(server_types())), {"--adapter", file});
}

// "NAME@SERVER=COMMAND": NamedCommand does not parse the server.
Manifest manifest_of_command(const std::string& given) {
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
  return manifest;
}

std::string absolute_file(const std::string& given) {
  return fs::absolute(given).lexically_normal().string();
}

LockFile load_lock_file(const std::string& given) {
  std::error_code none;
  if (fs::file_size(given, none) > kLargestLockFile && !none) {
    throw BadInput(given + ":1: is larger than 64 KiB; remedy: keep only the statements of one lock");
  }
  return read_lock_file(read_text_file(given), absolute_file(given));
}

void add_lock_file(const std::string& given) {
  const auto file = std::make_shared<const LockFile>(load_lock_file(given));
  LockType type = file->type;
  type.make = [file] { return make_statement_lock(file); };
  type.file = file;
  add_lock(file->name, std::move(type));
  words_of_added()[file->name] = {"--lock-file", file->path};
}

}  // namespace

bool is_lock_file(const std::string& path) {
  const std::string language = fs::path(path).extension().string();
  return std::any_of(server_types().begin(), server_types().end(),
                     [&](const auto& entry) { return language == std::string(".") + entry.type->form.folder; });
}

std::vector<std::string> names_of(const LocksToAdd& order) {
  std::vector<std::string> out;
  for (const auto& given : order.manifests) {
    out.push_back(load_manifest(manifest_file(given), entry_names(server_types())).name);
  }
  for (const auto& given : order.commands) out.push_back(manifest_of_command(given).name);
  for (const auto& given : order.lock_files) out.push_back(load_lock_file(given).name);
  return out;
}

std::vector<std::string> add_locks(const LocksToAdd& order) {
  const std::size_t before = locks().size();
  for (const auto& given : order.manifests) add_manifest(given);
  for (const auto& given : order.commands) add_adapter(manifest_of_command(given), {"--adapter-command", given});
  for (const auto& given : order.lock_files) add_lock_file(given);
  std::vector<std::string> out;
  for (std::size_t i = before; i < locks().size(); ++i) out.push_back(locks()[i].name);
  return out;
}

void read_added_lock_texts() {
  for (const auto& [name, words] : words_of_added()) {
    if (const auto& manifest = lock_type(name).manifest) texts_of_added()[name] = read_texts(*manifest);
  }
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
  out.renews_unseen = manifest.can_do("background");
  out.releases = manifest.releases;
  out.fenced = manifest.fenced;
  out.whole_seconds = manifest.whole_seconds;
  out.reentrant = manifest.can_do("reenter");
  out.scheduled = manifest.schedules();
  out.tells_leader = manifest.can_do("leader");
  out.waits = manifest.can_do("wait") || manifest.schedules();
  out.waits_ms = manifest.waits_ms;
  out.guard_ms = manifest.guard_ms;
  if (manifest.elects()) out.tick_ms = manifest.tick_ms > 0 ? manifest.tick_ms : kUsualTick_ms;
  out.watchdog_ms = manifest.watchdog_ms;
  out.loss_notice_ms = manifest.loss_notice_ms;
  out.manifest = std::make_shared<const Manifest>(manifest);
  return out;
}

std::int64_t longest_start_ms(const LockType& type) {
  return type.manifest == nullptr ? 0 : kLongestStretch * type.manifest->start_ms;
}

std::vector<std::string> added_lock_words(const std::string& lock) {
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

std::string stored_lock(const std::string& lock) {
  const auto& manifest = lock_type(lock).manifest;
  if (const auto& file = lock_type(lock).file; file != nullptr) {
    return text_of_json(nlohmann::json{{"lock_file", file->text}});
  }
  return manifest == nullptr ? "" : text_of_json(canonical_json(*manifest));
}

void check_lock_file(const std::string& lock, const std::string& stored) {
  const auto& file = lock_type(lock).file;
  if (file == nullptr || stored_lock(lock) == stored) return;
  throw HarnessError(file->path + ": changed during the run");
}

std::vector<std::string> notes_of(const std::vector<std::string>& locks) {
  std::vector<std::string> out;
  for (const auto& lock : locks) {
    const std::string name = lock.substr(0, lock.find('+'));
    const LockType* type = find_entry(holdfast::locks(), name);
    if (type == nullptr || type->manifest == nullptr || type->manifest->note.empty()) continue;
    const std::string note = name + ": " + type->manifest->note;
    if (std::find(out.begin(), out.end(), note) == out.end()) out.push_back(note);
  }
  return out;
}

LockTexts added_lock_texts(const std::string& lock) {
  if (const auto& own = lock_type(lock).file; own != nullptr) {
    LockTexts out;
    out.about = own->about.empty() ? "a file of statements" : own->about;
    out.instead = own->instead;
    return out;
  }
  const auto& manifest = lock_type(lock).manifest;
  if (manifest == nullptr) throw HarnessError(lock + " is not an adapter");
  const auto known = texts_of_added().find(lock);
  return known != texts_of_added().end() ? known->second : read_texts(*manifest);
}

}  // namespace holdfast
