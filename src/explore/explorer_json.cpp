// Jobs and results as JSON: between the command and the lab, and for machines to read.
#include <map>
#include <nlohmann/json.hpp>

#include "explore/bounds_text.hpp"
#include "explore/explorer.hpp"

namespace holdfast {
namespace {

nlohmann::json bounds_json(const ExploreJob& job) {
  return {{"clients", job.settings.clients},
          {"rounds", job.settings.rounds},
          {"attempts", job.settings.attempts},
          {"preemptions", job.limits.bounds.preemptions},
          {"time_jumps", job.limits.bounds.time_jumps},
          {"faults", job.limits.bounds.faults}};
}

nlohmann::json counterexample_json(const Counterexample& found) {
  nlohmann::json steps = nlohmann::json::array();
  for (const auto& step : found.trace) {
    steps.push_back({{"word", step.word},
                     {"client", step.client},
                     {"time_us", step.time_us},
                     {"operation", step.doing},
                     {"statement", step.statement},
                     {"answer", step.answer},
                     {"said", step.said},
                     {"believers", step.believers}});
  }
  return {{"invariant", found.violation.invariant},
          {"grave", found.violation.grave},
          {"counts", found.counts()},
          {"text", found.violation.text},
          {"cause", found.cause},
          {"replay", to_text(found.words)},
          {"preemptions", found.cost.preemptions},
          {"time_jumps", found.cost.time_jumps},
          {"faults", found.cost.faults},
          {"row_lock_waits", found.waits},
          {"real_waits", found.waits ? found.real_waits : ""},
          {"steps", std::move(steps)}};
}

nlohmann::json passed_over_json(const std::vector<PassedOver>& all) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& one : all) {
    out.push_back({{"name", one.name}, {"invariant", one.invariant}, {"cause", one.cause}, {"seen", one.seen}});
  }
  return out;
}

}  // namespace

nlohmann::json to_json(const ExploreSettings& s) {
  return {{"lock", s.lock},           {"clients", s.clients},   {"rounds", s.rounds},
          {"attempts", s.attempts},   {"lease_ms", s.lease_ms}, {"fraction_ms", s.fraction_ms},
          {"server_id", s.server_id}, {"value", s.value},       {"shared_address", s.shared_address},
          {"reenter", s.reenter},     {"fine", s.fine}};
}

ExploreSettings settings_from_json(const nlohmann::json& in) {
  ExploreSettings s;
  in.at("lock").get_to(s.lock);
  in.at("clients").get_to(s.clients);
  in.at("rounds").get_to(s.rounds);
  in.at("attempts").get_to(s.attempts);
  in.at("lease_ms").get_to(s.lease_ms);
  in.at("fraction_ms").get_to(s.fraction_ms);
  in.at("server_id").get_to(s.server_id);
  in.at("value").get_to(s.value);
  in.at("shared_address").get_to(s.shared_address);
  in.at("reenter").get_to(s.reenter);
  in.at("fine").get_to(s.fine);
  return s;
}

nlohmann::json to_json(const ExploreJob& job) {
  const Cost& bounds = job.limits.bounds;
  nlohmann::json except = nlohmann::json::array();
  for (const auto& known : job.except) {
    except.push_back({{"name", known.name}, {"settings", to_json(known.settings)}, {"words", to_text(known.words)}});
  }
  return {{"except", std::move(except)},
          {"settings", to_json(job.settings)},
          {"bounds", {bounds.preemptions, bounds.time_jumps, bounds.faults}},
          {"budget_s", job.limits.budget_s},
          {"merge", job.limits.merge},
          {"seed", job.limits.seed},
          {"jobs", job.jobs}};
}

ExploreJob job_from_json(const nlohmann::json& in) {
  ExploreJob job;
  job.settings = settings_from_json(in.at("settings"));
  const auto& bounds = in.at("bounds");
  job.limits.bounds = {bounds.at(0), bounds.at(1), bounds.at(2)};
  in.at("budget_s").get_to(job.limits.budget_s);
  in.at("merge").get_to(job.limits.merge);
  in.at("seed").get_to(job.limits.seed);
  in.at("jobs").get_to(job.jobs);
  for (const auto& known : in.at("except")) {
    job.except.push_back({known.at("name"), settings_from_json(known.at("settings")), parse_words(known.at("words"))});
  }
  return job;
}

nlohmann::json to_json(const Explored& explored) {
  const SearchResult& numbers = explored.numbers;
  nlohmann::json all = nlohmann::json::array();
  std::map<std::string, int> numbers_of;  // the first story of an invariant is its cheapest
  for (const auto& found : explored.finds) {
    all.push_back(counterexample_json(found));
    all.back()["number"] = ++numbers_of[found.violation.invariant];
  }
  nlohmann::json out{
      {"lock", explored.job.settings.lock},
      {"verdict", explored.verdict()},
      {"complete", numbers.complete},
      {"stopped", numbers.stopped},
      {"schedules", numbers.schedules},
      {"merged", numbers.merged},
      {"walks", numbers.walks},
      {"states", numbers.states},
      {"grants", explored.grants},
      {"promised_lease_ms", explored.promised_lease_ms},
      {"lock_keeps_nothing", explored.lock_keeps_nothing},
      {"statements", {{"asked", explored.statements.asked}, {"remembered", explored.statements.remembered}}},
      {"left", numbers.left},
      {"levels", numbers.levels},
      {"seconds", numbers.seconds},
      {"workers", explored.job.jobs},
      {"bounds", bounds_json(explored.job)},
      {"within", within_text(explored)},
      {"not_explored", not_explored(explored)},
      {"passed_over", passed_over_json(explored.passed_over)},
      {"untold_stories", explored.untold},
      {"settings", to_json(explored.job.settings)}};
  if (!all.empty()) out["counterexample"] = all.front();
  out["violations"] = std::move(all);
  return out;
}

}  // namespace holdfast
