#include "artifact/scenario_tables.hpp"

#include <algorithm>

#include "artifact/capacity.hpp"

namespace holdfast {
namespace {

constexpr Bounds kAnyCount{1, 1'000'000};

JsonKey<InjectionPoint> optional_key(const char* name, std::optional<std::int64_t> InjectionPoint::*member,
                                     Bounds bounds, const char* about) {
  return {
      name,    schema_of(bounds),
      about,   [=](ObjectReader& in, InjectionPoint& at) { at.*member = in.integer(name, bounds.least, bounds.most); },
      nullptr, {}};
}

void read_when(ObjectReader& in, InjectionPoint& at) {
  at.after = in.choice("when", {"before", "after"}).value_or("before") == "after";
}

Schema some_text() {
  return {{"type", "string"}, {"minLength", 1}};
}

const std::vector<JsonKey<InjectionPoint>>& injection_point_keys() {
  static const std::vector<JsonKey<InjectionPoint>> kAll{
      optional_key("time_ms", &InjectionPoint::time_ms, kAnyTime, "since the load began"),
      text_key("phase", &InjectionPoint::phase, reference_to("phase"), "a phase of a client's work"),
      text_key("statement", &InjectionPoint::statement, some_text(), "a named statement of the lock"),
      {"request",
       schema_of(kAnyCount),
       "the lock's request with this number in its operation (background: since its client's last one), "
       "counted between the client's node and the lock server",
       [](ObjectReader& in, InjectionPoint& at) {
         at.request = in.integer("request", kAnyCount.least, kAnyCount.most).value_or(0);
       },
       nullptr,
       {}},
      {"when",
       {{"enum", {"before", "after"}}},
       "before it is sent, or after it was executed and before its answer is seen",
       read_when,
       nullptr},
      word_key("of", &InjectionPoint::of, {"acquire", "renew", "release", "background"},
               "only as part of this operation; background: a request sent while no operation is open"),
      word_key("key", &InjectionPoint::key, {"free", "held"},
               "only while no other client (free), or another client (held), believes that it holds that key"),
      optional_key("client", &InjectionPoint::client, {0, kMostClients - 1}, "only when this client passes it"),
      whole_key("nth", &InjectionPoint::nth, kAnyCount, "the n-th passing that matches"),
  };
  return kAll;
}

InjectionPoint read_injection_point(const JsonNode& node) {
  ObjectReader in(node);
  InjectionPoint at;
  read_keys(injection_point_keys(), in, at);
  in.finish();
  const int named =
      (at.time_ms ? 1 : 0) + (at.phase.empty() ? 0 : 1) + (at.statement.empty() ? 0 : 1) + (at.request == 0 ? 0 : 1);
  if (named != 1) node.refuse("name exactly one of time_ms, phase, statement, request");
  for (const char* of_point : {"of", "key"}) {
    if (at.time_ms && node.find(of_point) != nullptr) {
      node.find(of_point)->refuse(
          "applies only to an injection point in a client's work; remedy: use a statement or "
          "a phase instead of time_ms");
    }
  }
  return at;
}

void read_at(ObjectReader& in, FaultSpec& spec) {
  const JsonNode* at = in.node("at");
  if (!at) {
    in.object().refuse(
        "'at' is missing: a fault needs an injection point, such as {\"time_ms\": 1000} or {\"phase\": "
        "\"critical_section\"}");
  }
  spec.at = read_injection_point(*at);
}

void read_until(ObjectReader& in, FaultSpec& spec) {
  const JsonNode* until = in.node("until");
  if (!until) return;
  if (in.node("for_ms")) until->refuse("name one of for_ms and until");
  spec.until = read_injection_point(*until);
  if (spec.until->time_ms) until->refuse("expected an injection point in a client's work; for a duration use for_ms");
}

// Reads the settings that every fault has; others stay in `settings` for the fault itself.
FaultSpec read_fault(const JsonNode& node) {
  ObjectReader in(node);
  FaultSpec spec;
  read_keys(fault_keys(), in, spec);
  spec.settings = node;
  return spec;
}

void read_own_settings(ObjectReader& in, ServerSettings& server) {
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

nlohmann::json own_settings_json(const ServerSettings& server) {
  auto out = nlohmann::json::object();
  for (const auto& setting : server.own) out[setting.name] = to_json(setting.value);
  return out;
}

Schema object_of(Schema properties, const char* about) {
  return {{"description", about}, {"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
}

Schema requires_one(const char* key) {
  return {{"required", Schema::array({key})}};
}

Schema moment_schema() {
  Schema out = object_of(properties_of(injection_point_keys()),
                         "injection point of the fault: a time, or the n-th passing of a point in a client's work");
  Schema time = requires_one("time_ms");
  time["not"] = {{"anyOf", Schema::array({requires_one("of"), requires_one("key")})}};
  out["oneOf"] = Schema::array({time, requires_one("phase"), requires_one("statement"), requires_one("request")});
  return out;
}

Schema point_schema() {
  Schema properties = properties_of(injection_point_keys());
  properties.erase("time_ms");
  Schema out = object_of(properties,
                         "point in a client's work at which the fault ends; the client waits there until the "
                         "fault is healed");
  out["oneOf"] = Schema::array({requires_one("phase"), requires_one("statement"), requires_one("request")});
  return out;
}

}  // namespace

const std::vector<JsonKey<FaultSpec>>& fault_keys() {
  static const Schema kTarget{
      {"type", "string"},
      {"pattern", "^(holder|waiter|everyone|client:[0-9]{1,3}|server(:[0-9]{1,3})?|leader|follower)$"}};
  static const std::vector<JsonKey<FaultSpec>> kAll{
      {"fault",
       {{"type", "string"}},
       "",
       [](ObjectReader& in, FaultSpec& spec) { spec.fault = in.required("fault", in.text("fault")); },
       nullptr},
      text_key("target", &FaultSpec::target, kTarget,
               "the clients or servers that the fault strikes; default: the holder if `at` is a time, else the "
               "client at the injection point"),
      {"at", reference_to("moment"), "injection point", read_at, nullptr, {}},
      whole_key("for_ms", &FaultSpec::for_ms, kAnyTime, "duration; 0 without `until`: to the end of the load"),
      {"until",
       reference_to("point"),
       "instead of for_ms: the point in a client's work at which the fault ends; the client waits there until it is "
       "healed",
       read_until,
       nullptr,
       {}},
      yes_key("optional", &FaultSpec::optional,
              "do not report an error if the injection point is never reached; a trial in which the fault never "
              "acted is undecided"),
  };
  return kAll;
}

const std::vector<JsonKey<CoverageMinima>>& coverage_keys() {
  static const std::vector<JsonKey<CoverageMinima>> kAll{
      whole_key("grants", &CoverageMinima::grants, kAnyCount, "minimum number of grants"),
      whole_key("attempts_in_hold", &CoverageMinima::attempts_in_hold, {0, kAnyCount.most},
                "minimum number of requests for a key that another client held or was granted during the wait"),
  };
  return kAll;
}

const std::vector<JsonKey<ServerSettings>>& server_keys() {
  static const std::vector<JsonKey<ServerSettings>> kAll{
      {"server",
       {{"type", "object"}, {"additionalProperties", false}},
       "topology of the lock service",
       read_own_settings,
       own_settings_json,
       {}},
      text_key("topology", &ServerSettings::topology, Schema::object(), ""),
  };
  return kAll;
}

Schema scenario_definitions() {
  Schema out = Schema::object();
  add_load_definitions(out);
  out["coverage"] =
      object_of(properties_of(coverage_keys()), "how often the dangerous situation must occur for `holds` to count");
  out["moment"] = moment_schema();
  out["point"] = point_schema();
  return out;
}

void read_coverage(ObjectReader& in, CoverageMinima& minima) {
  if (const JsonNode* coverage = in.node("coverage")) {
    ObjectReader counts(*coverage);
    read_keys(coverage_keys(), counts, minima);
    counts.finish();
  }
}

void read_server(ObjectReader& in, ServerSettings& server) {
  read_keys(server_keys(), in, server);
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
