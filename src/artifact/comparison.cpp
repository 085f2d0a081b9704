#include "artifact/comparison.hpp"

#include "artifact/enumeration.hpp"

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

const JsonForm<ComparedLatency>& ComparedLatency::form() {
  static const JsonForm<ComparedLatency> kForm{
      "latency",
      "",
      {field("count", &ComparedLatency::count), field("p50_ns", &ComparedLatency::p50_ns),
       field("p99_ns", &ComparedLatency::p99_ns), field("most_ns", &ComparedLatency::most_ns)}};
  return kForm;
}

const JsonForm<ServiceNumbers>& ServiceNumbers::form() {
  static const JsonForm<ServiceNumbers> kForm{
      "service",
      "",
      {field("trials", &ServiceNumbers::trials), field("load_ns", &ServiceNumbers::load_ns),
       field("grants", &ServiceNumbers::grants), derived("grants_per_s", &ServiceNumbers::grants_per_s),
       field("statements", &ServiceNumbers::statements),
       derived("statements_per_grant", &ServiceNumbers::statements_per_grant),
       field("fencing_rejections", &ServiceNumbers::fencing_rejections),
       field("unavailable_ns", &ServiceNumbers::unavailable_ns),
       field("longest_gap_ns", &ServiceNumbers::longest_gap_ns), field("recoveries", &ServiceNumbers::recoveries),
       field("slowest_recovery_ns", &ServiceNumbers::slowest_recovery_ns),
       field("unrecovered", &ServiceNumbers::unrecovered), field("uncontended", &ServiceNumbers::uncontended),
       field("contended", &ServiceNumbers::contended)}};
  return kForm;
}

const JsonForm<ComparedProperty>& ComparedProperty::form() {
  static const JsonForm<ComparedProperty> kForm{
      "property",
      "",
      {field("property", &ComparedProperty::property), field("judgement", &ComparedProperty::judgement),
       field("kinds", &ComparedProperty::kinds), field("text", &ComparedProperty::text),
       field("from_ns", &ComparedProperty::from_ns, kAnyInstant),
       field("to_ns", &ComparedProperty::to_ns, kAnyInstant)}};
  return kForm;
}

const JsonForm<ComparedSpan>& ComparedSpan::form() {
  static const JsonForm<ComparedSpan> kForm{
      "span",
      "",
      {field("from_ns", &ComparedSpan::from_ns, kAnyInstant), field("to_ns", &ComparedSpan::to_ns, kAnyInstant)}};
  return kForm;
}

const JsonForm<ComparedTrial>& ComparedTrial::form() {
  static const JsonForm<ComparedTrial> kForm{
      "trial",
      "",
      {field("number", &ComparedTrial::number), digits_field("seed", &ComparedTrial::seed),
       field("folder", &ComparedTrial::folder), field("state", &ComparedTrial::state),
       field("error", &ComparedTrial::error), field("properties", &ComparedTrial::properties),
       field("service", &ComparedTrial::service), field("end_ns", &ComparedTrial::end_ns),
       field("faults", &ComparedTrial::faults),
       field("gaps", &ComparedTrial::gaps, "periods in which no client could acquire a free key"),
       field("grants_by_bin", &ComparedTrial::grants_by_bin, "grants in each quarter of a second of the load")}};
  return kForm;
}

const JsonForm<SafetyCount>& SafetyCount::form() {
  static const JsonForm<SafetyCount> kForm{
      "safety",
      "",
      {field("property", &SafetyCount::property), field("violated", &SafetyCount::violated),
       field("judged", &SafetyCount::judged, "trials in which it was violated or held"),
       field("undecided", &SafetyCount::undecided), field("not_exercised", &SafetyCount::not_exercised),
       field("kinds", &SafetyCount::kinds), field("text", &SafetyCount::text)}};
  return kForm;
}

const JsonForm<ComparedCell>& ComparedCell::form() {
  static const JsonForm<ComparedCell> kForm{
      "cell",
      "",
      {field("variant", &ComparedCell::variant), field("scenario", &ComparedCell::scenario),
       field("safety", &ComparedCell::safety), field("service", &ComparedCell::service),
       field("trials", &ComparedCell::trials)}};
  return kForm;
}

const JsonForm<ComparedVariant>& ComparedVariant::form() {
  static const JsonForm<ComparedVariant> kForm{
      "variant",
      "",
      {field("name", &ComparedVariant::name), field("lock", &ComparedVariant::lock),
       field("settings", &ComparedVariant::settings), unless_default(field("advice", &ComparedVariant::advice))}};
  return kForm;
}

const JsonForm<ComparedChange>& ComparedChange::form() {
  static const JsonForm<ComparedChange> kForm{
      "change",
      "",
      {field("variant", &ComparedChange::variant), field("scenario", &ComparedChange::scenario),
       field("property", &ComparedChange::property), field("change", &ComparedChange::change),
       field("violated_before", &ComparedChange::violated_before),
       field("judged_before", &ComparedChange::judged_before), field("violated", &ComparedChange::violated),
       field("judged", &ComparedChange::judged), field("why", &ComparedChange::why)}};
  return kForm;
}

const JsonForm<Comparison>& Comparison::form() {
  static const JsonForm<Comparison> kForm{
      "comparison",
      "",
      {form_version<Comparison>("holdfast_compare", 2), field("version", &Comparison::version),
       field("started_utc", &Comparison::started_utc),
       field("command", &Comparison::command, "command that runs it again"), field("server", &Comparison::server),
       digits_field("seed", &Comparison::seed), field("repeat", &Comparison::repeat, {1, INT32_MAX}),
       field("jobs", &Comparison::jobs, {1, INT32_MAX}), field("seconds", &Comparison::seconds),
       field("stalls", &Comparison::stalls), field("interrupted", &Comparison::interrupted),
       field("exit_code", &Comparison::exit_code, {0, 255}), field("variants", &Comparison::variants),
       field("scenarios", &Comparison::scenarios, "SUITE/NAME"), field("cells", &Comparison::cells),
       unless_default(field("notes", &Comparison::notes,
                            "caveats from adapters' manifests, reported with every result; missing: none")),
       field("baseline", &Comparison::baseline, "the file; empty: no baseline was given"),
       field("changes", &Comparison::changes, "results equal to the baseline's are left out")}};
  return kForm;
}

}  // namespace holdfast
