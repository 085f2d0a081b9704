#include "explore/explore_result.hpp"

#include "artifact/schedule_word.hpp"
#include "explore/within_text.hpp"

namespace holdfast {
namespace {

// A schedule, as people write it.
template <typename Object>
JsonField<Object> words_field(const char* name, std::vector<Word> Object::*member) {
  JsonField<Object> out;
  out.name = name;
  out.schema = {{"type", "string"}};
  out.read = [=](StrictReader& in, Object& object) { object.*member = parse_words(in.at(name).text()); };
  out.value = [=](const Object& object) { return nlohmann::json(to_text(object.*member)); };
  out.may_lack = false;
  return out;
}

std::vector<ExploreFind> finds_of(const Explored& explored) {
  std::vector<ExploreFind> out;
  std::map<std::string, int> numbers;  // the first story of an invariant is its cheapest
  for (const auto& found : explored.finds) {
    out.push_back({found.violation.invariant, ++numbers[found.violation.invariant], found.violation.severe,
                   found.counts(), found.violation.text, found.cause, found.flaw, to_text(found.words), found.cost,
                   found.waits, found.waits ? found.real_waits : "", found.trace});
  }
  return out;
}

}  // namespace

const JsonForm<ExploreSettings>& ExploreSettings::form() {
  using Of = ExploreSettings;
  static const JsonForm<Of> kForm{
      "settings",
      "as in a replay file",
      {field("lock", &Of::lock), field("clients", &Of::clients), field("rounds", &Of::rounds),
       field("attempts", &Of::attempts), field("lease_ms", &Of::lease_ms), field("fraction_ms", &Of::fraction_ms),
       field("server_id", &Of::server_id), field("value", &Of::value), field("shared_address", &Of::shared_address),
       field("reenter", &Of::reenter), field("fine", &Of::fine)}};
  return kForm;
}

const JsonForm<Cost>& Cost::form() {
  static const JsonForm<Cost> kForm{"cost",
                                    "",
                                    {field("preemptions", &Cost::preemptions), field("time_jumps", &Cost::time_jumps),
                                     field("faults", &Cost::faults)}};
  return kForm;
}

const JsonForm<SearchLimits>& SearchLimits::form() {
  using Of = SearchLimits;
  static const JsonForm<Of> kForm{
      "limits",
      "",
      {field("bounds", &Of::bounds), field("budget_s", &Of::budget_s), field("merge", &Of::merge),
       digits_field("seed", &Of::seed), field("part", &Of::part), field("parts", &Of::parts)}};
  return kForm;
}

const JsonForm<KnownFind>& KnownFind::form() {
  static const JsonForm<KnownFind> kForm{"known",
                                         "",
                                         {field("name", &KnownFind::name), field("settings", &KnownFind::settings),
                                          words_field("words", &KnownFind::words)}};
  return kForm;
}

const JsonForm<ExploreJob>& ExploreJob::form() {
  using Of = ExploreJob;
  static const JsonForm<Of> kForm{"job",
                                  "",
                                  {field("settings", &Of::settings), field("limits", &Of::limits),
                                   field("jobs", &Of::jobs, {1, INT32_MAX}), field("except", &Of::except)}};
  return kForm;
}

const JsonForm<ExploreReplay>& ExploreReplay::form() {
  using Of = ExploreReplay;
  static const JsonForm<Of> kForm{"replay",
                                  "",
                                  {field("settings", &Of::settings), words_field("words", &Of::words),
                                   field("repeat", &Of::repeat, {1, INT32_MAX})}};
  return kForm;
}

const JsonForm<ExploreOrder>& ExploreOrder::form() {
  static const JsonForm<ExploreOrder> kForm{
      "order", "", {field("jobs", &ExploreOrder::jobs), field("replays", &ExploreOrder::replays)}};
  return kForm;
}

const JsonForm<TraceStep>& TraceStep::form() {
  using Of = TraceStep;
  static const JsonForm<Of> kForm{
      "step",
      "",
      {field("word", &Of::word, "a word of the schedule; empty: a consequence of the previous step"),
       field("client", &Of::client, "A; empty: no client"),
       field("time_us", &Of::time_us, kAnyInteger, "after the step"), field("operation", &Of::doing),
       field("statement", &Of::statement, "empty: none"),
       field("answer", &Of::answer, "the server's answer, or how the statement ended otherwise"),
       field("said", &Of::said, "the lock's answer to its client"),
       field("believers", &Of::believers, "A until 12:00:02.4"),
       unless_default(
           field("arguments", &Of::arguments, "of a request that has words, each whole: SET, orders, A1, NX"))}};
  return kForm;
}

const JsonForm<PassedOver>& PassedOver::form() {
  static const JsonForm<PassedOver> kForm{
      "passed_over",
      "",
      {field("name", &PassedOver::name), field("invariant", &PassedOver::invariant), field("cause", &PassedOver::cause),
       field("seen", &PassedOver::seen, "this search also found it")}};
  return kForm;
}

const JsonForm<RequestsExplored>& RequestsExplored::form() {
  using Of = RequestsExplored;
  static const JsonForm<Of> kForm{
      "at_requests",
      "",
      {field("at", &Of::at, "whose requests, on which server"), field("requests", &Of::requests),
       field("restarts", &Of::restarts, "adapter restarts"),
       field("replayed", &Of::replayed, "returns to an earlier place of a schedule"),
       field("retried", &Of::retried, "returns taken twice, because a different request came the first time"),
       field("diverged", &Of::diverged, "returns given up, because a different request came both times"),
       field("last_divergence", &Of::last_divergence, "both requests of the last return given up; empty: none"),
       field("died", &Of::died, "schedules given up because an adapter ended by itself"),
       field("last_death", &Of::last_death, "how the last of these adapters ended; empty: none")}};
  return kForm;
}

const JsonForm<ExploreFind>& ExploreFind::form() {
  using Of = ExploreFind;
  static const JsonForm<Of> kForm{
      "find",
      "",
      {field("invariant", &Of::invariant),
       field("number", &Of::number, {1, INT32_MAX}, "among those of this invariant; 1 is the cheapest"),
       field("severe", &Of::severe, "false: only a client that does not check its clock is affected"),
       field("counts", &Of::counts, "the verdict is `violated` because of it"), field("text", &Of::text),
       field("cause", &Of::cause, "equal for finds of one invariant with the same story; empty if not severe"),
       may_lack(
           field("flaw", &Of::flaw, "the mistake that two holders or a lost lock show without a fault; else empty")),
       field("replay", &Of::replay, "the schedule"), field("preemptions", &Of::cost, &Cost::preemptions),
       field("time_jumps", &Of::cost, &Cost::time_jumps), field("faults", &Of::cost, &Cost::faults),
       field("row_lock_waits", &Of::row_lock_waits),
       field("real_waits", &Of::real_waits,
             "if statements wait: `the same`, or the difference when they really waited"),
       field("steps", &Of::steps)}};
  return kForm;
}

const JsonForm<ExploreBounds>& ExploreBounds::form() {
  using Of = ExploreBounds;
  static const JsonForm<Of> kForm{
      "bounds",
      "",
      {field("clients", &Of::clients), field("rounds", &Of::rounds), field("attempts", &Of::attempts),
       field("preemptions", &Of::preemptions), field("time_jumps", &Of::time_jumps), field("faults", &Of::faults)}};
  return kForm;
}

const JsonForm<ExploreResult>& ExploreResult::form() {
  using Of = ExploreResult;
  static const JsonForm<Of> kForm{
      "result",
      "",
      {field("lock", &Of::lock),
       one_of(field("verdict", &Of::verdict, "holds: within the bounds only; known: only finds that --except names"),
              {"holds", "known", "violated", "undecided"}),
       field("complete", &Of::complete, "every schedule within the bounds was run"),
       field("stopped", &Of::stopped, "interrupted"),
       field("schedules", &Of::schedules),
       field("merged", &Of::merged),
       field("walks", &Of::walks),
       field("states", &Of::states),
       field("first", &Of::first, "the schedule that costs nothing; all others branch off it"),
       field("left", &Of::left, "known schedules that did not run"),
       field("levels", &Of::levels, "all schedules of lower cost ran"),
       field("grants", &Of::grants),
       field("statements", &Of::statements),
       field("seconds", &Of::seconds),
       field("workers", &Of::workers, {1, INT32_MAX}),
       field("bounds", &Of::bounds),
       field("settings", &Of::settings),
       field("promised_lease_ms", &Of::promised_lease_ms,
             "longer than the requested lease if the lock takes whole seconds"),
       field("lock_keeps_nothing", &Of::lock_keeps_nothing,
             "a client's object has no members, so no attempt can influence a later one"),
       field("within", &Of::within, "the bounds and settings in words; part of the verdict"),
       field("not_explored", &Of::not_explored, "not covered by the verdict"),
       field("violations", &Of::violations, "one per cause, severe ones first, then the cheapest"),
       derived("counterexample", &Of::counterexample, "the first of the violations"),
       field("passed_over", &Of::passed_over, "finds that --except names"),
       field("at_requests", &Of::at_requests, "only for an adapter, which is stepped at its requests"),
       field("untold_stories", &Of::untold_stories, "finds whose causes were not determined, for lack of time")}};
  return kForm;
}

std::optional<ExploreFind> ExploreResult::counterexample() const {
  if (violations.empty()) return std::nullopt;
  return violations.front();
}

ExploreResult result_of(const Explored& explored) {
  const ExploreSettings& settings = explored.job.settings;
  const SearchResult& numbers = explored.numbers;
  const Cost& bounds = explored.job.limits.bounds;
  ExploreResult out;
  out.lock = settings.lock;
  out.verdict = explored.verdict();
  out.complete = numbers.complete;
  out.stopped = numbers.stopped;
  out.schedules = numbers.schedules;
  out.merged = numbers.merged;
  out.walks = numbers.walks;
  out.states = numbers.states;
  out.left = numbers.left;
  out.first = to_text(numbers.first);
  out.levels = numbers.levels;
  out.grants = explored.grants;
  out.statements = {{"asked", explored.statements.asked}, {"memoized", explored.statements.memoized}};
  out.seconds = numbers.seconds;
  out.workers = explored.job.jobs;
  out.bounds = {settings.clients,   settings.rounds,   settings.attempts,
                bounds.preemptions, bounds.time_jumps, bounds.faults};
  out.settings = settings;
  out.promised_lease_ms = explored.promised_lease_ms;
  out.lock_keeps_nothing = explored.lock_keeps_nothing;
  out.within = within_text(explored);
  out.not_explored = not_explored(explored);
  out.violations = finds_of(explored);
  out.passed_over = explored.passed_over;
  out.at_requests = explored.at_requests;
  out.untold_stories = explored.untold;
  return out;
}

}  // namespace holdfast
