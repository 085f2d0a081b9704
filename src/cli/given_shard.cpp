#include "cli/given_shard.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/run_directory.hpp"

namespace holdfast {
namespace {

std::string number_text(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? std::to_string(found->get<std::int64_t>()) : "?";
}

std::string word_text(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "?";
}

// Null for an interrupted shard, which has none.
nlohmann::json environment_in(const std::string& folder) {
  const RunDirectory run(folder);
  if (!run.has("environment.json")) return nullptr;
  return parse_json(run.read("environment.json"), run.path_of("environment.json"));
}

std::string machine_of(const nlohmann::json& said) {
  if (said.is_null()) return "unknown: the shard did not finish";
  if (!said.is_object()) return "not known";
  return fmt::format("{}, {}, {} processors, {} MiB", word_text(said, "kernel"), word_text(said, "machine"),
                     number_text(said, "processors"), number_text(said, "memory_mib"));
}

std::vector<std::string> names_of_servers(const std::vector<std::string>& servers) {
  std::vector<std::string> out;
  out.reserve(servers.size());
  // paths differ between machines
  for (const auto& server : servers) out.push_back(server.substr(0, server.find('=')));
  std::sort(out.begin(), out.end());
  return out;
}

std::string shown_value(const std::string& value) {
  return value.empty() ? "none" : value;
}

std::string shown_value(const std::vector<std::string>& values) {
  return values.empty() ? "none" : fmt::format("{}", fmt::join(values, ", "));
}

// First difference between the settings of two shards, in words; empty: none.
std::string difference(const RunManifest& first, const RunManifest& other) {
  const auto differs = [](const char* what, const auto& a, const auto& b) {
    return a == b ? std::string()
                  : fmt::format("{} is {} in that shard, but {} in this one", what, shown_value(a), shown_value(b));
  };
  const RunFlags& one = first.flags;
  const RunFlags& two = other.flags;
  const std::string found[] = {
      differs("the number of shards", std::to_string(first.dealing->shard.of), std::to_string(other.dealing->shard.of)),
      differs("--seed", std::to_string(one.seed), std::to_string(two.seed)),
      differs("--seeds", one.seeds, two.seeds),
      differs("--repeat", std::to_string(one.repeat), std::to_string(two.repeat)),
      differs("--until-caught", std::string(one.until_caught ? "given" : ""),
              std::string(two.until_caught ? "given" : "")),
      differs("--confidence", one.confidence, two.confidence),
      differs("--rate", one.rate, two.rate),
      differs("--strict", std::string(one.strict ? "given" : ""), std::string(two.strict ? "given" : "")),
      differs("--controls", std::string(one.controls ? "given" : ""), std::string(two.controls ? "given" : "")),
      differs("--only", one.only.patterns, two.only.patterns),
      differs("--lock", one.locks, two.locks),
      differs("--server", names_of_servers(one.servers), names_of_servers(two.servers)),
      differs("--target", one.target, two.target)};
  for (const auto& text : found) {
    if (!text.empty()) return text;
  }
  if (const std::string which = changed_scenario(first.scenarios, other.scenarios); !which.empty()) {
    return "its scenarios differ: " + which;
  }
  if (first.adapters != other.adapters) return "a lock.json or a file of statements has different content there";
  if (first.dealing->parts != other.dealing->parts) {
    return "its cells were divided differently (other --durations)";
  }
  return "";
}

}  // namespace

GivenShard read_shard(const std::string& folder) {
  GivenShard out{folder, stored_manifest(folder), "", 0, "", {}};
  if (!out.manifest.dealing || !out.manifest.replay_of.empty()) {
    throw BadInput(folder + ": is not a shard's folder; remedy: give the folders of holdfast run --shard I/N");
  }
  const nlohmann::json environment = environment_in(folder);
  out.machine = machine_of(environment);
  out.sources = stored_sources(environment);
  if (!RunDirectory(folder).has("verdict.json")) {
    out.stopped = "did not finish";
    return out;
  }
  const RunVerdict verdict = stored_run(folder);
  out.seconds = verdict.seconds;
  out.stopped = verdict.stopped;
  return out;
}

void check_same(const std::vector<GivenShard>& shards) {
  for (const auto& shard : shards) {
    const std::string differs = difference(shards.front().manifest, shard.manifest);
    if (differs.empty()) continue;
    throw BadInput(shard.folder + ": is a shard of another run than " + shards.front().folder + ": " + differs +
                   "; remedy: merge the shards of one run");
  }
}

std::vector<ShardPlace> run_places(const std::vector<GivenShard>& shards) {
  std::vector<ShardPlace> out;
  out.reserve(shards.size());
  for (const auto& shard : shards) out.push_back({shard.folder, shard.shard()});
  return out;
}

std::string why_not_run(const std::vector<GivenShard>& shards) {
  std::vector<std::string> out;
  const int of = shards.front().shard().of;
  for (const int number : missing_shards(run_places(shards))) {
    out.push_back(shard_words(Shard{number, of}) + " is missing");
  }
  for (const auto& shard : shards) {
    if (!shard.stopped.empty()) out.push_back(shard_words(shard.shard()) + ": " + shard.stopped);
  }
  return out.empty() ? "no shard ran them" : fmt::format("{}", fmt::join(out, "; "));
}

std::vector<std::string> folders_of(const std::vector<GivenShard>& shards) {
  std::vector<std::string> out;
  for (const auto& shard : shards) out.push_back(shard.folder);
  return out;
}

}  // namespace holdfast
