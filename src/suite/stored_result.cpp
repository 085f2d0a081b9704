#include "suite/stored_result.hpp"

#include <nlohmann/json.hpp>

#include "artifact/beneath.hpp"
#include "artifact/error.hpp"
#include "checker/check.hpp"
#include "suite/expectation.hpp"

namespace holdfast {
namespace {

constexpr const char* kResultFile = "/result.json";

// As the trial's history has it, which its verdict.json must say too.
TrialVerdict judged_again(const Beneath& run, const std::string& trial) {
  TrialVerdict verdict = check_history(run.file(trial + "/history.jsonl"));
  const std::string name = trial + "/verdict.json";
  if (run.read(name) != to_json(verdict).dump(1) + "\n") {
    throw BadInput(run.path_of(name) + ": is not what its history is judged to be");
  }
  verdict.timeline = {};
  return verdict;
}

void check_faults_acted(const Beneath& run, const std::string& trial) {
  const std::string name = trial + "/facts.json";
  const auto errors = nlohmann::json::parse(run.read(name)).at("errors");
  if (!errors.empty()) throw BadInput(run.path_of(name) + ": names an error of the harness: " + errors.front().dump());
}

}  // namespace

// A trial that cannot leave its result has been judged all the same; a resumed run would only do it again.
void store_result(const std::string& run_folder, const std::string& trial, const StoredResult& ended) {
  try {
    const Beneath run(run_folder);
    const nlohmann::json out{{"holdfast_result", 1},
                             {"server", ended.server},
                             {"stalls", ended.stalls},
                             {"alone", ended.alone},
                             {"sums", keep_evidence(run, trial)},
                             {"result", to_json(ended.result)}};
    const std::string text = out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    run.write(trial + kResultFile, text, Keep::surely);
  } catch (const HarnessError&) {
    // An older one was removed with the trial's folder when this attempt began.
  }
}

std::optional<StoredResult> stored_result(const std::string& run_folder, const std::string& trial) {
  const Beneath run(run_folder);
  const std::string name = trial + kResultFile;
  if (!run.has(name)) return {};
  try {
    const auto in = nlohmann::json::parse(run.read(name));
    StoredResult out;
    in.at("server").get_to(out.server);
    in.at("stalls").get_to(out.stalls);
    in.at("alone").get_to(out.alone);
    in.at("sums").get_to(out.sums);
    out.result = trial_result_from_json(in.at("result"));
    const auto& control = out.result.control;
    if (out.result.folder != trial || (control && control->folder != trial + "/control")) {
      throw BadInput("is of another folder");
    }
    return out;
  } catch (const std::exception& broken) {
    throw BadInput(run.path_of(name) + ": " + broken.what() + "; remedy: remove the file, and the trial is run again");
  }
}

bool failed(const TrialResult& result) {
  return result.outcome == Outcome::harness_error || result.outcome == Outcome::unavailable;
}

void check_result(const std::string& run_folder, const std::map<std::string, std::string>& expected,
                  StoredResult& stored) {
  TrialResult& result = stored.result;
  if (failed(result)) return;
  const Beneath run(run_folder);
  const std::string folder = run.path_of(result.folder);
  const Outcome said = result.outcome;
  const std::string remedy = "; remedy: remove " + folder + ", and the trial is run again";
  try {
    check_evidence(run, result.folder, stored.sums, Extant::whole);
    check_faults_acted(run, result.folder);
    result.verdict = judged_again(run, result.folder);
    compare_with_expected(expected, result);
    if (result.control) compare_control(expected, judged_again(run, result.control->folder), result);
  } catch (const std::exception& other) {
    throw BadInput(other.what() + remedy);
  }
  if (result.outcome == said) return;
  throw BadInput(folder + kResultFile + ": says " + to_text(said) +
                 ", and its history, with what the scenario expects, " + "makes it " + to_text(result.outcome) +
                 remedy);
}

}  // namespace holdfast
