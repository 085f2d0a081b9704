// Jobs and results as JSON: between the command and the lab, and for machines to read.
#include "explore/explorer_json.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "artifact/shape.hpp"
#include "explore/explorer.hpp"

namespace holdfast {
namespace {

std::string several(std::int64_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string lease_text(const Explored& explored) {
  if (!explored.lease) return "no lease";
  const std::int64_t asked_ms = explored.job.settings.lease_ms;
  const std::string rounded = " (its interface takes whole seconds: rounded from " + std::to_string(asked_ms) + ")";
  return "lease " + std::to_string(explored.promised_lease_ms) + " ms" +
         (explored.promised_lease_ms == asked_ms ? "" : rounded);
}

// What differs from a plain client.
std::string load_text(const ExploreSettings& settings) {
  std::string out;
  if (settings.shared_address) out += ", one address for all";
  if (settings.server_id == "one") out += ", one server id for all";
  if (settings.value != "bare") out += ", values with the caller's own id";
  if (settings.reenter) out += ", holders enter again";
  if (settings.fine) out += ", answers arrive as steps of their own";
  return out;
}

std::string bounds_with(const ExploreJob& job, const std::string& lease) {
  const ExploreSettings& s = job.settings;
  const Cost& bounds = job.limits.bounds;
  return several(s.clients, "client") + ", " + several(s.rounds, "round") + " of " + several(s.attempts, "attempt") +
         ", at most " + several(bounds.preemptions, "preemption") + ", " + several(bounds.time_jumps, "time jump") +
         " and " + several(bounds.faults, "fault") + "; " + lease + " from " + std::to_string(s.fraction_ms) +
         " ms past the second" + load_text(s);
}

}  // namespace

std::string within_text(const Explored& explored) {
  return bounds_with(explored.job, lease_text(explored));
}

std::string within_text(const ExploreJob& job) {
  return bounds_with(job, "lease " + std::to_string(job.settings.lease_ms) + " ms");
}

std::vector<std::string> not_explored(const Explored& explored) {
  const ExploreSettings& s = explored.job.settings;
  std::vector<std::string> out;
  if (!explored.numbers.complete) {
    out.push_back("within the bounds, " + several(static_cast<std::int64_t>(explored.numbers.left), "schedule") +
                  " that the search knew of, and what follows from them");
  }
  if (s.clients < 2) out.emplace_back("two clients at once: there is only one client");
  out.emplace_back("anything beyond the bounds, such as one fault more");
  if (explored.lease) out.emplace_back("other leases (--lease)");
  out.emplace_back("other fractions of a second (--fraction)");
  // What a client's own object keeps from one attempt to the next was followed; of an object without members there is
  // nothing to keep.
  if (!explored.lock_keeps_nothing) {
    out.emplace_back("what the lock keeps outside of a client's object (static variables, globals)");
  }
  std::string loads;
  const auto add = [&loads](bool missing, const char* text) {
    if (missing) loads += (loads.empty() ? "" : ", ") + std::string(text);
  };
  add(!s.shared_address, "clients with one address (--shared-address)");
  add(!s.reenter, "holders that enter again (--reenter)");
  add(!s.fine, "time between an answer and what a client does upon it (--fine)");
  if (!loads.empty()) out.push_back(loads);
  out.emplace_back("faults of the server, and replicas: holdfast run has those");
  out.emplace_back("what a schedule does after it has violated the lock");
  return out;
}

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
