#include "artifact/verdict.hpp"

#include <nlohmann/json.hpp>

#include "artifact/enumeration.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::json;

constexpr EnumWords<Judgement> kJudgements({"holds", "violated", "undecided", "not_exercised", "not_applicable"});

Json to_json(const Witness& w) {
  return {{"key", valid_utf8(w.key)}, {"kind", valid_utf8(w.kind)}, {"indices", w.indices},      {"clients", w.clients},
          {"from_ns", w.from_ns},     {"to_ns", w.to_ns},           {"text", valid_utf8(w.text)}};
}

Witness read_witness(Shape& in) {
  Witness w;
  w.key = in.text("key");
  w.kind = in.text("kind");
  w.indices = in.numbers("indices");
  for (const auto client : in.numbers("clients", UINT32_MAX)) w.clients.push_back(static_cast<std::uint32_t>(client));
  w.from_ns = in.integer("from_ns", -kFarthestNs, kFarthestNs);
  w.to_ns = in.integer("to_ns", -kFarthestNs, kFarthestNs);
  w.text = in.text("text");
  return w;
}

Json to_json(const PropertyVerdict& p) {
  Json out = {{"property", valid_utf8(p.property)},
              {"judgement", to_text(p.judgement)},
              {"kind", valid_utf8(p.kind)},
              {"kinds", Json::object()},
              {"reason", valid_utf8(p.reason)},
              {"count", p.count},
              {"total_ns", p.total_ns},
              {"witnesses", Json::array()},
              {"coverage", Json::object()}};
  for (const auto& [kind, count] : p.kinds) out["kinds"][valid_utf8(kind)] = count;
  for (const auto& witness : p.witnesses) out["witnesses"].push_back(to_json(witness));
  for (const auto& [name, count] : p.coverage) out["coverage"][valid_utf8(name)] = count;
  return out;
}

PropertyVerdict read_property(Shape& in) {
  PropertyVerdict p;
  p.property = in.text("property");
  p.judgement = in.word<Judgement>("judgement");
  p.kind = in.text("kind");
  p.kinds = in.counts("kinds");
  p.reason = in.text("reason");
  p.count = in.integer("count");
  p.total_ns = in.integer("total_ns");
  p.witnesses = in.list<Witness>("witnesses", read_witness);
  p.coverage = in.counts("coverage");
  return p;
}

Json to_json(const Measures& m) {
  return {{"operations", m.operations},
          {"grants", m.grants},
          {"refusals", m.refusals},
          {"spurious_refusals", m.spurious_refusals},
          {"conflicts", m.conflicts},
          {"indeterminate", m.indeterminate},
          {"wait_p50_ns", m.wait_p50_ns},
          {"wait_p99_ns", m.wait_p99_ns},
          {"wait_max_ns", m.wait_max_ns},
          {"most_overtaken", m.most_overtaken},
          {"starved", m.starved},
          {"former_holders", m.former_holders},
          {"never_told", m.never_told},
          {"loss_notice_p50_ns", m.loss_notice_p50_ns},
          {"loss_notice_max_ns", m.loss_notice_max_ns}};
}

Measures read_measures(Shape in) {
  Measures m;
  m.operations = in.integer("operations");
  m.grants = in.integer("grants");
  m.refusals = in.integer("refusals");
  m.spurious_refusals = in.integer("spurious_refusals");
  m.conflicts = in.integer("conflicts");
  m.indeterminate = in.integer("indeterminate");
  m.wait_p50_ns = in.integer("wait_p50_ns");
  m.wait_p99_ns = in.integer("wait_p99_ns");
  if (in.has("wait_max_ns") || in.has("most_overtaken") || in.has("starved")) {  // nor these
    m.wait_max_ns = in.integer("wait_max_ns");
    m.most_overtaken = in.integer("most_overtaken");
    m.starved = in.integer("starved");
  }
  const bool has_notices = in.has("former_holders") || in.has("never_told") || in.has("loss_notice_p50_ns");
  if (has_notices || in.has("loss_notice_max_ns")) {  // verdicts of before have none of them
    m.former_holders = in.integer("former_holders");
    m.never_told = in.integer("never_told");
    m.loss_notice_p50_ns = in.integer("loss_notice_p50_ns");
    m.loss_notice_max_ns = in.integer("loss_notice_max_ns");
  }
  in.finish();
  return m;
}

}  // namespace

void StruckCounts::add(const StruckCounts& more) {
  granted += more.granted;
  refused += more.refused;
  unanswered += more.unanswered;
  given_up += more.given_up;
  kept_out += more.kept_out;
}

void StruckCounts::take_away(const StruckCounts& part) {
  granted -= part.granted;
  refused -= part.refused;
  unanswered -= part.unanswered;
  given_up -= part.given_up;
  kept_out -= part.kept_out;
}

std::string struck_text(const StruckCounts& struck) {
  std::string out;
  const auto add = [&out](std::int64_t count, const char* how) {
    if (count > 0) out += (out.empty() ? "" : ", ") + std::to_string(count) + " " + how;
  };
  add(struck.granted, "granted");
  add(struck.refused, "refused");
  add(struck.unanswered, "without an answer");
  add(struck.given_up, "refused though no other client held the lock");
  add(struck.kept_out, "without an answer while another client held the lock");
  return out;
}

std::string no_grant_text(const std::string& fault, const StruckCounts& struck) {
  if (!struck.no_grant()) return "";
  const auto attempts = [](std::int64_t count) { return count == 1 ? " attempt" : " attempts"; };
  std::string out = "the " + fault + " struck ";
  if (struck.refused > 0) out += std::to_string(struck.refused) + " refused" + attempts(struck.refused);
  if (struck.refused > 0 && struck.kept_out > 0) out += ", ";
  if (struck.kept_out > 0) {
    out += std::to_string(struck.kept_out) + attempts(struck.kept_out) +
           " without an answer while another client held the lock,";
  }
  return out + " and no grant";
}

const char* to_text(Judgement judgement) {
  return kJudgements[judgement];
}

bool from_text(const std::string& word, Judgement& out) {
  return kJudgements.read(word, out);
}

std::vector<std::string> judgement_names() {
  return {kJudgements.begin(), kJudgements.end()};
}

const PropertyVerdict* TrialVerdict::find(const std::string& property) const {
  for (const auto& p : properties) {
    if (p.property == property) return &p;
  }
  return nullptr;
}

Json to_json(const TrialVerdict& trial) {
  Json out = {{"holdfast_verdict", 2},
              {"lock", valid_utf8(trial.lock)},
              {"scenario", valid_utf8(trial.scenario)},
              {"seed", std::to_string(trial.seed)},
              {"model", valid_utf8(trial.model)},
              {"clients", trial.clients},
              {"judgement", to_text(trial.judgement)},
              {"properties", Json::array()},
              {"measures", to_json(trial.measures)},
              {"timeline", timeline_json(trial.timeline)}};
  for (const auto& property : trial.properties) out["properties"].push_back(to_json(property));
  return out;
}

TrialVerdict read_trial_verdict(Shape in) {
  TrialVerdict trial;
  in.form("holdfast_verdict", 2);
  trial.lock = in.text("lock");
  trial.scenario = in.text("scenario");
  trial.seed = in.digits("seed");
  trial.model = in.text("model");
  trial.clients = static_cast<std::uint32_t>(in.integer("clients", 0, UINT32_MAX));
  trial.judgement = in.word<Judgement>("judgement");
  trial.properties = in.list<PropertyVerdict>("properties", read_property);
  trial.measures = read_measures(in.object("measures"));
  trial.timeline = read_timeline(in.object("timeline"));
  in.finish();
  return trial;
}

TrialVerdict trial_verdict_from_json(const Json& json) {
  return read_trial_verdict(Shape(json));
}

namespace {

std::uint32_t read_client(Shape& in) {
  return static_cast<std::uint32_t>(in.integer("client", 0, UINT32_MAX));
}

Json to_json(const Span& s) {
  Json out = {{"client", s.client},      {"key", valid_utf8(s.key)},       {"from_ns", s.from_ns},
              {"to_ns", s.to_ns},        {"lease_end_ns", s.lease_end_ns}, {"grant_index", s.grant_index},
              {"end_index", s.end_index}};
  if (s.doubts.waited) out["waited"] = true;
  if (s.doubts.renews_unseen) out["renews_unseen"] = true;
  return out;
}

Span read_span(Shape& in) {
  Span s;
  s.client = read_client(in);
  s.key = in.text("key");
  s.from_ns = in.integer("from_ns", -kFarthestNs, kFarthestNs);
  s.to_ns = in.integer("to_ns", -kFarthestNs, kFarthestNs);
  s.lease_end_ns = in.integer("lease_end_ns", -kFarthestNs, kFarthestNs);
  s.grant_index = static_cast<std::uint64_t>(in.integer("grant_index"));
  s.end_index = static_cast<std::uint64_t>(in.integer("end_index"));
  s.doubts.waited = in.has("waited") && in.boolean("waited");
  s.doubts.renews_unseen = in.has("renews_unseen") && in.boolean("renews_unseen");
  return s;
}

Json to_json(const WriteMark& w) {
  return {{"client", w.client},
          {"key", valid_utf8(w.key)},
          {"time_ns", w.time_ns},
          {"result", valid_utf8(w.result)},
          {"index", w.index}};
}

WriteMark read_write(Shape& in) {
  WriteMark w;
  w.client = read_client(in);
  w.key = in.text("key");
  w.time_ns = in.integer("time_ns", -kFarthestNs, kFarthestNs);
  w.result = in.text("result");
  const bool known = w.result == "ok" || w.result == "fail" || w.result == "info";
  if (!known) in.refuse("result", "unknown word '" + w.result + "'");
  w.index = static_cast<std::uint64_t>(in.integer("index"));
  return w;
}

}  // namespace

Json to_json(const StruckCounts& s) {
  return {{"granted", s.granted},
          {"refused", s.refused},
          {"unanswered", s.unanswered},
          {"given_up", s.given_up},
          {"kept_out", s.kept_out}};
}

StruckCounts read_struck(Shape in) {
  StruckCounts s;
  s.granted = in.integer("granted");
  s.refused = in.integer("refused");
  s.unanswered = in.integer("unanswered");
  s.given_up = in.integer("given_up");
  s.kept_out = in.integer("kept_out");
  in.finish();
  return s;
}

Json to_json(const FaultSpan& f) {
  Json out = {{"fault", valid_utf8(f.fault)},
              {"cause", valid_utf8(f.cause)},
              {"clients", f.clients},
              {"from_ns", f.from_ns},
              {"to_ns", f.to_ns},
              {"detail", valid_utf8(f.detail)}};
  if (f.struck.any()) out["struck"] = to_json(f.struck);
  return out;
}

FaultSpan read_fault_span(Shape& in) {
  FaultSpan f;
  f.fault = in.text("fault");
  if (in.has("cause")) f.cause = in.text("cause");  // verdicts of before do not have it
  for (const auto client : in.numbers("clients", UINT32_MAX)) f.clients.push_back(static_cast<std::uint32_t>(client));
  f.from_ns = in.integer("from_ns", -kFarthestNs, kFarthestNs);
  f.to_ns = in.integer("to_ns", -kFarthestNs, kFarthestNs);
  f.detail = in.text("detail");
  if (in.has("struck")) f.struck = read_struck(in.object("struck"));
  return f;
}

Json timeline_json(const Timeline& timeline) {
  Json out = {{"end_ns", timeline.end_ns},
              {"cut", timeline.cut},
              {"spans", Json::array()},
              {"faults", Json::array()},
              {"writes", Json::array()}};
  for (const auto& span : timeline.spans) out["spans"].push_back(to_json(span));
  for (const auto& fault : timeline.faults) out["faults"].push_back(to_json(fault));
  for (const auto& write : timeline.writes) out["writes"].push_back(to_json(write));
  return out;
}

Timeline read_timeline(Shape in) {
  Timeline timeline;
  timeline.end_ns = in.integer("end_ns", -kFarthestNs, kFarthestNs);
  timeline.cut = in.boolean("cut");
  timeline.spans = in.list<Span>("spans", read_span);
  timeline.faults = in.list<FaultSpan>("faults", read_fault_span);
  timeline.writes = in.list<WriteMark>("writes", read_write);
  in.finish();
  return timeline;
}

}  // namespace holdfast
