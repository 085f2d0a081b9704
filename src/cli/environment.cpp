#include "cli/environment.hpp"

#include <sys/utsname.h>
#include <unistd.h>
#include <array>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "artifact/beneath.hpp"
#include "artifact/facts.hpp"
#include "runner/scheduler_wait.hpp"

namespace holdfast {
namespace {

std::int64_t memory_mib() {
  return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE) / (std::int64_t{1024} * 1024);
}

// Stalls are counted by each trial's runner.
nlohmann::json stalls_by_trial(const RunVerdict& verdict, const std::string& folder) {
  nlohmann::json out = nlohmann::json::object();
  const Beneath run(folder);
  for (const auto& cell : verdict.cells) {
    for (const auto& trial : cell.trials) {
      const std::string name = trial.folder + "/facts.json";
      if (trial.folder.empty() || !run.has(name)) continue;
      const std::int64_t stalls = trial_facts_of(run.read(name), run.path_of(name)).stalls;
      if (stalls > 0) out[trial.folder] = stalls;
    }
  }
  return out;
}

// The kernel's pressure stall information: for how much of the time somebody waited for a processor.
nlohmann::json pressure() {
  nlohmann::json out = nlohmann::json::object();
  std::ifstream in("/proc/pressure/cpu");
  for (std::string line; std::getline(in, line);) {
    const auto blank = line.find(' ');
    if (blank != std::string::npos) out[line.substr(0, blank)] = line.substr(blank + 1);
  }
  return out;
}

}  // namespace

std::map<std::string, std::string> environment(const RunVerdict& verdict) {
  utsname host{};
  ::uname(&host);
  return {{"holdfast", verdict.version},
          {"server", verdict.server},
          {"kernel", std::string(host.sysname) + " " + host.release},
          {"machine", host.machine},
          {"memory", std::to_string(memory_mib()) + " MiB"},
          {"stalls of the machine", not_counted().empty() ? std::to_string(verdict.stalls) : "not counted here"},
          {"processors", std::to_string(std::thread::hardware_concurrency())}};
}

nlohmann::json environment_json(const RunVerdict& verdict, const std::string& folder) {
  nlohmann::json out = environment(verdict);
  out.erase("stalls of the machine");
  out["memory_mib"] = memory_mib();
  out.erase("memory");
  out["processors"] = std::thread::hardware_concurrency();
  out["stalls"] = {{"all", verdict.stalls}, {"by_trial", stalls_by_trial(verdict, folder)}};
  std::array<double, 3> load{};
  if (::getloadavg(load.data(), 3) == 3) out["load_average"] = load;
  if (auto cpu = pressure(); !cpu.empty()) out["pressure_cpu"] = std::move(cpu);
  return out;
}

}  // namespace holdfast
