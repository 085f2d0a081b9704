#include "reports/narration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "artifact/property_words.hpp"
#include "artifact/visible.hpp"
#include "reports/durations.hpp"
#include "reports/outcome_words.hpp"
#include "reports/severity.hpp"
#include "reports/suggestion.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostOfError = 2000;

bool is_exclusion(const std::string& property) {
  return concerns(property, Concerns::holders);
}

std::string span_text(const Witness& witness) {
  const std::string from = moment_text(witness.from_ns);
  const std::string to = moment_text(witness.to_ns);
  return witness.to_ns <= witness.from_ns || from == to ? "at " + from : from + " to " + to;
}

// The words of the property, or of the kind; an exclusion involves two clients.
const char* words_of_violation(const std::string& property, const Witness& w) {
  const PropertyWords* words = find_entry(property_words(), property);
  if (words == nullptr || (words->concerns == Concerns::holders && w.clients.size() < 2)) return "";
  const auto own = std::find_if(words->kinds.begin(), words->kinds.end(),
                                [&w](const KindWords& kind) { return w.kind == kind.name; });
  return own != words->kinds.end() && *own->violated != '\0' ? own->violated : words->violated;
}

// A violation of each property, in words that need no table.
std::string violation_text(const std::string& property, const Witness& w) {
  // A schedule of simulated clients has no moments; its text says all.
  if (w.to_ns == 0 && w.clients.empty() && !w.text.empty()) return clipped(w.text, kMostOfError);
  const std::string who = clients_text(w.clients);
  const std::string key = clipped(w.key, kMostOfName);
  const std::string by = w.clients.empty() ? "" : who + ", ";
  const char* words = words_of_violation(property, w);
  if (*words == '\0') return fmt::format("{} of \"{}\" violated ({}{})", spaced(property), key, by, span_text(w));
  const bool two = w.clients.size() > 1 && w.clients[1] != w.clients[0];
  const char* both = are_one(w.clients) ? "twice at once" : w.clients.size() == 2 ? "both" : "all";
  const std::string actor = two ? clients_text({w.clients[0]}) : "a client";
  const std::string owner = two ? clients_text({w.clients[1]}) + "'s" : "another client's";
  return fmt::format(fmt::runtime(words), fmt::arg("key", key), fmt::arg("who", who), fmt::arg("by", by),
                     fmt::arg("actor", actor), fmt::arg("owner", owner), fmt::arg("both", both),
                     fmt::arg("span", span_text(w)), fmt::arg("length", length_text(w.to_ns - w.from_ns)));
}

// Why the property was not judged at all; empty: it was, or nothing was said.
std::string not_applicable_because(const TrialResult& trial, const std::string& property) {
  const PropertyVerdict* verdict = trial.verdict.find(property);
  return verdict != nullptr && verdict->judgement == Judgement::not_applicable ? verdict->reason : "";
}

std::string mismatches_text(const TrialResult& trial) {
  std::string out;
  for (const auto& m : trial.mismatches) {
    out += fmt::format("{}{}: expected {}, seen {}", out.empty() ? "" : "; ", m.property, expected_word(m.expected),
                       m.seen);
    const std::string because = not_applicable_because(trial, m.property);
    if (!because.empty()) out += " (" + because + ")";
  }
  return out;
}

bool expects_what_is_not_promised(const TrialResult& trial) {
  return std::any_of(trial.mismatches.begin(), trial.mismatches.end(),
                     [&](const Mismatch& m) { return !not_applicable_because(trial, m.property).empty(); });
}

// A failure of the harness is reported, whatever else the trial showed.
bool harness_failed(const Finding& f) {
  return f.cell != nullptr && f.cell->outcome == Outcome::harness_error;
}

bool control_failed(const Finding& f) {
  return f.trial != nullptr && f.trial->control && !f.trial->control->held;
}

std::string remedy_text(const Finding& f) {
  if (f.cell == nullptr || f.property == nullptr) return "";
  if (control_failed(f)) return remedy_of_control();
  if (is_explored(*f.cell)) return f.cell->outcome == Outcome::undecided ? remedy_of_search() : "";
  if (f.cell->outcome == Outcome::missed && expects_what_is_not_promised(*f.trial)) return remedy_of_not_applicable();
  return remedy_of(f.cell->outcome, f.property->judgement);
}

// Kinds that a history shows by itself: a lease that was over, another client's lock that was freed. Blame of a fault,
// or of the lock's own statements, is not such a fact.
bool is_fact(const std::string& kind) {
  const KindWords* words = find_kind(kind);
  return words != nullptr && !words->without_suspect && find_cause(kind) == nullptr;
}

// The certain facts, and their evidence. A schedule of simulated clients has no times.
std::string proven_text(const Finding& f, const std::string& kind) {
  const bool overlap = is_exclusion(f.property->property) && f.witness->to_ns > 0;
  const std::string what =
      overlap ? "the overlap (all times are from one clock)" : spaced(f.property->property) + " violated";
  return what + (is_fact(kind) ? ": " + std::string(find_kind(kind)->meaning) : "");
}

// The trial's property with this subject; null: none.
const PropertyVerdict* about(Concerns what, const TrialVerdict& verdict) {
  const auto found = std::find_if(verdict.properties.begin(), verdict.properties.end(),
                                  [what](const PropertyVerdict& p) { return concerns(p.property, what); });
  return found == verdict.properties.end() ? nullptr : &*found;
}

bool holds(const PropertyVerdict* property) {
  return property != nullptr && property->judgement == Judgement::holds;
}

// The client's hold in which the overlap began; null: the timeline was cut, or it believed later.
const Span* hold_in(const Timeline& timeline, std::uint32_t client, const Witness& w) {
  const auto found = std::find_if(timeline.spans.begin(), timeline.spans.end(), [&](const Span& span) {
    return span.client == client && span.key == w.key && span.from_ns <= w.from_ns && w.from_ns < span.to_ns;
  });
  return found == timeline.spans.end() ? nullptr : &*found;
}

// The client's writes in the overlap that the resource refused. A holder inside its lease is never a late writer.
std::string refused_text(std::uint32_t client, const Witness& w, const Timeline& timeline, bool safe) {
  const auto refused = std::count_if(timeline.writes.begin(), timeline.writes.end(), [&](const WriteMark& write) {
    return write.client == client && write.key == w.key && write.result == "fail" && write.time_ns >= w.from_ns &&
           write.time_ns <= w.to_ns;
  });
  if (refused == 0) return "";
  const Span* const hold = hold_in(timeline, client, w);
  const bool leased = hold != nullptr && hold->lease_end_ns != 0;
  const bool late = leased && hold->lease_end_ns <= w.from_ns;
  return fmt::format("Client {}'s {}writes were refused{}: {}{}.", client, late ? "late " : "",
                     leased && !late ? " inside its lease" : "", refused, safe ? "; the data is safe" : "");
}

// The refused writes of the two holders of an overlap.
std::string refused_text(const Finding& f, const Timeline* timeline) {
  const Witness& w = *f.witness;
  const TrialVerdict& verdict = f.trial->verdict;
  if (!is_exclusion(f.property->property) || w.clients.size() < 2 || !is_fenced(verdict)) return "";
  const bool safe = holds(about(Concerns::data, verdict)) && holds(about(Concerns::tokens, verdict));
  if (timeline != nullptr) {
    const std::string of_earlier = refused_text(w.clients[0], w, *timeline, safe);
    const std::string of_later = refused_text(w.clients[1], w, *timeline, safe);
    return of_earlier + (of_earlier.empty() || of_later.empty() ? "" : " ") + of_later;
  }
  const auto& counted = about(Concerns::tokens, verdict)->coverage;
  const auto stale = counted.find("stale_tokens_presented");
  if (!safe || stale == counted.end() || stale->second == 0) return "";
  return fmt::format("Writes with a stale token: {}, none accepted; the data is safe.", stale->second);
}

// For a cell without a witness: what the trial says of itself.
std::string plain_text(const Finding& f) {
  if (f.trial == nullptr) return words_of(f.cell->outcome).meaning.text();
  if (!f.trial->error.empty()) return clipped(f.trial->error, kMostOfError);
  std::string out = mismatches_text(*f.trial);
  if (out.empty()) out = words_of(f.cell->outcome).meaning.text();
  const bool told = f.property == nullptr || f.property->judgement == Judgement::not_applicable;
  if (!told && !f.property->reason.empty()) out += " (" + f.property->reason + ")";
  return out;
}

constexpr std::size_t kMostToldWrites = 4;

bool client_takes_part(const std::vector<std::uint32_t>& clients, std::uint32_t client) {
  return std::find(clients.begin(), clients.end(), client) != clients.end();
}

std::string numbered(std::int64_t time_ns, std::uint64_t index) {
  return moment_text(time_ns) + (index == 0 ? "" : fmt::format(" (#{})", index));
}

// The lease is known to have ended while the client acted as holder: a step of the story.
bool outlived_lease(const Span& span) {
  return span.lease_end_ns > span.from_ns && span.lease_end_ns < span.to_ns && !span.doubts.any();
}

Fact lease_fact(const Span& span) {
  return {fmt::format("At {} the lease of client {} ended, {} before it stopped acting as holder.",
                      moment_text(span.lease_end_ns), span.client, length_text(span.to_ns - span.lease_end_ns)),
          span.lease_end_ns};
}

Fact span_fact(const Span& span) {
  std::string text = fmt::format("Client {} held \"{}\" from {} to {}.", span.client, clipped(span.key, kMostOfName),
                                 numbered(span.from_ns, span.grant_index), numbered(span.to_ns, span.end_index));
  if (span.lease_end_ns == 0 || outlived_lease(span)) return {std::move(text), span.from_ns};
  const bool outlived = span.lease_end_ns < span.to_ns;
  std::string until = moment_text(span.lease_end_ns);
  if (outlived)
    until += fmt::format(", {} before it stopped acting as holder", length_text(span.to_ns - span.lease_end_ns));
  const bool unknown = span.doubts.any() && span.lease_end_ns <= span.from_ns;
  std::string lease = unknown ? unknown_lease_words(span.doubts) : lease_words(until, outlived, span.doubts);
  lease.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(lease.front())));
  return {text + " " + lease + ".", span.from_ns};
}

Fact fault_fact(const FaultSpan& fault) {
  const std::string when = fault.to_ns > fault.from_ns
                               ? "From " + moment_text(fault.from_ns) + " to " + moment_text(fault.to_ns)
                               : "At " + moment_text(fault.from_ns);
  const std::string whom = fault.clients.empty() ? "" : " on " + clients_text(fault.clients);
  const std::string detail = fault.detail.empty() ? "" : " (" + fault.detail + ")";
  return {fmt::format("{} the fault {} acted{}{}.", when, fault.fault, whom, detail), fault.from_ns};
}

Fact write_fact(const WriteMark& write) {
  const char* answer = "it is unknown whether the write took effect";
  if (write.result == "ok") answer = "the resource accepted the write";
  if (write.result == "fail") answer = "the resource refused the write";
  const std::string index = write.index == 0 ? "" : fmt::format(" (#{})", write.index);
  return {fmt::format("At {} client {} wrote{}; {}.", moment_text(write.time_ns), write.client, index, answer),
          write.time_ns};
}

void add_writes(const Timeline& timeline, const Witness& w, std::vector<Fact>& facts) {
  std::size_t told = 0;
  for (const auto& write : timeline.writes) {
    const bool inside = write.time_ns >= w.from_ns && write.time_ns <= w.to_ns && write.key == w.key;
    if (inside && client_takes_part(w.clients, write.client) && told++ < kMostToldWrites)
      facts.push_back(write_fact(write));
  }
}

void add_faults(const Timeline& timeline, const Witness& w, std::int64_t since_ns, std::vector<Fact>& facts) {
  for (const auto& fault : timeline.faults) {
    const bool then = fault.to_ns >= since_ns && fault.from_ns <= w.to_ns;
    const bool theirs = fault.clients.empty() || std::any_of(fault.clients.begin(), fault.clients.end(),
                                                             [&](auto c) { return client_takes_part(w.clients, c); });
    if (then && theirs) facts.push_back(fault_fact(fault));
  }
}

// The facts around a witness, in the order of time: holds from when to when, ends of leases, faults with their victims,
// writes. Numbers (#881) are those of the history's events. Empty if the timeline does not hold the witness's spans (a
// witness outside the part that the timeline kept).
std::vector<Fact> witness_facts(const Timeline& timeline, const Witness& w, bool exclusion) {
  const auto spans = witness_spans(timeline, w);
  if (spans.empty()) return {};
  std::vector<Fact> facts;
  std::int64_t since_ns = w.from_ns;
  for (const Span* span : spans) {
    facts.push_back(span_fact(*span));
    if (outlived_lease(*span)) facts.push_back(lease_fact(*span));
    since_ns = std::min(since_ns, span->from_ns);
  }
  if (exclusion && w.to_ns > w.from_ns) {
    const std::string who = are_one(w.clients)      ? clients_text(w.clients) + " acted as holder twice"
                            : w.clients.size() == 2 ? "both acted as holder"
                                                    : "all of them acted as holder";
    facts.push_back({fmt::format("From {} to {}, {}, {}.", moment_text(w.from_ns), moment_text(w.to_ns),
                                 length_text(w.to_ns - w.from_ns), who),
                     w.from_ns});
  }
  add_faults(timeline, w, since_ns, facts);
  add_writes(timeline, w, facts);
  std::stable_sort(facts.begin(), facts.end(), [](const Fact& a, const Fact& b) { return a.time_ns < b.time_ns; });
  return facts;
}

// A schedule of simulated clients has no moments.
std::int64_t moment_of(const Witness& w) {
  return w.to_ns == 0 ? -1 : w.from_ns;
}

}  // namespace

bool are_one(const std::vector<std::uint32_t>& clients) {
  return std::all_of(clients.begin(), clients.end(), [&](auto client) { return client == clients[0]; });
}

std::string clients_text(const std::vector<std::uint32_t>& clients) {
  if (clients.empty()) return "no client";
  if (are_one(clients)) return "client " + std::to_string(clients[0]);
  std::string out = clients.size() == 1 ? "client " : "clients ";
  for (std::size_t i = 0; i < clients.size(); ++i) {
    if (i > 0) out += i + 1 == clients.size() ? " and " : ", ";
    out += std::to_string(clients[i]);
  }
  return out;
}

std::string headline(const Finding& f) {
  if (f.cell == nullptr) return "";
  const bool placed = !f.cell->scenario.empty();  // a foreign history has no scenario
  const std::string where = placed ? f.cell->lock + " under " + f.cell->scenario + ": " : "";
  if (control_failed(f)) {
    const ControlResult& control = *f.trial->control;
    return where + "its control, " + control.lock + " without " + control.removes + ", proves nothing: " + control.seen;
  }
  const bool violated = f.property != nullptr && f.witness != nullptr && f.cell->outcome != Outcome::missed;
  return where + (violated && !harness_failed(f) ? violation_text(f.property->property, *f.witness) : plain_text(f));
}

std::string short_text(const Witness& w) {
  return w.text.substr(0, w.text.find("; schedule: "));
}

std::string short_headline(const Finding& f) {
  const std::string all = headline(f);
  return f.witness != nullptr && is_explored(*f.cell) ? all.substr(0, all.find("; schedule: ")) : all;
}

Narration narrate(const Finding& f, const Timeline* timeline) {
  Narration out;
  out.headline = headline(f);
  out.remedy = remedy_text(f);
  if (f.trial == nullptr) return out;  // nor is there a witness
  out.controls = cause_lines(*f.trial);
  if (f.witness == nullptr || harness_failed(f)) return out;
  const bool exclusion = is_exclusion(f.property->property);
  const KindWords* words = find_kind(f.witness->kind);
  // other clients too, which its picture does not show
  const bool tells_all = words != nullptr && words->leads_to_more;
  if (timeline != nullptr && !tells_all) out.facts = witness_facts(*timeline, *f.witness, exclusion);
  if (out.facts.empty() && !f.witness->text.empty()) out.facts.push_back({f.witness->text, moment_of(*f.witness)});
  if (f.next != nullptr) {
    out.facts.push_back({"Then " + violation_text(f.next_property->property, *f.next) + ".", moment_of(*f.next)});
  }
  if (std::string refused = refused_text(f, timeline); !refused.empty()) out.facts.push_back({std::move(refused)});
  const std::string kind = f.witness->kind.empty() ? f.property->kind : f.witness->kind;
  out.proven = proven_text(f, kind);
  const Suspicion suspect{f.property->property, kind, is_fenced(f.trial->verdict),
                          cause_of(*f.trial, f.property->property, kind)};
  // A schedule is the cause itself: there is nothing to confirm.
  out.suggestion = is_explored(*f.cell) ? likely_flaw(suspect) : suggested_cause(suspect);
  out.label = suggestion_label(suspect);
  return out;
}

std::vector<const Span*> witness_spans(const Timeline& timeline, const Witness& w) {
  std::vector<const Span*> out;
  for (const auto& span : timeline.spans) {
    const bool touches = span.from_ns <= w.to_ns && span.to_ns >= w.from_ns && span.key == w.key;
    if (touches && client_takes_part(w.clients, span.client)) out.push_back(&span);
  }
  return out;
}

}  // namespace holdfast
