#include "adapter/manifest.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "adapter/manifest_keys.hpp"
#include "adapter/message_rows.hpp"
#include "adapter/reachable.hpp"
#include "artifact/error.hpp"
#include "artifact/property_words.hpp"

namespace holdfast {
namespace {

struct NeededWord {
  const char* key = "";
  const char* word = "";
};

// Keys that only refine an ability of the adapter.
constexpr NeededWord kNeeded[] = {{"waits_ms", "wait"}, {"watchdog_ms", "background"}};

// The promise needs a time and, if promises are named, a reason. It is void without a way to report a loss.
void check_telling(const JsonNode& root, const Manifest& manifest) {
  const JsonNode* within = root.find("loss_notice_ms");
  const bool tells = manifest.loss_notice_ms > 0;
  for (const auto& [name, words] : property_words()) {
    if (words->promised_by != PromisedBy::locks_that_tell) continue;
    const bool named = manifest.promises && manifest.promises->count(name) > 0;
    if (named && !tells) {
      root.find("promises")->find(name)->refuse("needs a time; remedy: add 'loss_notice_ms'");
    }
    if (tells && manifest.promises && !named) {
      within->refuse("is set, but the promise is missing; remedy: add '" + name + "' with a reason to 'promises'");
    }
  }
  const bool can_tell = manifest.can_do("lost") || manifest.can_do("owned") || manifest.can_do("renew");
  if (!tells || can_tell) return;
  within->refuse(
      "needs an adapter that can 'lost', 'owned' or 'renew', so that a holder can learn of a loss; remedy: add one "
      "of these to 'can', or remove 'loss_notice_ms'");
}

void check_kind(const JsonNode& root, const Manifest& manifest) {
  const JsonNode* ticks = root.find("tick_ms");
  if (ticks != nullptr && !manifest.elects()) {
    ticks->refuse("applies only to an election; remedy: add \"kind\": \"election\", or remove 'tick_ms'");
  }
  if (!manifest.schedules()) return;
  const JsonNode& kind = *root.find("kind");
  if (!manifest.releases) kind.refuse("a scheduler's job ends with release; remedy: remove 'releases'");
  for (const auto& [name, words] : property_words()) {
    const bool named = manifest.promises && manifest.promises->count(name) > 0;
    if (!named || words->promised_by != PromisedBy::locks_that_are_asked) continue;
    root.find("promises")
        ->find(name)
        ->refuse(
            "the start of a scheduler's lease is unknown; remedy: remove this "
            "promise");
  }
  for (const char* word : {"wait", "reenter"}) {
    if (manifest.can_do(word)) {
      kind.refuse(std::string("a scheduler takes no acquire requests, so it cannot '") + word +
                  "'; remedy: remove it from 'can'");
    }
  }
}

void check_together(const JsonNode& root, const Manifest& manifest) {
  for (const NeededWord& needed : kNeeded) {
    const JsonNode* said = root.find(needed.key);
    if (said == nullptr || manifest.can_do(needed.word)) continue;
    said->refuse(std::string("needs an adapter that can '") + needed.word + "'; remedy: add it to 'can', or remove '" +
                 needed.key + "'");
  }
  check_kind(root, manifest);
  check_telling(root, manifest);
  if (!manifest.lease && manifest.can_do("background")) {
    root.find("lease")->refuse(
        "an adapter that renews in the background has a lease; remedy: remove 'background' from 'can', or remove "
        "'lease'");
  }
}

void check_servers(const JsonNode& root, const std::vector<std::string>& kinds) {
  if (kinds.empty()) return;
  for (const JsonNode& kind : root.find("servers")->items) {
    if (std::find(kinds.begin(), kinds.end(), kind.text) == kinds.end()) {
      kind.refuse(unknown_word("kind of server", kind.text, kinds));
    }
  }
}

// Locations of programs and libraries, and of writable folders.
constexpr std::array<const char*, 6> kPassedOn{"PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR", "LANG", "LC_ALL"};

[[noreturn]] void cannot_start(const Manifest& manifest, const std::string& what, const std::string& remedy) {
  throw Unavailable("the adapter " + manifest.name + " cannot be started: " + what + "; remedy: " + remedy);
}

std::string install_remedy(const Manifest& manifest) {
  return manifest.install.empty() ? "install it, or correct 'command'" : manifest.install;
}

[[noreturn]] void refuse_missing(const Manifest& manifest, const std::string& what) {
  cannot_start(manifest, what, install_remedy(manifest));
}

std::string open_remedy(const std::string& closed) {
  return "install it outside of " + closed + " (/usr, /opt), or chmod o+x " + closed +
         ", or start holdfast as its owner";
}

std::string beneath_folder(const Manifest& manifest, const std::string& word) {
  if (word.empty() || word[0] == '/') return word;
  std::error_code wrong;
  const auto folder = std::filesystem::absolute(manifest.folder, wrong);
  return (folder / word).lexically_normal().string();
}

// Reports in which way a file is unreachable.
void require_reach(const Manifest& manifest, const std::string& file) {
  const Reach reach = reach_of(file);
  if (reach.found) return;
  if (reach.closed.empty()) refuse_missing(manifest, reach.what);
  cannot_start(manifest, reach.what, open_remedy(reach.closed));
}

// A program in a closed folder cannot be seen.
std::string in_path(const Manifest& manifest, const std::string& program) {
  std::string closed;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr && *path != '\0' ? path : "/usr/local/bin:/usr/bin:/bin");
  std::error_code wrong;
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = folder + "/" + program;
    const bool there = !folder.empty() && std::filesystem::is_regular_file(file, wrong);
    if (there && ::access(file.c_str(), X_OK) == 0) return file;
    const bool shut = !there && closed.empty() && folder.front() == '/' && !reach_of(file).closed.empty();
    if (shut) closed = file;
  }
  const std::string missing = "there is no program " + program + " in PATH";
  if (closed.empty()) refuse_missing(manifest, missing);
  const std::string folder = reach_of(closed).closed;
  cannot_start(manifest, missing + " (the folder " + folder + " is closed to the lab's user)",
               install_remedy(manifest) + ", outside of " + folder);
}

}  // namespace

bool Manifest::can_do(const std::string& word) const {
  return std::find(can.begin(), can.end(), word) != can.end();
}

Manifest read_manifest(const std::string& text, const std::string& file, const std::vector<std::string>& servers) {
  const JsonNode root = parse_json_text(text, file);
  ObjectReader in(root);
  Manifest manifest;
  read_keys(manifest_keys(), in, manifest);
  in.node("$schema");  // for editors
  in.finish();
  check_together(root, manifest);
  check_servers(root, servers);
  const auto slash = file.rfind('/');
  manifest.folder = slash == std::string::npos ? "." : slash == 0 ? "/" : file.substr(0, slash);
  manifest.file = slash == std::string::npos ? file : file.substr(slash + 1);
  return manifest;
}

Manifest load_manifest(const std::string& file, const std::vector<std::string>& servers) {
  return read_manifest(read_text_file(file), file, servers);
}

Manifest manifest_of(const NamedCommand& command) {
  Manifest manifest;
  manifest.name = command.name;
  manifest.command = command.words;
  return manifest;
}

nlohmann::json canonical_json(const Manifest& manifest) {
  auto out = nlohmann::json::object();
  write_keys(manifest_keys(), manifest, out);
  return out;
}

std::vector<std::string> promised_properties(const Manifest& manifest) {
  if (!manifest.promises) {
    return properties_promised_by(
        {.fenced = manifest.fenced,
         .has_owners = manifest.releases || manifest.can_do("renew") || manifest.can_do("background"),
         .asked = !manifest.schedules(),
         .tells = manifest.loss_notice_ms > 0,
         .tells_leader = manifest.elects() && manifest.can_do("leader"),
         .asserts = true});
  }
  std::vector<std::string> names;
  for (const auto& [name, why] : *manifest.promises) names.push_back(name);
  for (const std::string& name : properties_promised_by({.asked = false, .asserts = true})) {
    const PropertyWords* words = find_entry(property_words(), name);
    const bool asserted = words->promised_by == PromisedBy::locks_that_assert;
    if (asserted && manifest.promises->count(name) == 0) names.push_back(name);
  }
  return names;
}

Schema manifest_schema() {
  Schema properties = properties_of(manifest_keys());
  add_defaults(manifest_keys(), properties);
  properties["$schema"] = {{"type", "string"}, {"description", "for editors"}};
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "a lock adapter's manifest, lock.json"},
          {"type", "object"},
          {"required", {"name", "command", "servers"}},
          {"additionalProperties", false},
          {"properties", properties},
          {"definitions",
           {{"milliseconds", {{"type", "integer"}, {"minimum", kAnyTime.least}, {"maximum", kAnyTime.most}}}}}};
}

std::vector<std::string> found_command(const Manifest& manifest) {
  for (const std::string& path : manifest.paths) {
    const std::string file = beneath_folder(manifest, path);
    require_reach(manifest, file);
    if (::access(file.c_str(), R_OK) != 0) refuse_missing(manifest, file + " may not be read (chmod o+r)");
  }
  std::vector<std::string> words = manifest.command;
  for (std::string& word : words) {
    if (word.rfind("./", 0) == 0) word = beneath_folder(manifest, word);
  }
  std::string& program = words.front();
  if (program.find('/') == std::string::npos) {
    program = in_path(manifest, program);
    return words;
  }
  program = beneath_folder(manifest, program);
  std::error_code wrong;
  require_reach(manifest, program);
  if (!std::filesystem::is_regular_file(program, wrong)) refuse_missing(manifest, program + " is not a file");
  if (::access(program.c_str(), X_OK) != 0) refuse_missing(manifest, program + " is not executable (chmod +x)");
  return words;
}

std::map<std::string, std::string> adapter_environment(const Manifest& manifest) {
  std::map<std::string, std::string> out;
  const auto take = [&](const std::string& name) {
    const char* value = std::getenv(name.c_str());
    if (value != nullptr) out[name] = value;
  };
  for (const char* name : kPassedOn) take(name);
  for (const std::string& name : manifest.environment) take(name);
  return out;
}

}  // namespace holdfast
