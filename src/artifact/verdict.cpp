#include "artifact/verdict.hpp"

#include <algorithm>
#include <span>

#include "artifact/enumeration.hpp"

namespace holdfast {
namespace {

constexpr EnumWords<Judgement> kJudgements({"holds", "violated", "undecided", "not_exercised", "not_applicable"});

constexpr const char* kWaits[]{"wait_max_ns", "most_overtaken", "starved"};
constexpr const char* kNotices[]{"former_holders", "never_told", "loss_notice_p50_ns", "loss_notice_max_ns"};

// Files of an older holdfast have none of `names`; all others have all of them.
JsonField<Measures> with_any_of(std::span<const char* const> names, JsonField<Measures> field) {
  field.may_lack = true;
  field.read = [names, read = field.read](StrictReader& in, Measures& out) {
    const auto is_there = [&in](const char* name) { return in.has(name); };
    if (std::any_of(names.begin(), names.end(), is_there)) read(in, out);
  };
  return field;
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
  add(struck.given_up, "refused although no other client held the lock");
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

const PropertyVerdict* TrialVerdict::find(const std::string& property) const {
  for (const auto& p : properties) {
    if (p.property == property) return &p;
  }
  return nullptr;
}

const JsonForm<Witness>& Witness::form() {
  static const JsonForm<Witness> kForm{
      "witness",
      "the smallest piece of the history that shows the violation",
      {field("key", &Witness::key), field("kind", &Witness::kind),
       field("indices", &Witness::indices, "events of the history"), field("clients", &Witness::clients),
       field("from_ns", &Witness::from_ns, kAnyInstant), field("to_ns", &Witness::to_ns, kAnyInstant),
       field("text", &Witness::text)}};
  return kForm;
}

bool is_reached(const AssertionCount& count) {
  return count.held > 0 || (count.kind == AssertionKind::always && count.failed > 0);
}

const JsonForm<AssertionCount>& AssertionCount::form() {
  static const JsonForm<AssertionCount> kForm{
      "assertion",
      "an assertion of the lock's author, and how often it was evaluated",
      {field("kind", &AssertionCount::kind), field("name", &AssertionCount::name),
       field("held", &AssertionCount::held, "evaluations that were true, or times that the place was reached"),
       field("failed", &AssertionCount::failed, "evaluations that were false")}};
  return kForm;
}

const JsonForm<PropertyVerdict>& PropertyVerdict::form() {
  static const JsonForm<PropertyVerdict> kForm{
      "property",
      "",
      {field("property", &PropertyVerdict::property), field("judgement", &PropertyVerdict::judgement),
       field("kind", &PropertyVerdict::kind, "violated: the most severe; else empty"),
       field("kinds", &PropertyVerdict::kinds),
       field("reason", &PropertyVerdict::reason, "the reason for undecided, not exercised or not applicable"),
       field("count", &PropertyVerdict::count, "number of all violations"),
       field("total_ns", &PropertyVerdict::total_ns, "total duration of all violations"),
       field("witnesses", &PropertyVerdict::witnesses, "the first few"),
       field("coverage", &PropertyVerdict::coverage, kAnyInteger, "how often the dangerous situation occurred"),
       unless_default(field(
           "assertions", &PropertyVerdict::assertions,
           "only of the property that judges them: the author's assertions, and their evaluations in this trial"))},
      {{"if", {{"properties", {{"judgement", {{"const", "violated"}}}}}}},
       {"then", {{"properties", {{"count", {{"minimum", 1}}}}}}}}};
  return kForm;
}

const JsonForm<Measures>& Measures::form() {
  static const JsonForm<Measures> kForm{
      "measures",
      "measured, never judged",
      {field("operations", &Measures::operations), field("grants", &Measures::grants),
       field("refusals", &Measures::refusals), field("spurious_refusals", &Measures::spurious_refusals),
       field("conflicts", &Measures::conflicts), field("indeterminate", &Measures::indeterminate),
       field("wait_p50_ns", &Measures::wait_p50_ns), field("wait_p99_ns", &Measures::wait_p99_ns),
       with_any_of(kWaits, field("wait_max_ns", &Measures::wait_max_ns)),
       with_any_of(kWaits, field("most_overtaken", &Measures::most_overtaken,
                                 "largest number of later requests that were granted the key before one open acquire")),
       with_any_of(kWaits, field("starved", &Measures::starved,
                                 "acquires that later requests overtook and that had no "
                                 "answer by the end")),
       with_any_of(kNotices, field("former_holders", &Measures::former_holders,
                                   "holders whose lock another client was granted while they still acted as holder")),
       with_any_of(kNotices, field("never_told", &Measures::never_told,
                                   "of these, the holders that released, or reached the end, without learning of the "
                                   "loss")),
       with_any_of(kNotices, field("loss_notice_p50_ns", &Measures::loss_notice_p50_ns,
                                   "for holders that learned of it: time from the other client's grant until then")),
       with_any_of(kNotices, field("loss_notice_max_ns", &Measures::loss_notice_max_ns))}};
  return kForm;
}

const JsonForm<Span>& Span::form() {
  static const JsonForm<Span> kForm{
      "span",
      "",
      {field("client", &Span::client), field("key", &Span::key), field("from_ns", &Span::from_ns, kAnyInstant),
       field("to_ns", &Span::to_ns, kAnyInstant),
       field("lease_end_ns", &Span::lease_end_ns, kAnyInstant, "end of the last validity promised; 0: no lease"),
       field("grant_index", &Span::grant_index), field("end_index", &Span::end_index),
       unless_default(field("waited", &Span::doubts, &LeaseDoubts::waited,
                            "waited for its turn: the lease may have begun and ended later")),
       unless_default(field("renews_unseen", &Span::doubts, &LeaseDoubts::renews_unseen,
                            "the lock may have renewed the lease in the background"))}};
  return kForm;
}

const JsonForm<StruckCounts>& StruckCounts::form() {
  static const JsonForm<StruckCounts> kForm{
      "struck",
      "for a fault aimed at a grant: results of the acquires that it struck",
      {field("granted", &StruckCounts::granted), field("refused", &StruckCounts::refused),
       field("unanswered", &StruckCounts::unanswered),
       field("given_up", &StruckCounts::given_up, "refused although no other client held the key"),
       field("kept_out", &StruckCounts::kept_out, "unanswered, while another client held the key")}};
  return kForm;
}

const JsonForm<FaultSpan>& FaultSpan::form() {
  static const JsonForm<FaultSpan> kForm{
      "fault",
      "",
      {field("fault", &FaultSpan::fault),
       may_lack(field("cause", &FaultSpan::cause,
                      "the kind of violation that it may cause; empty: it explains no "
                      "violation")),
       field("clients", &FaultSpan::clients), field("from_ns", &FaultSpan::from_ns, kAnyInstant),
       field("to_ns", &FaultSpan::to_ns, kAnyInstant), field("detail", &FaultSpan::detail),
       unless_default(field("struck", &FaultSpan::struck)),
       unless_default(field("holders", &FaultSpan::holders, kAboutHolders))}};
  return kForm;
}

const JsonForm<WriteMark>& WriteMark::form() {
  static const JsonForm<WriteMark> kForm{
      "write",
      "",
      {field("client", &WriteMark::client), field("key", &WriteMark::key),
       field("time_ns", &WriteMark::time_ns, kAnyInstant),
       one_of(field("result", &WriteMark::result), {"ok", "fail", "info"}), field("index", &WriteMark::index)}};
  return kForm;
}

const JsonForm<Timeline>& Timeline::form() {
  static const JsonForm<Timeline> kForm{
      "timeline",
      "data for pictures: which clients believed to hold the lock and when, the faults that acted, the writes",
      {field("end_ns", &Timeline::end_ns, kAnyInstant),
       field("cut", &Timeline::cut, "contains only the neighbourhood of the first violation"),
       field("spans", &Timeline::spans), field("faults", &Timeline::faults), field("writes", &Timeline::writes)}};
  return kForm;
}

const JsonForm<TrialVerdict>& TrialVerdict::form() {
  static const JsonForm<TrialVerdict> kForm{
      "trial",
      "the checker's verdict on one history",
      {form_version<TrialVerdict>("holdfast_verdict", 2), field("lock", &TrialVerdict::lock),
       field("scenario", &TrialVerdict::scenario), digits_field("seed", &TrialVerdict::seed),
       field("model", &TrialVerdict::model), field("clients", &TrialVerdict::clients),
       field("judgement", &TrialVerdict::judgement), field("properties", &TrialVerdict::properties),
       field("measures", &TrialVerdict::measures), field("timeline", &TrialVerdict::timeline)}};
  return kForm;
}

}  // namespace holdfast
