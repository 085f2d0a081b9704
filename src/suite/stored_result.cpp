#include "suite/stored_result.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

std::string result_file(const std::string& folder) {
  return folder + "/result.json";
}

}  // namespace

// A trial that cannot leave its result has been judged all the same; a resumed run would only do it again.
void store_result(const std::string& folder, const StoredResult& ended) {
  const nlohmann::json out{{"holdfast_result", 1},
                           {"server", ended.server},
                           {"stalls", ended.stalls},
                           {"alone", ended.alone},
                           {"result", to_json(ended.result)}};
  try {
    write_text_file(result_file(folder), out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } catch (const HarnessError&) {
    std::error_code ignored;
    std::filesystem::remove(result_file(folder), ignored);
  }
}

std::optional<StoredResult> stored_result(const std::string& folder) {
  const std::string file = result_file(folder);
  if (!std::filesystem::exists(file)) return {};
  try {
    const auto in = nlohmann::json::parse(read_text_file(file));
    StoredResult out;
    in.at("server").get_to(out.server);
    in.at("stalls").get_to(out.stalls);
    in.at("alone").get_to(out.alone);
    out.result = trial_result_from_json(in.at("result"));
    return out;
  } catch (const std::exception& broken) {
    throw BadInput(file + ": " + broken.what() + "; remedy: remove the file, and the trial is run again");
  }
}

}  // namespace holdfast
