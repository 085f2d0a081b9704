// The JSON of a whole comparison, both ways.
#include <nlohmann/json.hpp>

#include "artifact/comparison_cell_json.hpp"
#include "artifact/utf8.hpp"

namespace holdfast {
namespace {

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
  Json out{{"holdfast_compare", 1},
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
  for (const auto& change : all.changes) out["changes"].push_back(change_json(change));
  return out;
}

Comparison comparison_from_json(const Json& json) {
  Shape in(json);
  Comparison all;
  in.integer("holdfast_compare", 1, 1);
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
  all.baseline = in.text("baseline");
  all.changes = in.list<ComparedChange>("changes", read_compared_change);
  in.finish();
  return all;
}

}  // namespace holdfast
