// `holdfast locks`: the page of the locks, docs/locks.md; a test keeps the two the same.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "cli/find_suite.hpp"
#include "cli/lock_page.hpp"
#include "cli/server_flags.hpp"
#include "cli/terminal.hpp"
#include "suite/check_names.hpp"

namespace holdfast {
namespace {

// Of every suite, which is a folder in this one.
std::vector<Scenario> load_all(const std::string& named) {
  const std::string folder = find_suite(named);
  std::error_code error;
  std::vector<std::string> suites;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.is_directory()) suites.push_back(entry.path().string());
  }
  if (suites.empty()) throw BadInput(folder + ": no folders of scenarios in it; remedy: --scenarios FOLDER");
  std::sort(suites.begin(), suites.end());
  std::vector<Scenario> all;
  for (const auto& suite : suites) {
    for (auto& scenario : load_suite(suite)) {
      check_names(scenario);
      all.push_back(std::move(scenario));
    }
  }
  return all;
}

// Those that come with the adapters; their suite is called as one names it.
std::vector<Scenario> load_of_adapters() {
  const std::string adapters = shipped_folder("adapters");
  if (adapters.empty()) return {};
  std::vector<Scenario> all = load_suite(adapters + "/scenarios");
  for (auto& scenario : all) {
    check_names(scenario);
    scenario.suite = "adapters/scenarios";
  }
  return all;
}

}  // namespace

void add_locks(CLI::App& app, int&) {
  CLI::App* command =
      app.add_subcommand("locks", "Print the page of the locks: flaws, worst cases, what to use instead");
  auto folder = std::make_shared<std::string>("scenarios");
  command->add_option("--scenarios", *folder, "The folder that has the suites")->capture_default_str();
  command->callback([folder] {
    add_named_adapters({});
    print_file(lock_page(load_all(*folder), load_of_adapters()));
  });
}

}  // namespace holdfast
