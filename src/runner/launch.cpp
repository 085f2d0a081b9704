#include "runner/launch.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include "artifact/error.hpp"
#include "artifact/facts.hpp"
#include "control/control_page.hpp"
#include "lab/lab_process.hpp"

namespace holdfast {
namespace {

constexpr int kLabLook_ms = 50;

void take_facts(const std::string& folder, Launched& out) {
  const TrialFacts facts = read_trial_facts(folder + "/facts.json");
  out.server = facts.server;
  out.stalls = facts.stalls;
  out.faults = facts.errors;
}

}  // namespace

Launched launch_trial(const LaunchOptions& options, const std::atomic<bool>& interrupted) {
  std::vector<std::string> words;
  if (!options.sabotage.empty()) words.insert(words.end(), {"--sabotage", options.sabotage});
  for (const auto& server : options.servers) words.insert(words.end(), {"--server", server});
  if (!options.target.empty()) words.insert(words.end(), {"--target", options.target});
  const std::int64_t begin_ns = monotonic_ns();
  LabProcess lab(options.folder, words);
  Launched out;
  while (!lab.wait(kLabLook_ms)) {
    const bool late = options.timeout_ms > 0 && monotonic_ns() - begin_ns > options.timeout_ms * 1'000'000LL;
    if (interrupted.load() || late) lab.end();
    if (late) out.error = "the trial took longer than " + std::to_string(options.timeout_ms / 1000) + " s";
  }
  out.exit_code = *lab.wait(0);
  out.seconds = static_cast<double>(monotonic_ns() - begin_ns) / 1e9;
  out.cpu_seconds = lab.cpu_seconds();
  if (out.exit_code == 0) take_facts(options.folder, out);
  if (out.exit_code != 0 && out.error.empty()) out.error = lab.last_words();
  return out;
}

}  // namespace holdfast
