#include "runner/launch.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "control/control_page.hpp"
#include "lab/process.hpp"

namespace holdfast {
namespace {

constexpr int kLabLook_ms = 50;

// The last thing that the lab said in its log, as people are to read it.
std::string last_words(const std::string& log) {
  std::ifstream in(log);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("holdfast: ", 0) == 0) last = line.substr(10);
  }
  return last.empty() ? "the lab ended without a word; see " + log : last;
}

void read_facts(const std::string& folder, Launched& out) {
  const auto facts = nlohmann::json::parse(read_text_file(folder + "/facts.json"));
  out.server = facts.at("server");
  out.stalls = facts.at("stalls");
  out.faults = facts.at("errors").get<std::vector<std::string>>();
}

}  // namespace

Launched launch_trial(const LaunchOptions& options, const std::atomic<bool>& interrupted) {
  int lifeline[2];
  if (::pipe2(lifeline, O_CLOEXEC) != 0) throw HarnessError(std::string("pipe: ") + std::strerror(errno));
  Spawn spawn;
  spawn.argv = {own_program(), "lab", "--folder", options.folder};
  if (!options.sabotage.empty()) spawn.argv.insert(spawn.argv.end(), {"--sabotage", options.sabotage});
  for (const auto& server : options.servers) spawn.argv.insert(spawn.argv.end(), {"--server", server});
  if (!options.target.empty()) spawn.argv.insert(spawn.argv.end(), {"--target", options.target});
  spawn.keep_input = true;
  spawn.descriptors[STDIN_FILENO] = lifeline[0];
  spawn.log = options.folder + "/lab.log";
  const std::int64_t begin_ns = monotonic_ns();
  Process lab = spawn_process(spawn);
  ::close(lifeline[0]);
  Launched out;
  for (bool open = true; !lab.wait(kLabLook_ms);) {
    const bool late = options.timeout_ms > 0 && monotonic_ns() - begin_ns > options.timeout_ms * 1'000'000LL;
    if (!open || (!interrupted.load() && !late)) continue;
    ::close(lifeline[1]);  // its end is the lab's end
    open = false;
    lifeline[1] = -1;
    if (late) out.error = "the trial took longer than " + std::to_string(options.timeout_ms / 1000) + " s";
  }
  if (lifeline[1] >= 0) ::close(lifeline[1]);
  ::rmdir((options.folder + "/lab").c_str());
  out.exit_code = *lab.wait(0);
  out.seconds = static_cast<double>(monotonic_ns() - begin_ns) / 1e9;
  out.cpu_seconds = lab.cpu_seconds();
  if (out.exit_code == 0) read_facts(options.folder, out);
  if (out.exit_code != 0 && out.error.empty()) out.error = last_words(spawn.log);
  return out;
}

}  // namespace holdfast
