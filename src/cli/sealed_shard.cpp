#include "cli/sealed_shard.hpp"

#include <algorithm>
#include <filesystem>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/run_directory.hpp"
#include "cli/stored.hpp"
#include "suite/stored_result.hpp"

namespace holdfast {
namespace {

constexpr const char* kSealFile = "seal.json";

struct Seal {
  Sums sums;

  static const JsonForm<Seal>& form();
};

const JsonForm<Seal>& Seal::form() {
  const auto wrong = [](const Seal& seal) -> std::string {
    for (const auto& [file, sum] : seal.sums) {
      if (!names_beneath(file)) return "'" + file + "' names no file of a folder";
    }
    return "";
  };
  static const JsonForm<Seal> kForm{
      "seal", "", {form_version<Seal>("holdfast_seal", 1), checked<Seal>(field("sums", &Seal::sums), wrong)}};
  return kForm;
}

// First key whose values differ.
std::string differing_key(const nlohmann::json& one, const nlohmann::json& two) {
  for (const auto& [key, value] : one.items()) {
    if (!two.contains(key) || two.at(key) != value) return key;
  }
  for (const auto& [key, value] : two.items()) {
    if (!one.contains(key)) return key;
  }
  return "";
}

std::string short_text(const nlohmann::json& asked, const std::string& key) {
  constexpr std::size_t kMost = 120;
  const std::string text = asked.contains(key) ? text_of_json(asked.at(key)) : "nothing";
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

std::string sealed_difference(const SealedShard& one, const SealedShard& two) {
  if (one.dealing.shard.of != two.dealing.shard.of) {
    return "the number of shards is " + std::to_string(one.dealing.shard.of) + " there, and " +
           std::to_string(two.dealing.shard.of) + " here";
  }
  if (const std::string key = differing_key(one.asked, two.asked); !key.empty()) {
    return key + " is " + short_text(one.asked, key) + " there, and " + short_text(two.asked, key) + " here";
  }
  return one.dealing.parts == two.dealing.parts ? "" : "its cells were divided differently";
}

}  // namespace

const JsonForm<SealedShard>& SealedShard::form() {
  using Of = SealedShard;
  const auto version = [](const Of& shard) { return other_version(shard.version); };
  const auto asked = [](const Of& shard) -> std::string { return shard.asked.is_object() ? "" : "expected an object"; };
  static const JsonForm<Of> kForm{
      "shard",
      "",
      {form_version<Of>("holdfast_shard", 1), checked<Of>(field("version", &Of::version), version),
       one_of(field("kind", &Of::kind), {kSearchShard, kComparisonShard}), field("dealing", &Of::dealing),
       checked<Of>(field("asked", &Of::asked), asked), field("command", &Of::command),
       field("started_utc", &Of::started_utc)}};
  return kForm;
}

std::string kind_of_shard(const std::string& folder) {
  const RunDirectory at(folder);
  if (!at.has(kShardFile)) return kRunShard;
  return read_json_file(at.file(kShardFile), from_json<SealedShard>).kind;
}

void begin_sealed(const std::string& folder, const SealedShard& shard) {
  RunDirectory(folder).write(kShardFile, text_of_json(to_json(shard), 1) + "\n", Keep::surely);
}

void seal(const std::string& folder, std::vector<std::string> files) {
  const RunDirectory at(folder);
  files.emplace_back(kShardFile);
  Seal out;
  for (const auto& file : files) {
    at.sync(file);
    out.sums[file] = sum_of(at, file);
  }
  at.write(kSealFile, text_of_json(to_json(out), 1) + "\n", Keep::surely);
}

SealedShard open_sealed(const std::string& folder) {
  const RunDirectory at(folder);
  SealedShard out = read_json_file(at.file(kShardFile), from_json<SealedShard>);
  out.folder = folder;
  if (!at.has(kSealFile)) {
    throw BadInput(folder + ": " + shard_words(out.dealing.shard) +
                   " did not finish; remedy: run this shard again, and leave this folder out");
  }
  for (const auto& [file, sum] : read_json_file(at.file(kSealFile), from_json<Seal>).sums) {
    if (at.has(file) && sum_of(at, file) == sum) continue;
    throw BadInput(at.path_of(file) + (at.has(file) ? ": changed after the shard ended" : ": is gone") + " (" +
                   kSealFile + "); remedy: fetch the folder again, or run the shard again");
  }
  return out;
}

std::vector<SealedShard> open_all_sealed(const std::vector<std::string>& folders) {
  std::vector<SealedShard> out;
  out.reserve(folders.size());
  for (const auto& folder : folders) out.push_back(open_sealed(folder));
  check_doubles(places_of(out));
  for (const auto& shard : out) {
    const std::string differs = sealed_difference(out.front(), shard);
    if (differs.empty()) continue;
    throw BadInput(shard.folder + ": is not a shard of the same run as " + out.front().folder + ": " + differs +
                   "; remedy: merge the shards of one run");
  }
  return out;
}

std::vector<ShardPlace> places_of(const std::vector<SealedShard>& shards) {
  std::vector<ShardPlace> out;
  out.reserve(shards.size());
  for (const auto& shard : shards) out.push_back({shard.folder, shard.dealing.shard});
  return out;
}

const SealedShard* sealed_with(const std::vector<SealedShard>& shards, const DealtPart& part) {
  const auto found = std::find_if(shards.begin(), shards.end(), [&part](const SealedShard& shard) {
    return shard.dealing.shard.number == part.shard;
  });
  return found == shards.end() ? nullptr : &*found;
}

}  // namespace holdfast
