#include "artifact/plan.hpp"

#include <charconv>
#include <nlohmann/json.hpp>

#include "artifact/json_text.hpp"
#include "artifact/scenario_tables.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kAny = INT64_MAX;

// Seeds are strings, because JSON readers round large numbers.
std::uint64_t seed_of(ObjectReader& in) {
  const std::string digits = in.required("seed", in.text("seed"));
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    in.node("seed")->refuse("expected a string of digits");
  }
  return seed;
}

// Reads the leases the scenario requested, if `lease_ms` differs because of what the lock promises.
void read_asked_leases(ObjectReader& in, Load& load) {
  const JsonNode* node = in.node("asked_leases_ms");
  if (node == nullptr) return;
  for (const JsonNode& item : node->items) {
    if (item.kind != JsonNode::Kind::integer) item.refuse("expected an integer");
    load.asked_leases_ms.push_back(item.integer);
  }
}

constexpr std::int64_t kPlanForm = 2;

}  // namespace

nlohmann::json to_json(const Plan& plan) {
  nlohmann::json out = to_json(plan.load);
  out["holdfast_plan"] = kPlanForm;
  out["lock"] = plan.lock;
  if (!plan.adapter.empty()) out["adapter"] = plan.adapter;
  out["scenario"] = plan.scenario;
  out["seed"] = std::to_string(plan.seed);
  write_keys(coverage_keys(), plan.minima, out["coverage"]);
  write_keys(server_keys(), plan.server, out);
  out["faults"] = nlohmann::json::array();
  for (const auto& fault : plan.faults) out["faults"].push_back(to_json(fault.settings));
  out["client_plans"] = nlohmann::json::array();
  for (const auto& c : plan.clients) {
    out["client_plans"].push_back(
        {{"client", c.client}, {"node", c.node}, {"seed", std::to_string(c.seed)}, {"spare", c.spare}});
  }
  return out;
}

Plan load_plan(const InputFile& file) {
  Plan plan;
  const JsonNode root = parse_json_text(read_text_file(file), file.path());
  ObjectReader in(root);
  const std::int64_t form = in.required("holdfast_plan", in.integer("holdfast_plan", 1, kPlanForm));
  if (form != kPlanForm) in.node("holdfast_plan")->refuse(older_form(form, kPlanForm));
  plan.lock = in.required("lock", in.text("lock"));
  plan.adapter = in.text("adapter").value_or("");
  plan.scenario = in.required("scenario", in.text("scenario"));
  plan.seed = seed_of(in);
  read_load_keys(in, plan.load);
  read_asked_leases(in, plan.load);
  read_coverage(in, plan.minima);
  read_server(in, plan.server);
  plan.faults = read_faults(in);
  if (const JsonNode* clients = in.node("client_plans")) {
    for (const auto& node : clients->items) {
      ObjectReader one(node);
      ClientPlan client;
      client.client = static_cast<std::uint32_t>(one.required("client", one.integer("client", 0, kAny)));
      client.node = static_cast<std::uint32_t>(one.required("node", one.integer("node", 0, kAny)));
      client.seed = seed_of(one);
      client.spare = one.required("spare", one.boolean("spare"));
      one.finish();
      plan.clients.push_back(client);
    }
  }
  if (plan.clients.size() != static_cast<std::size_t>(plan.load.clients) + plan.faults.size()) {
    root.refuse("client_plans: must have one entry per client and one spare per fault");
  }
  in.finish();
  return plan;
}

}  // namespace holdfast
