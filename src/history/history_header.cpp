#include "history/history_fields.hpp"
#include "history/history_line.hpp"

namespace holdfast {
namespace {

constexpr int kVersion = 2;  // 1 had no end record

void read_promises(const HistoryFields& in, HistoryHeader& header) {
  const nlohmann::json* list = in.find("promises");
  if (!list) return;
  if (!list->is_array()) throw BadInput("promises: expected an array");
  for (const auto& item : *list) {
    if (!item.is_string()) throw BadInput("promises: expected names of properties");
    header.promises.push_back(item.get<std::string>());
  }
}

void read_minima(const HistoryFields& in, ExposureMinima& minima) {
  const nlohmann::json* object = in.find("minima");
  if (!object) return;
  if (!object->is_object()) throw BadInput("minima: expected an object");
  const HistoryFields fields(*object);
  fields.integer("grants", minima.grants, 0, kMaxInteger);
  fields.integer("attempts_in_hold", minima.attempts_in_hold, 0, kMaxInteger);
}

}  // namespace

bool parse_history_header(std::string_view text, HistoryHeader& header) {
  const nlohmann::json object = parse_history_object(text);
  const HistoryFields in(object);
  int version = 0;
  if (!in.integer("holdfast_history", version, 0, 1'000'000)) return false;
  if (version == 1) {
    throw BadInput(
        "holdfast_history: is of an older holdfast (version 1), whose histories do not say where they end: one that "
        "was cut off would pass for a whole one; remedy: run it again");
  }
  if (version != kVersion) {
    throw BadInput("holdfast_history: version " + std::to_string(version) + " is not known here; this program reads " +
                   std::to_string(kVersion));
  }
  header = {};
  header.bare = false;
  in.text("model", header.model);
  in.text("lock", header.lock);
  in.text("scenario", header.scenario);
  in.unsigned64("seed", header.seed);
  in.integer("clients", header.clients, 0, kMaxClients);
  in.integer("lease_ns", header.lease_ns, 0, kMaxTimeNs);
  in.integer("progress_bound_ns", header.progress_bound_ns, 0, kMaxTimeNs);
  in.boolean("faults_planned", header.faults_planned);
  in.boolean("fenced_resource", header.fenced_resource);
  in.integer("stall_bound_ns", header.stall_bound_ns, 0, kMaxTimeNs);
  in.boolean("waits", header.waits);
  in.integer("guard_ns", header.guard_ns, 0, kMaxTimeNs);
  read_promises(in, header);
  read_minima(in, header.minima);
  return true;
}

std::string history_end_line(std::uint64_t events) {
  return R"({"type":"end","events":)" + std::to_string(events) + "}";
}

// Only the last line of a history has no process. What might be one is looked at closely; few lines are.
std::optional<std::uint64_t> parse_history_end(std::string_view text) {
  if (text.find("\"end\"") == std::string_view::npos || text.find("\"process\"") != std::string_view::npos) return {};
  const nlohmann::json object = parse_history_object(text);
  const HistoryFields in(object);
  std::string type;
  if (!in.text("type", type) || type != "end") return {};
  std::int64_t events = 0;
  if (!in.integer("events", events, 0, kMaxInteger)) throw BadInput("events: is missing");
  return static_cast<std::uint64_t>(events);
}

std::string history_header_line(const HistoryHeader& header) {
  nlohmann::ordered_json out;
  out["holdfast_history"] = kVersion;
  out["model"] = header.model;
  out["lock"] = header.lock;
  out["scenario"] = header.scenario;
  out["seed"] = header.seed;
  out["clients"] = header.clients;
  out["lease_ns"] = header.lease_ns;
  out["progress_bound_ns"] = header.progress_bound_ns;
  out["faults_planned"] = header.faults_planned;
  out["fenced_resource"] = header.fenced_resource;
  if (header.stall_bound_ns > 0) out["stall_bound_ns"] = header.stall_bound_ns;
  if (header.waits) out["waits"] = true;
  if (header.guard_ns > 0) out["guard_ns"] = header.guard_ns;
  out["promises"] = header.promises;
  out["minima"]["grants"] = header.minima.grants;
  out["minima"]["attempts_in_hold"] = header.minima.attempts_in_hold;
  return out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace holdfast
