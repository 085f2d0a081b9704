#include "suite/stored_result.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "checker/check.hpp"
#include "suite/expectation.hpp"

namespace holdfast {
namespace {

std::string result_file(const std::string& folder) {
  return folder + "/result.json";
}

// As the trial's history has it, which its verdict.json must say too.
TrialVerdict judged_again(const std::string& folder) {
  TrialVerdict verdict = check_history(folder + "/history.jsonl");
  const std::string file = folder + "/verdict.json";
  if (read_text_file(file) != to_json(verdict).dump(1) + "\n") {
    throw BadInput(file + ": is not what its history is judged to be");
  }
  verdict.timeline = {};
  return verdict;
}

void check_faults_acted(const std::string& folder) {
  const auto errors = nlohmann::json::parse(read_text_file(folder + "/facts.json")).at("errors");
  if (!errors.empty()) throw BadInput(folder + "/facts.json: names an error of the harness: " + errors.front().dump());
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

void check_result(const std::string& run_folder, const std::map<std::string, std::string>& expected,
                  StoredResult& stored) {
  TrialResult& result = stored.result;
  if (result.outcome == Outcome::harness_error || result.outcome == Outcome::unavailable) return;
  const std::string folder = run_folder + "/" + result.folder;
  const Outcome said = result.outcome;
  const std::string remedy = "; remedy: remove " + folder + ", and the trial is run again";
  try {
    check_faults_acted(folder);
    result.verdict = judged_again(folder);
    compare_with_expected(expected, result);
    if (result.control) compare_control(expected, judged_again(run_folder + "/" + result.control->folder), result);
  } catch (const std::exception& other) {
    throw BadInput(other.what() + remedy);
  }
  if (result.outcome == said) return;
  throw BadInput(result_file(folder) + ": says " + to_text(said) +
                 ", and its history, with what the scenario expects, " + "makes it " + to_text(result.outcome) +
                 remedy);
}

}  // namespace holdfast
