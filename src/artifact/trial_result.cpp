#include <nlohmann/json.hpp>

#include "artifact/run_verdict.hpp"
#include "artifact/run_verdict_json.hpp"
#include "artifact/utf8.hpp"
#include "artifact/verdict_json.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::json;

Json json_of(const Mismatch& m) {
  return {{"property", valid_utf8(m.property)}, {"expected", valid_utf8(m.expected)}, {"seen", valid_utf8(m.seen)}};
}

Mismatch read_mismatch(Shape& in) {
  return {in.text("property"), in.text("expected"), in.text("seen")};
}

Json json_of(const ControlResult& c) {
  return {{"lock", valid_utf8(c.lock)},
          {"removes", valid_utf8(c.removes)},
          {"folder", valid_utf8(c.folder)},
          {"held", c.held},
          {"seen", valid_utf8(c.seen)}};
}

ControlResult read_control(Shape in) {
  ControlResult c;
  c.lock = in.text("lock");
  c.removes = in.text("removes");
  c.folder = in.text("folder");
  c.held = in.boolean("held");
  c.seen = in.text("seen");
  in.finish();
  return c;
}

Json json_of(const CauseFinding& c) {
  Json faults = Json::array();
  for (const auto& fault : c.faults) faults.push_back(valid_utf8(fault));
  Json folders = Json::array();
  for (const auto& folder : c.folders) folders.push_back(valid_utf8(folder));
  return {{"property", valid_utf8(c.property)},
          {"kind", valid_utf8(c.kind)},
          {"of_fault", c.of_fault},
          {"faults", std::move(faults)},
          {"state", to_text(c.state)},
          {"held", c.held},
          {"judged", c.judged},
          {"note", valid_utf8(c.note)},
          {"folders", std::move(folders)}};
}

CauseFinding read_cause(Shape& in) {
  CauseFinding c;
  c.property = in.text("property");
  c.kind = in.text("kind");
  c.of_fault = in.boolean("of_fault");
  c.faults = in.texts("faults");
  c.state = in.word<CauseState>("state");
  c.held = static_cast<int>(in.integer("held", 0, INT32_MAX));
  c.judged = static_cast<int>(in.integer("judged", 0, INT32_MAX));
  c.note = in.text("note");
  c.folders = in.texts("folders");
  return c;
}

}  // namespace

Json to_json(const FaultProof& f) {
  return {{"fault", valid_utf8(f.fault)},
          {"acted", f.acted},
          {"planned", f.planned},
          {"detail", valid_utf8(f.detail)},
          {"unavailable", valid_utf8(f.unavailable)}};
}

FaultProof read_proof(Shape& in) {
  FaultProof f;
  f.fault = in.text("fault");
  f.acted = static_cast<int>(in.integer("acted", 0, INT32_MAX));
  f.planned = static_cast<int>(in.integer("planned", 0, INT32_MAX));
  f.detail = in.text("detail");
  f.unavailable = in.text("unavailable");
  return f;
}

Json to_json(const TrialResult& t) {
  Json verdict = to_json(t.verdict);
  verdict["timeline"] = timeline_json({});  // it stays in the trial's own file
  Json mismatches = Json::array();
  for (const auto& mismatch : t.mismatches) mismatches.push_back(json_of(mismatch));
  Json faults = Json::array();
  for (const auto& proof : t.faults) faults.push_back(to_json(proof));
  Json causes = Json::array();
  for (const auto& cause : t.causes) causes.push_back(json_of(cause));
  return {{"number", t.number},
          {"seed", std::to_string(t.seed)},
          {"folder", valid_utf8(t.folder)},
          {"outcome", to_text(t.outcome)},
          {"error", valid_utf8(t.error)},
          {"mismatches", std::move(mismatches)},
          {"verdict", std::move(verdict)},
          {"faults", std::move(faults)},
          {"control", t.control ? json_of(*t.control) : Json()},
          {"causes", std::move(causes)},
          {"seconds", t.seconds},
          {"cpu_seconds", t.cpu_seconds}};
}

TrialResult read_trial_result(Shape& in, std::int64_t version) {
  TrialResult t;
  t.number = static_cast<int>(in.integer("number", 0, INT32_MAX));
  t.seed = in.digits("seed");
  t.folder = in.text("folder");
  t.outcome = in.word<Outcome>("outcome");
  t.error = in.text("error");
  t.mismatches = in.list<Mismatch>("mismatches", read_mismatch);
  t.verdict = read_trial_verdict(in.object("verdict"));
  t.faults = in.list<FaultProof>("faults", read_proof);
  if (!in.nothing("control")) t.control = read_control(in.object("control"));
  if (version >= 3) t.causes = in.list<CauseFinding>("causes", read_cause);
  t.seconds = in.real("seconds");
  t.cpu_seconds = in.real("cpu_seconds");
  return t;
}

TrialResult trial_result_from_json(const Json& json) {
  Shape in(json);
  TrialResult result = read_trial_result(in);
  in.finish();
  return result;
}

}  // namespace holdfast
