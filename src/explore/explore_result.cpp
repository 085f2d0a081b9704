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
  out.read = [=](Shape& in, Object& object) { object.*member = parse_words(in.at(name).text()); };
  out.value = [=](const Object& object) { return nlohmann::json(to_text(object.*member)); };
  out.may_lack = false;
  return out;
}

std::vector<ExploreFind> finds_of(const Explored& explored) {
  std::vector<ExploreFind> out;
  std::map<std::string, int> numbers;  // the first story of an invariant is its cheapest
  for (const auto& found : explored.finds) {
    out.push_back({found.violation.invariant, ++numbers[found.violation.invariant], found.violation.severe,
                   found.counts(), found.violation.text, found.cause, to_text(found.words), found.cost, found.waits,
                   found.waits ? found.real_waits : "", found.trace});
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
      {field("word", &Of::word, "of the schedule; empty: a consequence of the one before"),
       field("client", &Of::client, "A; empty: nobody"), field("time_us", &Of::time_us, kAnyInteger, "after it"),
       field("operation", &Of::doing), field("statement", &Of::statement, "empty: none"),
       field("answer", &Of::answer, "the server's, or what became of it"),
       field("said", &Of::said, "what the lock told its client"),
       field("believers", &Of::believers, "A until 12:00:02.4")}};
  return kForm;
}

const JsonForm<PassedOver>& PassedOver::form() {
  static const JsonForm<PassedOver> kForm{
      "passed_over",
      "",
      {field("name", &PassedOver::name), field("invariant", &PassedOver::invariant), field("cause", &PassedOver::cause),
       field("seen", &PassedOver::seen, "this search found it as well")}};
  return kForm;
}

const JsonForm<RequestsExplored>& RequestsExplored::form() {
  using Of = RequestsExplored;
  static const JsonForm<Of> kForm{
      "at_requests",
      "",
      {field("at", &Of::at, "whose requests, on which server"), field("requests", &Of::requests),
       field("restarts", &Of::restarts, "of adapters"),
       field("replayed", &Of::replayed, "places of schedules that were gone back to"),
       field("retried", &Of::retried, "of them, twice: another request came than before"),
       field("diverged", &Of::diverged, "of them, given up: another request came again"),
       field("last_divergence", &Of::last_divergence, "both requests of the last of these; empty: none"),
       field("died", &Of::died, "schedules that were given up: an adapter ended by itself"),
       field("last_death", &Of::last_death, "how the last of these ended; empty: none")}};
  return kForm;
}

const JsonForm<ExploreFind>& ExploreFind::form() {
  using Of = ExploreFind;
  static const JsonForm<Of> kForm{
      "find",
      "",
      {field("invariant", &Of::invariant),
       field("number", &Of::number, {1, INT32_MAX}, "among those of this invariant; 1 is the cheapest"),
       field("severe", &Of::severe, "false: only who does not look at its clock falls for it"),
       field("counts", &Of::counts, "the lock is called violated by it"), field("text", &Of::text),
       field("cause", &Of::cause,
             "equal for finds of one invariant that are the same story; empty of what is not severe"),
       field("replay", &Of::replay, "the schedule"), field("preemptions", &Of::cost, &Cost::preemptions),
       field("time_jumps", &Of::cost, &Cost::time_jumps), field("faults", &Of::cost, &Cost::faults),
       field("row_lock_waits", &Of::row_lock_waits),
       field("real_waits", &Of::real_waits,
             "where statements wait: `the same`, or what was otherwise when they really waited"),
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
       one_of(field("verdict", &Of::verdict,
                    "holds: within the bounds, never without them; known: only what --except named was found"),
              {"holds", "known", "violated", "undecided"}),
       field("complete", &Of::complete, "every schedule within the bounds was run"),
       field("stopped", &Of::stopped, "interrupted"),
       field("schedules", &Of::schedules),
       field("merged", &Of::merged),
       field("walks", &Of::walks),
       field("states", &Of::states),
       field("first", &Of::first, "the schedule that costs nothing, off which all others branch"),
       field("left", &Of::left, "schedules that the search knew of and did not run"),
       field("levels", &Of::levels, "costs below this one were run to their end"),
       field("grants", &Of::grants),
       field("statements", &Of::statements),
       field("seconds", &Of::seconds),
       field("workers", &Of::workers, {1, INT32_MAX}),
       field("bounds", &Of::bounds),
       field("settings", &Of::settings),
       field("promised_lease_ms", &Of::promised_lease_ms,
             "longer than the lease that was asked for where the lock takes whole seconds"),
       field("lock_keeps_nothing", &Of::lock_keeps_nothing,
             "a client's object has no members that could tell one attempt of another"),
       field("within", &Of::within, "the bounds and settings in words: part of the verdict"),
       field("not_explored", &Of::not_explored, "what the verdict says nothing about"),
       field("violations", &Of::violations, "one of each cause, severe ones first, then the cheapest"),
       derived("counterexample", &Of::counterexample, "the first of the violations"),
       field("passed_over", &Of::passed_over, "what --except named"),
       field("at_requests", &Of::at_requests, "of a lock that is an adapter, stepped by its requests"),
       field("untold_stories", &Of::untold_stories, "finds for which there was no time to tell their causes")}};
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
