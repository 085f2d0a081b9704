#include "history/history_line.hpp"

#include "artifact/json_reader.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

using nlohmann::json;

void read_line_token(const HistoryFields& in, Event& event) {
  std::uint64_t token = 0;
  if (in.unsigned64("token", token)) event.token = token;
}

void read_statements(const HistoryFields& in, Event& event) {
  const json* list = in.find("statements");
  if (!list) return;
  if (!list->is_array()) throw BadInput("statements: expected an array");
  for (const json& item : *list) {
    if (!item.is_object()) throw BadInput("statements: expected objects");
    const HistoryFields fields(item);
    Statement& statement = event.statements.emplace_back();
    fields.text("name", statement.name);
    fields.integer("call", statement.call_ns, 0, kMaxTimeNs);
    fields.integer("return", statement.return_ns, 0, kMaxTimeNs);
    fields.integer("rows", statement.rows, -1, kMaxInteger);
    fields.integer("error", statement.error, 0, std::numeric_limits<int>::max());
    if (const json* values = fields.find("values"); values != nullptr) {
      if (!values->is_object()) throw BadInput("values: expected an object");
      statement.values = values->dump(-1, ' ', false, json::error_handler_t::replace);
    }
  }
}

void read_numbers(const HistoryFields& in, Event& event, HistoryLine& line) {
  line.has_key = in.name("key", line.key);
  line.has_client = in.integer("client", event.client, 0, kMaxClients - 1);
  in.integer("op", event.number, 0, kMaxInteger);
  in.integer("grant", event.grant, 0, kMaxInteger);
  read_line_token(in, event);
}

void read_client(const HistoryFields& in, Event& event, HistoryLine& line) {
  read_numbers(in, event, line);
  if (!in.word("type", event.type, "invoke, ok, fail, info")) throw BadInput("type: is missing");
  if (!in.word("f", event.op, "acquire, renew, release, leave, write")) throw BadInput("f: is missing");
  std::int64_t lease_ms = 0;
  if (in.integer("lease_ms", lease_ms, 0, kMaxLeaseMs)) event.lease_ns = lease_ms * 1'000'000;
  // Reasons in foreign histories may be any text; the checker ignores unknown ones.
  std::string reason;
  if (in.text("reason", reason) && !from_text(reason, event.reason)) event.reason = Reason::other;
  if (std::string mode; in.text("mode", mode)) {
    if (mode != "shared" && mode != "exclusive") throw BadInput("mode: must be shared or exclusive");
    event.shared = mode == "shared";
  }
  in.boolean("background", event.background);
  if (event.background && event.op != Op::renew) throw BadInput("background: only a renewal can have this key");
  read_statements(in, event);
}

void read_nemesis(const HistoryFields& in, Event& event) {
  event.actor = Actor::nemesis;
  event.type = EventType::info;
  in.word("step", event.step, "begin, end, kill, healed, stall, load_end, unanswered");
  in.text("f", event.fault);
  in.text("cause", event.cause);
  in.text("detail", event.detail);
  in.boolean("stops", event.stops);
  in.word("aim", event.aim, "none, request, reply");
  in.integer("until", event.until_ns, 0, kMaxTimeNs);
  in.integer("waited", event.waited_ns, 0, kMaxTimeNs);
  const json* clients = in.find("clients");
  if (!clients) return;
  if (!clients->is_array()) throw BadInput("clients: expected an array");
  for (const json& client : *clients) {
    if (!client.is_number_unsigned() || client.get<std::uint64_t>() >= std::uint64_t(kMaxClients)) {
      throw BadInput("clients: expected numbers of clients");
    }
    event.clients.push_back(client.get<std::uint32_t>());
  }
}

void read_accepted(const HistoryFields& in, Event& event, HistoryLine& line) {
  event.actor = Actor::resource;
  event.type = EventType::ok;
  event.op = Op::write;
  read_numbers(in, event, line);
  in.integer("sequence", event.accepted.sequence, 0, kMaxInteger);
  in.integer("base", event.accepted.base, kMinInteger, kMaxInteger);
  in.integer("value", event.accepted.value, kMinInteger, kMaxInteger);
}

void read_observed(const HistoryFields& in, Event& event, HistoryLine& line) {
  event.actor = Actor::observer;
  event.type = EventType::ok;
  read_numbers(in, event, line);
  std::uint32_t holder = 0;
  if (in.integer("holder", holder, 0, kMaxClients - 1)) event.holder = holder;
}

bool is_evaluated(const HistoryFields& in) {
  AssertionKind kind{};
  const json* f = in.find("f");
  return f && f->is_string() && from_text(f->get_ref<const std::string&>(), kind);
}

void read_evaluated(const HistoryFields& in, Event& event) {
  event.actor = Actor::assertion;
  in.integer("client", event.client, 0, kMaxClients - 1);
  in.word("f", event.evaluated.kind, "always, sometimes, reached");
  if (!in.word("type", event.type, "ok, fail, info")) throw BadInput("type: is missing");
  if (event.type == EventType::invoke) throw BadInput("type: an assertion has ok, fail or info");
  in.text("name", event.evaluated.name);
  if (const std::string wrong = name_error(event.evaluated.name); !wrong.empty()) throw BadInput("name: " + wrong);
  in.integer("count", event.evaluated.count, 0, kMostEvaluations);
  if (event.evaluated.count < 1 && event.type != EventType::info) throw BadInput("count: must be at least 1");
  in.text("why", event.evaluated.why);
}

bool says(const HistoryFields& in, const char* word) {
  const json* f = in.find("f");
  return f && f->is_string() && f->get_ref<const std::string&>() == word;
}

constexpr std::int64_t kMostOvertakes = 100;
constexpr int kVersion = 3;  // earlier versions have other words, and 1 had no end record

void read_promises(const HistoryFields& in, HistoryHeader& header) {
  const nlohmann::json* list = in.find("promises");
  if (!list) return;
  if (!list->is_array()) throw BadInput("promises: expected an array");
  for (const auto& item : *list) {
    if (!item.is_string()) throw BadInput("promises: expected names of properties");
    header.promises.push_back(item.get<std::string>());
  }
}

void read_minima(const HistoryFields& in, CoverageMinima& minima) {
  const nlohmann::json* object = in.find("minima");
  if (!object) return;
  if (!object->is_object()) throw BadInput("minima: expected an object");
  const HistoryFields fields(*object);
  fields.integer("grants", minima.grants, 0, kMaxInteger);
  fields.integer("attempts_in_hold", minima.attempts_in_hold, 0, kMaxInteger);
}

// Parses one line as an object; throws BadInput for broken JSON, for anything but an object, and for a duplicate key.
nlohmann::json parse_history_object(std::string_view text) {
  try {
    nlohmann::json object = parse_json(text);
    if (!object.is_object()) throw BadInput("expected an object");
    return object;
  } catch (const JsonRefusal& refused) {
    if (refused.column == 0) throw BadInput((refused.path.empty() ? "" : refused.path + ": ") + refused.why);
    throw BadInput("broken JSON at column " + std::to_string(refused.column) + "; a history has one object per line");
  }
}

}  // namespace

void parse_history_line(std::string_view text, Event& event, HistoryLine& line) {
  const json object = parse_history_object(text);
  const HistoryFields in(object);
  clear(event);
  line.has_key = line.has_client = false;
  line.has_index = in.integer("index", event.index, 0, kMaxInteger);
  const json* time = in.find("time");
  line.has_time = time != nullptr;
  line.time_form = time != nullptr ? read_time_form(*time, event.time_ns) : TimeForm::nanoseconds;
  if (!in.name("process", line.process)) throw BadInput("process: is missing");
  const std::string_view process = line.process.text();
  if (process == "nemesis" && in.find("step")) {
    read_nemesis(in, event);
  } else if (process == "resource" && says(in, "accepted")) {
    read_accepted(in, event, line);
  } else if (process == "observer" && says(in, "leader")) {
    read_observed(in, event, line);
  } else if (process == "assertion" && is_evaluated(in)) {
    read_evaluated(in, event);
  } else {
    read_client(in, event, line);
  }
}

bool parse_history_header(std::string_view text, HistoryHeader& header) {
  const nlohmann::json object = parse_history_object(text);
  const HistoryFields in(object);
  int version = 0;
  if (!in.integer("holdfast_history", version, 0, 1'000'000)) return false;
  if (version < kVersion) throw BadInput("holdfast_history: " + older_form(version, kVersion));
  if (version > kVersion) {
    throw BadInput("holdfast_history: form " + std::to_string(version) +
                   " was written by a newer holdfast; this version reads form " + std::to_string(kVersion));
  }
  header = {};
  header.foreign = false;
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
  in.boolean("scheduled", header.scheduled);
  in.boolean("cancels", header.cancels);
  in.boolean("renews_unseen", header.renews_unseen);
  in.boolean("tells_loss", header.tells_loss);
  in.boolean("reenters", header.reenters);
  in.integer("guard_ns", header.guard_ns, 0, kMaxTimeNs);
  in.integer("loss_notice_ns", header.loss_notice_ns, 0, kMaxTimeNs);
  in.integer("overtakes_most", header.overtakes_most, 0, kMostOvertakes);
  read_promises(in, header);
  read_minima(in, header.minima);
  return true;
}

std::string history_end_line(std::uint64_t events) {
  return R"({"type":"end","events":)" + std::to_string(events) + "}";
}

// Only the end record has no process, which stands near the beginning of all other lines. Candidates, which are rare,
// are parsed.
std::optional<std::uint64_t> parse_history_end(std::string_view text) {
  if (text.find("\"process\"") != std::string_view::npos || text.find("\"end\"") == std::string_view::npos) return {};
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
  if (header.scheduled) out["scheduled"] = true;
  if (header.cancels) out["cancels"] = true;
  if (header.renews_unseen) out["renews_unseen"] = true;
  if (header.tells_loss) out["tells_loss"] = true;
  if (header.reenters) out["reenters"] = true;
  if (header.guard_ns > 0) out["guard_ns"] = header.guard_ns;
  if (header.loss_notice_ns > 0) out["loss_notice_ns"] = header.loss_notice_ns;
  if (header.overtakes_most > 0) out["overtakes_most"] = header.overtakes_most;
  out["promises"] = header.promises;
  out["minima"]["grants"] = header.minima.grants;
  out["minima"]["attempts_in_hold"] = header.minima.attempts_in_hold;
  return text_of_json(out);
}

}  // namespace holdfast
