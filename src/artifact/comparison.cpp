#include "artifact/comparison.hpp"

#include <nlohmann/json.hpp>

#include "artifact/enumeration.hpp"
#include "artifact/shape.hpp"
#include "artifact/verdict.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

constexpr EnumWords<TrialState> kStates({"judged", "unavailable", "harness_error"});
constexpr EnumWords<Change> kChanges({"same", "fixed", "still", "flaky", "unknown", "new"});

}  // namespace

const char* to_text(TrialState state) {
  return kStates[state];
}

bool from_text(const std::string& word, TrialState& out) {
  return kStates.read(word, out);
}

const char* to_text(Change change) {
  return kChanges[change];
}

bool from_text(const std::string& word, Change& out) {
  return kChanges.read(word, out);
}

double ServiceNumbers::grants_per_s() const {
  return load_ns > 0 ? static_cast<double>(grants) * 1e9 / static_cast<double>(load_ns) : 0;
}

double ServiceNumbers::statements_per_grant() const {
  return grants > 0 ? static_cast<double>(statements) / static_cast<double>(grants) : 0;
}

const ComparedCell* find_cell(const Comparison& all, const std::string& variant, const std::string& scenario) {
  for (const auto& cell : all.cells) {
    if (cell.variant == variant && cell.scenario == scenario) return &cell;
  }
  return nullptr;
}

namespace {

// The JSON of one cell of a comparison; comparison.hpp has that of the whole, which is what others want.

using Json = nlohmann::json;

Json compared_counts(const std::map<std::string, std::int64_t>& counts) {
  Json out = Json::object();
  for (const auto& [name, count] : counts) out[valid_utf8(name)] = count;
  return out;
}

Json to_json(const ComparedLatency& l) {
  return {{"count", l.count}, {"p50_ns", l.p50_ns}, {"p99_ns", l.p99_ns}, {"most_ns", l.most_ns}};
}

ComparedLatency read_compared_latency(Shape in) {
  ComparedLatency l{in.integer("count"), in.integer("p50_ns"), in.integer("p99_ns"), in.integer("most_ns")};
  in.finish();
  return l;
}

Json to_json(const ServiceNumbers& s) {
  return {{"trials", s.trials},
          {"load_ns", s.load_ns},
          {"grants", s.grants},
          {"grants_per_s", s.grants_per_s()},
          {"statements", s.statements},
          {"statements_per_grant", s.statements_per_grant()},
          {"fencing_rejections", s.fencing_rejections},
          {"unavailable_ns", s.unavailable_ns},
          {"longest_gap_ns", s.longest_gap_ns},
          {"recoveries", s.recoveries},
          {"slowest_recovery_ns", s.slowest_recovery_ns},
          {"unrecovered", s.unrecovered},
          {"uncontended", to_json(s.uncontended)},
          {"contended", to_json(s.contended)}};
}

ServiceNumbers read_service(Shape in) {
  ServiceNumbers s;
  s.trials = in.integer("trials");
  s.load_ns = in.integer("load_ns");
  s.grants = in.integer("grants");
  in.real("grants_per_s");
  s.statements = in.integer("statements");
  in.real("statements_per_grant");
  s.fencing_rejections = in.integer("fencing_rejections");
  s.unavailable_ns = in.integer("unavailable_ns");
  s.longest_gap_ns = in.integer("longest_gap_ns");
  s.recoveries = in.integer("recoveries");
  s.slowest_recovery_ns = in.integer("slowest_recovery_ns");
  s.unrecovered = in.integer("unrecovered");
  s.uncontended = read_compared_latency(in.object("uncontended"));
  s.contended = read_compared_latency(in.object("contended"));
  in.finish();
  return s;
}

Json to_json(const ComparedProperty& p) {
  return {{"property", valid_utf8(p.property)},
          {"judgement", to_text(p.judgement)},
          {"kinds", compared_counts(p.kinds)},
          {"text", valid_utf8(p.text)},
          {"from_ns", p.from_ns},
          {"to_ns", p.to_ns}};
}

ComparedProperty read_compared_property(Shape& in) {
  ComparedProperty p;
  p.property = in.text("property");
  p.judgement = in.word<Judgement>("judgement");
  p.kinds = in.counts("kinds");
  p.text = in.text("text");
  p.from_ns = in.integer("from_ns", -kFarthestNs, kFarthestNs);
  p.to_ns = in.integer("to_ns", -kFarthestNs, kFarthestNs);
  return p;
}

Json to_json(const ComparedSpan& s) {
  return {{"from_ns", s.from_ns}, {"to_ns", s.to_ns}};
}

ComparedSpan read_time_span(Shape& in) {
  return {in.integer("from_ns", -kFarthestNs, kFarthestNs), in.integer("to_ns", -kFarthestNs, kFarthestNs)};
}

Json to_json(const ComparedTrial& t) {
  Json out{{"number", t.number},
           {"seed", std::to_string(t.seed)},
           {"folder", valid_utf8(t.folder)},
           {"state", to_text(t.state)},
           {"error", valid_utf8(t.error)},
           {"properties", Json::array()},
           {"service", to_json(t.service)},
           {"end_ns", t.end_ns},
           {"faults", Json::array()},
           {"gaps", Json::array()},
           {"grants_by_bin", t.grants_by_bin}};
  for (const auto& property : t.properties) out["properties"].push_back(to_json(property));
  for (const auto& fault : t.faults) out["faults"].push_back(to_json(fault));
  for (const auto& gap : t.gaps) out["gaps"].push_back(to_json(gap));
  return out;
}

ComparedTrial read_compared_trial(Shape& in) {
  ComparedTrial t;
  t.number = static_cast<int>(in.integer("number", 0, INT32_MAX));
  t.seed = in.digits("seed");
  t.folder = in.text("folder");
  t.state = in.word<TrialState>("state");
  t.error = in.text("error");
  t.properties = in.list<ComparedProperty>("properties", read_compared_property);
  t.service = read_service(in.object("service"));
  t.end_ns = in.integer("end_ns");
  t.faults = in.list<FaultSpan>("faults", read_fault_span);
  t.gaps = in.list<ComparedSpan>("gaps", read_time_span);
  for (const auto count : in.numbers("grants_by_bin")) t.grants_by_bin.push_back(static_cast<std::int64_t>(count));
  return t;
}

Json to_json(const SafetyCount& s) {
  return {{"property", valid_utf8(s.property)}, {"violated", s.violated},           {"judged", s.judged},
          {"undecided", s.undecided},           {"not_exercised", s.not_exercised}, {"kinds", compared_counts(s.kinds)},
          {"text", valid_utf8(s.text)}};
}

SafetyCount read_safety(Shape& in) {
  SafetyCount s;
  s.property = in.text("property");
  s.violated = in.integer("violated");
  s.judged = in.integer("judged");
  s.undecided = in.integer("undecided");
  s.not_exercised = in.integer("not_exercised");
  s.kinds = in.counts("kinds");
  s.text = in.text("text");
  return s;
}

Json compared_cell_json(const ComparedCell& cell) {
  Json out{{"variant", valid_utf8(cell.variant)},
           {"scenario", valid_utf8(cell.scenario)},
           {"safety", Json::array()},
           {"service", to_json(cell.service)},
           {"trials", Json::array()}};
  for (const auto& count : cell.safety) out["safety"].push_back(to_json(count));
  for (const auto& trial : cell.trials) out["trials"].push_back(to_json(trial));
  return out;
}

ComparedCell read_compared_cell(Shape& in) {
  ComparedCell cell;
  cell.variant = in.text("variant");
  cell.scenario = in.text("scenario");
  cell.safety = in.list<SafetyCount>("safety", read_safety);
  cell.service = read_service(in.object("service"));
  cell.trials = in.list<ComparedTrial>("trials", read_compared_trial);
  return cell;
}

using Json = nlohmann::json;

Json variant_json(const ComparedVariant& v) {
  Json settings = Json::object();
  for (const auto& [key, value] : v.settings) settings[valid_utf8(key)] = valid_utf8(value);
  return {{"name", valid_utf8(v.name)}, {"lock", valid_utf8(v.lock)}, {"settings", std::move(settings)}};
}

ComparedVariant read_compared_variant(Shape& in) {
  return {in.text("name"), in.text("lock"), in.words("settings")};
}

Json change_json(const ComparedChange& c) {
  return {{"variant", valid_utf8(c.variant)},
          {"scenario", valid_utf8(c.scenario)},
          {"property", valid_utf8(c.property)},
          {"change", to_text(c.change)},
          {"violated_before", c.violated_before},
          {"judged_before", c.judged_before},
          {"violated", c.violated},
          {"judged", c.judged},
          {"why", valid_utf8(c.why)}};
}

ComparedChange read_compared_change(Shape& in) {
  ComparedChange c;
  c.variant = in.text("variant");
  c.scenario = in.text("scenario");
  c.property = in.text("property");
  c.change = in.word<Change>("change");
  c.violated_before = in.integer("violated_before");
  c.judged_before = in.integer("judged_before");
  c.violated = in.integer("violated");
  c.judged = in.integer("judged");
  c.why = in.text("why");
  return c;
}

}  // namespace

Json to_json(const Comparison& all) {
  Json out{{"holdfast_compare", 2},
           {"version", valid_utf8(all.version)},
           {"started_utc", valid_utf8(all.started_utc)},
           {"command", valid_utf8(all.command)},
           {"server", valid_utf8(all.server)},
           {"seed", std::to_string(all.seed)},
           {"repeat", all.repeat},
           {"jobs", all.jobs},
           {"seconds", all.seconds},
           {"stalls", all.stalls},
           {"interrupted", all.interrupted},
           {"exit_code", all.exit_code},
           {"variants", Json::array()},
           {"scenarios", Json::array()},
           {"cells", Json::array()},
           {"baseline", valid_utf8(all.baseline)},
           {"changes", Json::array()}};
  for (const auto& variant : all.variants) out["variants"].push_back(variant_json(variant));
  for (const auto& scenario : all.scenarios) out["scenarios"].push_back(valid_utf8(scenario));
  for (const auto& cell : all.cells) out["cells"].push_back(compared_cell_json(cell));
  for (const auto& note : all.notes) out["notes"].push_back(valid_utf8(note));
  for (const auto& change : all.changes) out["changes"].push_back(change_json(change));
  return out;
}

Comparison comparison_from_json(const Json& json) {
  Shape in(json);
  Comparison all;
  in.form("holdfast_compare", 2);
  all.version = in.text("version");
  all.started_utc = in.text("started_utc");
  all.command = in.text("command");
  all.server = in.text("server");
  all.seed = in.digits("seed");
  all.repeat = static_cast<int>(in.integer("repeat", 1, INT32_MAX));
  all.jobs = static_cast<int>(in.integer("jobs", 1, INT32_MAX));
  all.seconds = in.real("seconds");
  all.stalls = in.integer("stalls");
  all.interrupted = in.boolean("interrupted");
  all.exit_code = static_cast<int>(in.integer("exit_code", 0, 255));
  all.variants = in.list<ComparedVariant>("variants", read_compared_variant);
  all.scenarios = in.texts("scenarios");
  all.cells = in.list<ComparedCell>("cells", read_compared_cell);
  if (in.has("notes")) all.notes = in.texts("notes");
  all.baseline = in.text("baseline");
  all.changes = in.list<ComparedChange>("changes", read_compared_change);
  in.finish();
  return all;
}

}  // namespace holdfast
