// `holdfast list [WHAT]`: lists locks, drivers, servers, faults, properties and formats; on request also shipped suites
// and cells, and the runs of this folder. Shell completion uses `--names`.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/property_words.hpp"
#include "artifact/scenario.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/run_flags.hpp"
#include "cli/terminal.hpp"
#include "driver/driver.hpp"
#include "lock/lock.hpp"
#include "lock/lock_texts.hpp"
#include "nemesis/fault.hpp"
#include "reports/format.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

nlohmann::json everything() {
  nlohmann::json out{{"holdfast_list", 1}};
  auto& lock_list = out["locks"] = nlohmann::json::array();
  for (const auto& [name, type] : locks()) {
    const LockTexts texts = lock_texts(name);
    lock_list.push_back({{"name", name},
                         {"about", texts.about},
                         {"source", texts.source},
                         {"driver", type->driver},
                         {"server", type->server},
                         {"promises", type->promises()}});
  }
  auto& driver_list = out["drivers"] = nlohmann::json::array();
  for (const auto& [name, type] : drivers()) driver_list.push_back({{"name", name}, {"about", type->about}});
  auto& server_list = out["servers"] = nlohmann::json::array();
  for (const auto& [name, type] : server_types()) {
    auto topologies = nlohmann::json::array();
    for (const auto& topology : type->topologies) topologies.push_back(topology.name);
    server_list.push_back(
        {{"name", name}, {"about", type->about}, {"target", type->url.form}, {"topologies", topologies}});
  }
  auto& fault_list = out["faults"] = nlohmann::json::array();
  for (const auto& [name, type] : faults()) {
    fault_list.push_back({{"name", name}, {"about", type->about}, {"cause", type->cause}});
  }
  auto& property_list = out["properties"] = nlohmann::json::array();
  for (const auto& [name, words] : property_words()) {
    property_list.push_back({{"name", name}, {"about", words->summary}});
  }
  auto& format_list = out["formats"] = nlohmann::json::array();
  for (const auto& [name, type] : formats()) {
    format_list.push_back({{"name", name}, {"about", type->about}, {"file", type->file == nullptr ? "" : type->file}});
  }
  return out;
}

nlohmann::json named(const std::string& name, const std::string& about) {
  return {{"name", name}, {"about", about}};
}

nlohmann::json suites() {
  auto out = nlohmann::json::array();
  for (const auto& name : shipped_suites()) out.push_back(named(name, ""));
  return out;
}

nlohmann::json cells() {
  std::map<std::string, std::string> found;
  for (const auto& scenario : load_suite(find_suite("scenarios"))) {
    for (const auto& lock : scenario.locks) found.emplace(lock + "/" + scenario.name, scenario.about);
  }
  auto out = nlohmann::json::array();
  for (const auto& [name, about] : found) out.push_back(named(name, about));
  return out;
}

// Runs in the default output folder of `run`.
nlohmann::json runs() {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  std::error_code none;
  for (fs::directory_iterator at("runs", none), end; !none && at != end; at.increment(none)) {
    if (fs::exists(at->path() / "run.json", none)) found.push_back(at->path().string());
  }
  std::sort(found.begin(), found.end());
  auto out = nlohmann::json::array();
  for (const auto& run : found) out.push_back(named(run, fs::exists(run + "/verdict.json", none) ? "" : "incomplete"));
  return out;
}

constexpr std::initializer_list<const char*> kCatalogues{"locks",  "drivers",    "servers",
                                                         "faults", "properties", "formats"};

nlohmann::json listed(const std::string& what) {
  if (what == "suites") return suites();
  if (what == "cells") return cells();
  if (what == "runs") return runs();
  return everything().at(what);
}

void print_names(const nlohmann::json& entries) {
  for (const auto& entry : entries) say("{}\n", entry["name"].get_ref<const std::string&>());
}

void print_kind(const char* kind, const nlohmann::json& entries) {
  std::size_t width = 0;
  for (const auto& entry : entries) width = std::max(width, entry["name"].get_ref<const std::string&>().size());
  say("{}\n", kind);
  for (const auto& entry : entries) {
    say("  {:<{}}  {}\n", entry["name"].get_ref<const std::string&>(), width,
        entry["about"].get_ref<const std::string&>());
  }
}

struct ListFlags {
  std::string what;
  bool json = false;
  bool names = false;
};

void print_list(const ListFlags& flags) {
  add_named_adapters({});
  if (flags.what.empty()) {
    if (flags.names) throw BadInput("--names needs a list; remedy: for example holdfast list locks --names");
    const auto all = everything();
    if (flags.json) return print_json(all);
    for (const char* kind : kCatalogues) print_kind(kind, all[kind]);
    return;
  }
  const auto entries = listed(flags.what);
  if (flags.json) return print_json(entries);
  flags.names ? print_names(entries) : print_kind(flags.what.c_str(), entries);
}

}  // namespace

void add_list(CLI::App& app, int&) {
  CLI::App* command =
      app.add_subcommand("list", "List locks, drivers, servers, faults, properties, formats, suites, cells or runs");
  give_examples(command, {"holdfast list faults", "holdfast list cells quick"});
  auto flags = std::make_shared<ListFlags>();
  std::vector<std::string> known(kCatalogues.begin(), kCatalogues.end());
  known.insert(known.end(), {"suites", "cells", "runs"});
  command->add_option("WHAT", flags->what, "List only these")->check(CLI::IsMember(known));
  command->add_flag("--json", flags->json, "As JSON");
  command->add_flag("--names", flags->names, "Print only names, one per line");
  command->callback([flags] { print_list(*flags); });
}

}  // namespace holdfast
