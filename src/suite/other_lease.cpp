#include "suite/other_lease.hpp"

#include <string_view>

namespace holdfast {
namespace {

struct Scale {
  std::int64_t times = 1;
  std::int64_t over = 1;
};

// Keys name their unit. What has another one, or none, stays: clients, drifts, zones. So does a part of a second.
bool is_time(std::string_view key) {
  return key.ends_with("_ms") && key != "align_ms";
}

void scale_times(JsonNode& node, bool time, const Scale& scale) {
  if (time && node.kind == JsonNode::Kind::integer) node.integer = node.integer * scale.times / scale.over;
  if (time && node.kind == JsonNode::Kind::real) {
    node.real = node.real * static_cast<double>(scale.times) / static_cast<double>(scale.over);
  }
  for (JsonNode& item : node.items) scale_times(item, time, scale);
  for (JsonMember& member : node.members) scale_times(member.value, is_time(member.name), scale);
}

// Writes out the times that the scenario leaves to their defaults.
void add_defaults(const Load& load, JsonNode& source) {
  const auto whole = [&](std::int64_t value) {
    JsonNode out;
    out.kind = JsonNode::Kind::integer;
    out.file = source.file;
    out.line = source.line;
    out.integer = value;
    return out;
  };
  const auto add = [&](const char* key, std::int64_t value) {
    if (source.find(key) == nullptr) source.members.push_back({key, whole(value)});
  };
  add("lease_ms", load.lease_ms);
  add("duration_ms", load.duration_ms);
  add("progress_bound_ms", load.progress_bound_ms);
  add("poll_ms", load.poll_ms);
  if (source.find("hold_ms") != nullptr) return;
  JsonNode range = whole(0);
  range.kind = JsonNode::Kind::array;
  range.items = {whole(load.hold_ms.least), whole(load.hold_ms.most)};
  source.members.push_back({"hold_ms", std::move(range)});
}

}  // namespace

Scenario with_lease(const Scenario& scenario, std::int64_t lease_ms) {
  const std::int64_t own = scenario.load.lease_ms;
  if (own <= 0 || own == lease_ms) return scenario;
  JsonNode source = scenario.source;
  add_defaults(scenario.load, source);
  scale_times(source, false, {lease_ms, own});
  Scenario out = read_scenario(std::move(source), scenario.source.file);
  out.suite = scenario.suite;
  out.seed_name = scenario.seed_name;
  return out;
}

}  // namespace holdfast
