// `holdfast list`: what there is: locks, drivers, servers, faults, properties, formats.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "artifact/property_words.hpp"
#include "cli/command.hpp"
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

void print_kind(const char* kind, const nlohmann::json& entries) {
  std::size_t width = 0;
  for (const auto& entry : entries) width = std::max(width, entry["name"].get_ref<const std::string&>().size());
  say("{}\n", kind);
  for (const auto& entry : entries) {
    say("  {:<{}}  {}\n", entry["name"].get_ref<const std::string&>(), width,
        entry["about"].get_ref<const std::string&>());
  }
}

}  // namespace

void add_list(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("list", "List locks, drivers, servers, faults, properties and formats");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As JSON");
  command->callback([json] {
    add_named_adapters({});
    const auto all = everything();
    if (*json) {
      print_json(all);
      return;
    }
    for (const char* kind : {"locks", "drivers", "servers", "faults", "properties", "formats"})
      print_kind(kind, all[kind]);
  });
}

}  // namespace holdfast
