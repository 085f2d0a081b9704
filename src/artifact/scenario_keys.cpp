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
  server.topology = in.choice("topology", topologies()).value_or(server.topology);
  const JsonNode* node = in.node("server");
  if (node == nullptr) return;
  ObjectReader own(*node);
  server.innodb_flush_log_at_trx_commit =
      own.integer("innodb_flush_log_at_trx_commit", 0, 2).value_or(server.innodb_flush_log_at_trx_commit);
  server.explicit_defaults_for_timestamp =
      own.boolean("explicit_defaults_for_timestamp").value_or(server.explicit_defaults_for_timestamp);
  server.redis_persistence =
      own.choice("redis_persistence", {"none", "aof_always", "aof_everysec"}).value_or(server.redis_persistence);
  own.finish();
}

std::vector<FaultSpec> read_faults(ObjectReader& in) {
  std::vector<FaultSpec> faults;
  if (const JsonNode* list = in.node("faults")) {
    if (list->kind != JsonNode::Kind::array) list->refuse("expected an array of faults");
    for (const auto& fault : list->items) faults.push_back(read_fault(fault));
  }
  return faults;
}

const std::vector<std::string>& topologies() {
  static const std::vector<std::string> all{"single", "replica", "redis_replica", "galera"};
  return all;
}

std::uint32_t servers_of(const std::string& topology) {
  return topology == "galera" ? 3 : 1;
}

std::uint32_t server_of_client(const std::string& topology, const Load& load, std::uint32_t client) {
  const std::string& word = load.connects[client % load.connects.size()];
  if (word == "in_turn") return client % servers_of(topology);
  return static_cast<std::uint32_t>(word.back() - '0');
}

}  // namespace holdfast
