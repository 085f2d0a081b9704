#include "explore/explore_lab.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "lab/lab_process.hpp"

namespace holdfast {
namespace {

constexpr int kLook_ms = 20;
constexpr int kPatience_ms = 5'000;  // for an end that was asked for

nlohmann::json results_so_far(const std::string& folder) {
  const std::string file = folder + "/explored.json";
  if (!std::filesystem::exists(file)) return nlohmann::json::array();
  return parse_json(read_text_file(file), file);
}

}  // namespace

ExploreOutcome explore_in_lab(const std::string& folder, const nlohmann::json& order,
                              const std::atomic<bool>& interrupted,
                              const std::function<void(const nlohmann::json&)>& progress) {
  write_text_file(folder + "/explore.json", order.dump(1) + "\n");
  LabProcess lab(folder, {"--part", "explorer"});
  ExploreOutcome out;
  std::size_t told = 0;
  int waited_ms = 0;
  while (!lab.wait(kLook_ms)) {
    const auto known = results_so_far(folder);
    for (; told < known.size(); ++told) progress(known[told]);
    if (!interrupted.load()) continue;
    if (waited_ms == 0) write_text_file(folder + "/stop", "");
    waited_ms += kLook_ms;
    if (waited_ms > kPatience_ms) lab.end();
  }
  out.exit_code = *lab.wait(0);
  out.results = results_so_far(folder);
  for (; told < out.results.size(); ++told) progress(out.results[told]);
  if (out.exit_code != 0) out.error = lab.last_words();
  return out;
}

}  // namespace holdfast
