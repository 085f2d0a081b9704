// Jobs and results as JSON: between the command and the lab, and for machines to read.
#include <map>
#include <nlohmann/json.hpp>

#include "artifact/shape.hpp"
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
          {"severe", found.violation.severe},
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

ExploreSettings read_settings(Shape in) {
  ExploreSettings s;
  s.lock = in.text("lock");
  s.clients = static_cast<std::uint32_t>(in.integer("clients", 0, UINT32_MAX));
  s.rounds = static_cast<int>(in.integer("rounds", 0, INT32_MAX));
  s.attempts = static_cast<int>(in.integer("attempts", 0, INT32_MAX));
  s.lease_ms = in.integer("lease_ms");
  s.fraction_ms = in.integer("fraction_ms");
  s.server_id = in.text("server_id");
  s.value = in.text("value");
  s.shared_address = in.boolean("shared_address");
  s.reenter = in.boolean("reenter");
  s.fine = in.boolean("fine");
  in.finish();
  return s;
}

ExploreSettings settings_from_json(const nlohmann::json& json) {
  return read_settings(Shape(json));
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

ExploreJob job_from_json(const nlohmann::json& json) {
  Shape in(json);
  ExploreJob job;
  job.settings = read_settings(in.object("settings"));
  const auto bounds = in.numbers("bounds", INT32_MAX);
  if (bounds.size() != 3) in.refuse("bounds", "expected three integers");
  job.limits.bounds = {static_cast<int>(bounds[0]), static_cast<int>(bounds[1]), static_cast<int>(bounds[2])};
  job.limits.budget_s = in.real("budget_s");
  job.limits.merge = in.boolean("merge");
  job.limits.seed = in.unsigned64("seed");
  job.jobs = static_cast<int>(in.integer("jobs", 1, INT32_MAX));
  job.except = in.list<KnownFind>("except", [](Shape& known) {
    return KnownFind{known.text("name"), read_settings(known.object("settings")), parse_words(known.text("words"))};
  });
  in.finish();
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
  nlohmann::json out{{"lock", explored.job.settings.lock},
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
                     {"statements", {{"asked", explored.statements.asked}, {"memoized", explored.statements.memoized}}},
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
