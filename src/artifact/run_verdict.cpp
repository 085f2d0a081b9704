#include "artifact/run_verdict.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/enumeration.hpp"
#include "artifact/verdict.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::json;

constexpr EnumWords<Outcome> kOutcomes({"as_expected", "allowed", "caught", "unavailable", "not_run", "nothing_judged",
                                        "undecided", "harness_error", "missed", "unexpected"});
constexpr EnumWords<CauseState> kCauseStates({"confirmed", "unconfirmed", "open"});

Json to_json(const Cell& c);
Json to_json(const NotTried& left_out);
Json to_json(const RunChange& change);

template <typename Item>
Json list_json(const std::vector<Item>& items) {
  Json out = Json::array();
  for (const auto& item : items) out.push_back(to_json(item));
  return out;
}

Json texts_json(const std::vector<std::string>& texts) {
  Json out = Json::array();
  for (const auto& text : texts) out.push_back(valid_utf8(text));
  return out;
}

Json to_json(const Cell& c) {
  Json expected = Json::object();
  for (const auto& [property, word] : c.expected) expected[valid_utf8(property)] = valid_utf8(word);
  Json out{{"lock", valid_utf8(c.lock)},      {"scenario", valid_utf8(c.scenario)},
           {"outcome", to_text(c.outcome)},   {"trials_as_expected", c.trials_as_expected},
           {"expected", std::move(expected)}, {"why", valid_utf8(c.why)},
           {"trials", list_json(c.trials)},   {"suite", valid_utf8(c.suite)},
           {"planned", c.trials_planned()}};
  if (c.until_decided) out["until_decided"] = true;
  return out;
}

Json to_json(const RunChange& c) {
  return {{"lock", valid_utf8(c.lock)},
          {"scenario", valid_utf8(c.scenario)},
          {"property", valid_utf8(c.property)},
          {"change", to_text(c.change)},
          {"not_as_expected_before", c.bad_before},
          {"judged_before", c.judged_before},
          {"not_as_expected", c.bad},
          {"judged", c.judged},
          {"why", valid_utf8(c.why)}};
}

RunChange read_run_change(Shape& in) {
  RunChange c;
  c.lock = in.text("lock");
  c.scenario = in.text("scenario");
  c.property = in.text("property");
  c.change = in.word<Change>("change");
  c.bad_before = in.integer("not_as_expected_before");
  c.judged_before = in.integer("judged_before");
  c.bad = in.integer("not_as_expected");
  c.judged = in.integer("judged");
  c.why = in.text("why");
  return c;
}

Json to_json(const NotTried& left_out) {
  return {{"lock", valid_utf8(left_out.lock)}, {"what", valid_utf8(left_out.what)}, {"why", valid_utf8(left_out.why)}};
}

NotTried read_not_tried(Shape& in) {
  NotTried out;
  out.lock = in.text("lock");
  out.what = in.text("what");
  out.why = in.text("why");
  return out;
}

Cell read_cell(Shape& in) {
  Cell c;
  c.lock = in.text("lock");
  c.scenario = in.text("scenario");
  c.outcome = in.word<Outcome>("outcome");
  c.trials_as_expected = static_cast<int>(in.integer("trials_as_expected", 0, INT32_MAX));
  c.expected = in.words("expected");
  c.why = in.text("why");
  c.trials = in.list<TrialResult>("trials", read_trial_result);
  c.suite = in.text("suite");
  c.planned = static_cast<int>(in.integer("planned", 0, INT32_MAX));
  if (in.has("until_decided")) c.until_decided = in.boolean("until_decided");
  return c;
}

}  // namespace

const char* to_text(Outcome outcome) {
  return kOutcomes[outcome];
}

bool from_text(const std::string& word, Outcome& out) {
  return kOutcomes.read(word, out);
}

const char* to_text(CauseState state) {
  return kCauseStates[state];
}

bool from_text(const std::string& word, CauseState& out) {
  return kCauseStates.read(word, out);
}

std::string confirmation_text(const CauseFinding& cause) {
  const std::string counts = std::to_string(cause.held) + " of " + std::to_string(cause.judged);
  if (cause.state == CauseState::confirmed) return "confirmed, " + counts;
  return "unconfirmed, " + (cause.judged == 0 ? "no control could be judged" : counts);
}

std::vector<std::string> outcome_names() {
  return {kOutcomes.begin(), kOutcomes.end()};
}

Json to_json(const RunVerdict& run) {
  Json seeds = Json::array();
  for (const auto seed : run.seeds) seeds.push_back(std::to_string(seed));
  Json out{{"holdfast_run", kRunVersion},
           {"version", valid_utf8(run.version)},
           {"started_utc", valid_utf8(run.started_utc)},
           {"suite", valid_utf8(run.suite)},
           {"server", valid_utf8(run.server)},
           {"command", valid_utf8(run.command)},
           {"seed", std::to_string(run.seed)},
           {"seconds", run.seconds},
           {"stalls", run.stalls},
           {"interrupted", run.interrupted},
           {"exit_code", run.exit_code},
           {"sentence", valid_utf8(run.sentence)},
           {"locks", texts_json(run.locks)},
           {"scenarios", texts_json(run.scenarios)},
           {"cells", list_json(run.cells)},
           {"faults", list_json(run.faults)},
           {"seeds", std::move(seeds)},
           {"stopped", valid_utf8(run.stopped)},
           {"not_tried", list_json(run.not_tried)}};
  if (!run.within.empty()) out["within"] = valid_utf8(run.within);
  if (!run.shard.empty()) out["shard"] = valid_utf8(run.shard);
  if (!run.rule.empty()) out["rule"] = valid_utf8(run.rule);
  if (!run.notes.empty()) out["notes"] = texts_json(run.notes);
  if (!run.not_again.empty()) out["not_again"] = valid_utf8(run.not_again);
  if (!run.baseline.empty()) {
    out["baseline"] = valid_utf8(run.baseline);
    out["changes"] = list_json(run.changes);
  }
  return out;
}

RunVerdict run_verdict_from_json(const Json& json) {
  Shape in(json);
  RunVerdict run;
  in.form("holdfast_run", kRunVersion);
  run.version = in.text("version");
  run.started_utc = in.text("started_utc");
  run.suite = in.text("suite");
  run.server = in.text("server");
  run.command = in.text("command");
  run.seed = in.digits("seed");
  run.seconds = in.real("seconds");
  run.stalls = in.integer("stalls");
  run.interrupted = in.boolean("interrupted");
  run.exit_code = static_cast<int>(in.integer("exit_code", 0, 255));
  run.sentence = in.text("sentence");
  run.locks = in.texts("locks");
  run.scenarios = in.texts("scenarios");
  run.cells = in.list<Cell>("cells", read_cell);
  run.faults = in.list<FaultProof>("faults", read_proof);
  run.seeds = in.digits_list("seeds");
  run.stopped = in.text("stopped");
  if (in.has("within")) run.within = in.text("within");
  if (in.has("shard")) run.shard = in.text("shard");
  if (in.has("rule")) run.rule = in.text("rule");
  if (in.has("notes")) run.notes = in.texts("notes");
  if (in.has("not_again")) run.not_again = in.text("not_again");
  if (in.has("baseline")) {
    run.baseline = in.text("baseline");
    run.changes = in.list<RunChange>("changes", read_run_change);
  }
  run.not_tried = in.list<NotTried>("not_tried", read_not_tried);
  in.finish();
  return run;
}

namespace {

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

ControlResult read_control_result(Shape in) {
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
  Json out = {{"fault", valid_utf8(f.fault)},
              {"acted", f.acted},
              {"planned", f.planned},
              {"detail", valid_utf8(f.detail)},
              {"unavailable", valid_utf8(f.unavailable)}};
  if (f.struck.any()) out["struck"] = to_json(f.struck);
  return out;
}

std::string measured_text(const FaultProof& proof) {
  if (!proof.struck.any()) return proof.detail;
  return proof.detail + (proof.detail.empty() ? "" : "; ") + "acquires struck: " + struck_text(proof.struck);
}

FaultProof read_proof(Shape& in) {
  FaultProof f;
  f.fault = in.text("fault");
  f.acted = static_cast<int>(in.integer("acted", 0, INT32_MAX));
  f.planned = static_cast<int>(in.integer("planned", 0, INT32_MAX));
  f.detail = in.text("detail");
  f.unavailable = in.text("unavailable");
  if (in.has("struck")) f.struck = read_struck(in.object("struck"));
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

TrialResult read_trial_result(Shape& in) {
  TrialResult t;
  t.number = static_cast<int>(in.integer("number", 0, INT32_MAX));
  t.seed = in.digits("seed");
  t.folder = in.text("folder");
  t.outcome = in.word<Outcome>("outcome");
  t.error = in.text("error");
  t.mismatches = in.list<Mismatch>("mismatches", read_mismatch);
  t.verdict = read_trial_verdict(in.object("verdict"));
  t.faults = in.list<FaultProof>("faults", read_proof);
  if (!in.nothing("control")) t.control = read_control_result(in.object("control"));
  t.causes = in.list<CauseFinding>("causes", read_cause);
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

bool is_mismatch(const TrialResult& trial, const std::string& property) {
  return std::any_of(trial.mismatches.begin(), trial.mismatches.end(),
                     [&](const Mismatch& mismatch) { return mismatch.property == property; });
}

}  // namespace holdfast
