#include "adapter/manifest.hpp"

#include <algorithm>

#include "adapter/manifest_keys.hpp"
#include "adapter/message_rows.hpp"
#include "artifact/error.hpp"
#include "artifact/property_words.hpp"

namespace holdfast {
namespace {

struct NeededWord {
  const char* key = "";
  const char* word = "";
};

// A key that only says something of what the adapter can.
constexpr NeededWord kNeeded[] = {{"waits_ms", "wait"}, {"watchdog_ms", "background"}};

void check_together(const JsonNode& root, const Manifest& manifest) {
  for (const NeededWord& needed : kNeeded) {
    const JsonNode* said = root.find(needed.key);
    if (said == nullptr || manifest.can_do(needed.word)) continue;
    said->refuse(std::string("is said of an adapter that can '") + needed.word +
                 "'; remedy: add it to 'can', or remove '" + needed.key + "'");
  }
  if (!manifest.lease && manifest.can_do("background")) {
    root.find("lease")->refuse("what renews by itself has a lease; remedy: remove 'background' from 'can', or 'lease'");
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
  std::vector<std::string> names;
  if (manifest.promises) {
    for (const auto& [name, why] : *manifest.promises) names.push_back(name);
    return names;
  }
  const bool owners = manifest.releases || manifest.can_do("renew") || manifest.can_do("background");
  for (const auto& [name, words] : property_words()) {
    const bool by_facts = (words->promised_by == PromisedBy::fenced_locks && manifest.fenced) ||
                          (words->promised_by == PromisedBy::locks_with_owners && owners);
    if (words->promised_by == PromisedBy::every_lock || by_facts) names.push_back(name);
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

}  // namespace holdfast
