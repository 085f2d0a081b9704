#include "artifact/run_verdict.hpp"

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "artifact/utf8.hpp"
#include "artifact/verdict_json.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::json;

constexpr std::array<const char*, 7> kOutcomes{"as_expected",   "caught", "unavailable", "undecided",
                                               "harness_error", "missed", "unexpected"};

Json to_json(const Mismatch& m);
Json to_json(const FaultProof& f);
Json to_json(const TrialResult& t);
Json to_json(const Cell& c);

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

Json to_json(const Mismatch& m) {
  return {{"property", valid_utf8(m.property)}, {"expected", valid_utf8(m.expected)}, {"seen", valid_utf8(m.seen)}};
}

Mismatch read_mismatch(Shape& in) {
  return {in.text("property"), in.text("expected"), in.text("seen")};
}

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

Json to_json(const ControlResult& c) {
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

Json to_json(const TrialResult& t) {
  Json verdict = to_json(t.verdict);
  verdict["timeline"] = timeline_json({});  // it stays in the trial's own file
  return {{"number", t.number},
          {"seed", std::to_string(t.seed)},
          {"folder", valid_utf8(t.folder)},
          {"outcome", to_text(t.outcome)},
          {"error", valid_utf8(t.error)},
          {"mismatches", list_json(t.mismatches)},
          {"verdict", std::move(verdict)},
          {"faults", list_json(t.faults)},
          {"control", t.control ? to_json(*t.control) : Json()},
          {"seconds", t.seconds},
          {"cpu_seconds", t.cpu_seconds}};
}

TrialResult read_trial(Shape& in) {
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
  t.seconds = in.real("seconds");
  t.cpu_seconds = in.real("cpu_seconds");
  return t;
}

Json to_json(const Cell& c) {
  Json expected = Json::object();
  for (const auto& [property, word] : c.expected) expected[valid_utf8(property)] = valid_utf8(word);
  return {{"lock", valid_utf8(c.lock)},      {"scenario", valid_utf8(c.scenario)},
          {"outcome", to_text(c.outcome)},   {"trials_as_expected", c.trials_as_expected},
          {"expected", std::move(expected)}, {"why", valid_utf8(c.why)},
          {"trials", list_json(c.trials)}};
}

Cell read_cell(Shape& in) {
  Cell c;
  c.lock = in.text("lock");
  c.scenario = in.text("scenario");
  c.outcome = in.word<Outcome>("outcome");
  c.trials_as_expected = static_cast<int>(in.integer("trials_as_expected", 0, INT32_MAX));
  c.expected = in.words("expected");
  c.why = in.text("why");
  c.trials = in.list<TrialResult>("trials", read_trial);
  return c;
}

}  // namespace

const char* to_text(Outcome outcome) {
  return kOutcomes.at(static_cast<std::size_t>(outcome));
}

bool from_text(const std::string& word, Outcome& out) {
  for (std::size_t i = 0; i < kOutcomes.size(); ++i) {
    if (word != kOutcomes[i]) continue;
    out = static_cast<Outcome>(i);
    return true;
  }
  return false;
}

Json to_json(const RunVerdict& run) {
  return {{"holdfast_run", 1},
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
          {"faults", list_json(run.faults)}};
}

RunVerdict run_verdict_from_json(const Json& json) {
  Shape in(json, "run");
  RunVerdict run;
  in.integer("holdfast_run", 1, 1);
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
  in.finish();
  return run;
}

}  // namespace holdfast
