#include "explore/explore_lab.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "lab/process.hpp"

namespace holdfast {
namespace {

constexpr int kLook_ms = 20;
constexpr int kPatience_ms = 5'000;  // for an end that was asked for

std::string last_words(const std::string& log) {
  std::ifstream in(log);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("holdfast: ", 0) == 0) last = line.substr(10);
  }
  return last.empty() ? "the lab ended without a word; see " + log : last;
}

nlohmann::json results_so_far(const std::string& folder) {
  const std::string file = folder + "/explored.json";
  if (!std::filesystem::exists(file)) return nlohmann::json::array();
  return nlohmann::json::parse(read_text_file(file));
}

}  // namespace

ExploreOutcome explore_in_lab(const std::string& folder, const nlohmann::json& order,
                              const std::atomic<bool>& interrupted,
                              const std::function<void(const nlohmann::json&)>& progress) {
  write_text_file(folder + "/explore.json", order.dump(1) + "\n");
  int lifeline[2];
  if (::pipe2(lifeline, O_CLOEXEC) != 0) throw HarnessError(std::string("pipe: ") + std::strerror(errno));
  Spawn spawn;
  spawn.argv = {own_program(), "lab", "--folder", folder, "--part", "explorer"};
  spawn.keep_input = true;
  spawn.descriptors[STDIN_FILENO] = lifeline[0];
  spawn.log = folder + "/lab.log";
  Process lab = spawn_process(spawn);
  ::close(lifeline[0]);
  ExploreOutcome out;
  std::size_t told = 0;
  int waited_ms = 0;
  while (!lab.wait(kLook_ms)) {
    const auto known = results_so_far(folder);
    for (; told < known.size(); ++told) progress(known[told]);
    if (!interrupted.load()) continue;
    if (waited_ms == 0) write_text_file(folder + "/stop", "");
    waited_ms += kLook_ms;
    if (waited_ms > kPatience_ms && lifeline[1] >= 0) {
      ::close(lifeline[1]);  // its end is the lab's end
      lifeline[1] = -1;
    }
  }
  if (lifeline[1] >= 0) ::close(lifeline[1]);
  ::rmdir((folder + "/lab").c_str());
  out.exit_code = *lab.wait(0);
  out.results = results_so_far(folder);
  for (; told < out.results.size(); ++told) progress(out.results[told]);
  if (out.exit_code != 0) out.error = last_words(spawn.log);
  return out;
}

}  // namespace holdfast
