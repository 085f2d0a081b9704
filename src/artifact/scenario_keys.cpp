#include <algorithm>
#include <functional>
#include <regex>

#include "artifact/capacity.hpp"
#include "artifact/error.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLongest_ms = 24LL * 3600 * 1000;
constexpr std::size_t kMostTurns = 200;
// A range is one number or [least, most].
void read_range(ObjectReader& in, const std::string& key, Range& out) {
  const JsonNode* node = in.node(key);
  if (!node) return;
  if (node->kind == JsonNode::Kind::integer) {
    out = {node->integer, node->integer};
  } else if (node->kind == JsonNode::Kind::array && node->items.size() == 2 &&
             node->items[0].kind == JsonNode::Kind::integer && node->items[1].kind == JsonNode::Kind::integer) {
    out = {node->items[0].integer, node->items[1].integer};
  } else {
    node->refuse("expected an integer or [least, most]");
  }
  if (out.least < 0 || out.most < out.least || out.most > kLongest_ms) {
    node->refuse("must be 0 or more, least first, at most a day");
  }
}

// What is given out to the clients in turn: one word, or several.
void read_turns(ObjectReader& in, const std::string& key, std::vector<std::string>& out,
                const std::function<void(const JsonNode&)>& check) {
  const JsonNode* node = in.node(key);
  if (!node) return;
  const bool list = node->kind == JsonNode::Kind::array;
  if (list && (node->items.empty() || node->items.size() > kMostTurns)) node->refuse("name one to 200");
  out.clear();
  for (const JsonNode& item : list ? node->items : std::vector<JsonNode>{*node}) {
    if (item.kind != JsonNode::Kind::text) item.refuse("expected a string, or an array of strings");
    check(item);
    out.push_back(item.text);
  }
}

// Hours and minutes from UTC: the lab's server knows no names of places. The bounds are MariaDB's.
void check_zone(const JsonNode& node) {
  static const std::regex kZone("[+-](0[0-9]|1[0-2]):[0-5][0-9]|[+]13:00");
  if (!std::regex_match(node.text, kZone)) node.refuse("expected hours and minutes, as \"+08:00\"");
}

void check_word(const JsonNode& node, const char* what, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), node.text) == words.end())
    node.refuse(unknown_word(what, node.text, words));
}

void check_isolation(const JsonNode& node) {
  check_word(node, "isolation", {"read_uncommitted", "read_committed", "repeatable_read", "serializable"});
}

void check_reads(const JsonNode& node) {
  check_word(node, "reads", {"primary", "replica"});
}

void check_connects(const JsonNode& node) {
  check_word(node, "connects", {"in_turn", "server:0", "server:1", "server:2"});
}

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

void read_load_keys(ObjectReader& in, Load& load) {
  load.clients = in.integer("clients", 1, kMostClients).value_or(load.clients);
  load.keys = in.integer("keys", 1, kMostKeys).value_or(load.keys);
  load.lease_ms = in.integer("lease_ms", 100, kLongest_ms).value_or(load.lease_ms);
  load.poll_ms = in.integer("poll_ms", 1, kLongest_ms).value_or(load.poll_ms);
  load.poll_aligned = in.boolean("poll_aligned").value_or(load.poll_aligned);
  load.duration_ms = in.integer("duration_ms", 100, kLongest_ms).value_or(load.duration_ms);
  load.progress_bound_ms = in.integer("progress_bound_ms", 100, kLongest_ms).value_or(load.progress_bound_ms);
  load.silence_ms = in.integer("silence_ms", 0, kLongest_ms).value_or(load.silence_ms);
  load.align_ms = in.integer("align_ms", 0, 999).value_or(load.align_ms);
  load.shared_addresses = in.integer("shared_addresses", 0, load.clients).value_or(load.shared_addresses);
  load.after_info = in.choice("after_info", {"abandon", "retry", "clean_up"}).value_or(load.after_info);
  load.server_id = in.choice("server_id", {"per_client", "per_node", "one"}).value_or(load.server_id);
  load.value = in.choice("value", {"bare", "with_own_id"}).value_or(load.value);
  load.reenter = in.boolean("reenter").value_or(load.reenter);
  read_range(in, "hold_ms", load.hold_ms);
  read_range(in, "pause_ms", load.pause_ms);
  read_turns(in, "time_zone", load.time_zone, check_zone);
  read_turns(in, "isolation", load.isolation, check_isolation);
  read_turns(in, "reads", load.reads, check_reads);
  read_turns(in, "connects", load.connects, check_connects);
}

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
