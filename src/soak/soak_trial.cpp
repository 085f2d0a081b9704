#include "soak/soak_trial.hpp"

#include <algorithm>
#include <utility>

#include "artifact/json_text.hpp"
#include "artifact/property_words.hpp"
#include "artifact/run_directory.hpp"
#include "suite/check_names.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

Scenario named(const nlohmann::json& json, const Scenario& base, const std::string& name) {
  Scenario out = read_scenario(parse_json_text(text_of_json(json), base.source.file), base.source.file);
  out.name = name;
  check_names(out);
  return out;
}

}  // namespace

SoakTrial::SoakTrial(SuiteOptions options, nlohmann::json json, const Scenario& base, std::string lock,
                     const std::string& name)
    : options_(std::move(options)),
      json_(std::move(json)),
      lock_(std::move(lock)),
      scenario_(named(json_, base, name)) {}

StoredResult SoakTrial::run(const std::atomic<bool>& interrupted) const {
  StoredResult ended;
  ended.result = TrialJob(options_, scenario_, lock_, 1).run(interrupted, ended);
  return ended;
}

void SoakTrial::remove() const {
  RunDirectory(options_.folder).remove_all("cells/" + lock_ + "/" + scenario_.name);
}

FindKinds unexpected_of(const TrialResult& result) {
  std::vector<const PropertyVerdict*> violated;
  for (const auto& property : result.verdict.properties) {
    const bool is_violated = property.judgement == Judgement::violated;
    if (is_violated && is_mismatch(result, property.property)) violated.push_back(&property);
  }
  std::stable_sort(violated.begin(), violated.end(), [](const PropertyVerdict* a, const PropertyVerdict* b) {
    return rank_of(a->property) < rank_of(b->property);
  });
  FindKinds out;
  out.reserve(violated.size());
  for (const auto* property : violated) out.push_back(property->property + ":" + property->kind);
  return out;
}

bool was_judged(const TrialResult& result) {
  const auto& all = result.verdict.properties;
  return std::any_of(all.begin(), all.end(), [](const PropertyVerdict& p) {
    return p.judgement == Judgement::holds || p.judgement == Judgement::violated;
  });
}

}  // namespace holdfast
