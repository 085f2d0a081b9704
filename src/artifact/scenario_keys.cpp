#include <algorithm>

#include "artifact/capacity.hpp"
#include "artifact/error.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLongest_ms = 24LL * 3600 * 1000;

Moment read_moment(const JsonNode& node) {
  ObjectReader in(node);
  Moment at;
  at.time_ms = in.integer("time_ms", 0, kLongest_ms);
  at.phase = in.text("phase").value_or("");
  at.statement = in.text("statement").value_or("");
  at.after = in.choice("when", {"before", "after"}).value_or("before") == "after";
  at.of = in.choice("of", {"acquire", "renew", "release"}).value_or("");
  at.key = in.choice("key", {"free", "held"}).value_or("");
  at.client = in.integer("client", 0, kMostClients - 1);
  at.nth = in.integer("nth", 1, 1'000'000).value_or(1);
  in.finish();
  const int named = (at.time_ms ? 1 : 0) + (at.phase.empty() ? 0 : 1) + (at.statement.empty() ? 0 : 1);
  if (named != 1) node.refuse("name exactly one of time_ms, phase, statement");
  for (const char* of_point : {"of", "key"}) {
    if (at.time_ms && node.find(of_point) != nullptr) {
      node.find(of_point)->refuse("is said of a point in a client's work; remedy: a statement or a phase, not time_ms");
    }
  }
  return at;
}

// The settings that every fault has; the rest stays in `settings` for the fault itself.
FaultSpec read_fault(const JsonNode& node) {
  ObjectReader in(node);
  FaultSpec spec;
  spec.fault = in.required("fault", in.text("fault"));
  spec.target = in.text("target").value_or("");
  spec.optional = in.boolean("optional").value_or(false);
  spec.for_ms = in.integer("for_ms", 0, kLongest_ms).value_or(0);
  const JsonNode* at = in.node("at");
  if (!at)
    node.refuse("'at' is missing: a fault needs a moment, as {\"time_ms\": 1000} or {\"phase\": \"critical_section\"}");
  spec.at = read_moment(*at);
  if (const JsonNode* until = in.node("until")) {
    if (in.node("for_ms")) until->refuse("name one of for_ms and until");
    spec.until = read_moment(*until);
    if (spec.until->time_ms) until->refuse("expected a point in a client's work; for a time there is for_ms");
  }
  spec.settings = node;
  return spec;
}

}  // namespace

void read_exposure(ObjectReader& in, ExposureMinima& minima) {
  if (const JsonNode* exposure = in.node("exposure")) {
    ObjectReader counts(*exposure);
    minima.grants = counts.integer("grants", 1, 1'000'000).value_or(minima.grants);
    minima.attempts_in_hold = counts.integer("attempts_in_hold", 0, 1'000'000).value_or(minima.attempts_in_hold);
    counts.finish();
  }
}

void read_server(ObjectReader& in, ServerSettings& server) {
  server.topology = in.text("topology").value_or(server.topology);
  const JsonNode* node = in.node("server");
  if (node == nullptr) return;
  if (node->kind != JsonNode::Kind::object) node->refuse("expected an object");
  for (const JsonMember& member : node->members) {
    const auto known = std::find_if(server.own.begin(), server.own.end(),
                                    [&](const JsonMember& one) { return one.name == member.name; });
    if (known == server.own.end()) {
      server.own.push_back(member);
    } else {
      known->value = member.value;
    }
  }
}

std::vector<FaultSpec> read_faults(ObjectReader& in) {
  std::vector<FaultSpec> faults;
  if (const JsonNode* list = in.node("faults")) {
    if (list->kind != JsonNode::Kind::array) list->refuse("expected an array of faults");
    for (const auto& fault : list->items) faults.push_back(read_fault(fault));
  }
  return faults;
}

std::uint32_t server_of_client(std::uint32_t servers, const Load& load, std::uint32_t client) {
  const std::string& word = load.connects[client % load.connects.size()];
  if (word == "in_turn") return client % servers;
  return static_cast<std::uint32_t>(word.back() - '0');
}

}  // namespace holdfast
