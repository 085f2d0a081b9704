#include "explore/explore_lab.hpp"

#include <filesystem>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "lab/launch_lab.hpp"

namespace holdfast {
namespace {

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
  LabOrder lab{folder};
  lab.part = "explorer";
  ExploreOutcome out;
  std::size_t told = 0;
  LabWatch watch;
  watch.interrupted = &interrupted;
  watch.ask_to_end = [&] { write_text_file(folder + "/stop", ""); };
  watch.look = [&] {
    out.results = results_so_far(folder);
    for (; told < out.results.size(); ++told) progress(out.results[told]);
  };
  const LabEnd end = launch_lab(lab, watch);
  out.exit_code = end.exit_code;
  out.error = end.last_words;
  return out;
}

}  // namespace holdfast
