#include "reports/narration.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/visible.hpp"
#include "reports/cause_words.hpp"
#include "reports/durations.hpp"
#include "reports/outcome_words.hpp"
#include "reports/suggestion.hpp"
#include "reports/witness_facts.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostOfError = 300;

bool is_exclusion(const std::string& property) {
  return property == "lease_exclusion" || property == "belief_exclusion";
}

std::string span_text(const Witness& witness) {
  if (witness.to_ns <= witness.from_ns) return "at " + moment_text(witness.from_ns);
  return moment_text(witness.from_ns) + " to " + moment_text(witness.to_ns);
}

// What a violation of each property is, in words that need no table.
std::string violation_text(const std::string& property, const Witness& w) {
  // A schedule of simulated clients has no moments; its text says all.
  if (w.to_ns == 0 && w.clients.empty() && !w.text.empty()) return clipped(w.text, kMostOfError);
  const std::string who = clients_text(w.clients);
  const std::string key = clipped(w.key, kMostOfName);
  const std::string long_for = length_text(w.to_ns - w.from_ns);
  const std::string by = w.clients.empty() ? "" : who + ", ";
  if (is_exclusion(property) && w.clients.size() > 1) {
    const char* all = w.clients.size() == 2 ? "both" : "all";
    return fmt::format("{} {} held \"{}\" for {} ({})", who, all, key, long_for, span_text(w));
  }
  if (property == "resource") return fmt::format("the data behind \"{}\" was damaged ({}{})", key, by, span_text(w));
  if (property == "fencing") return fmt::format("a fencing token of \"{}\" did not rise ({}{})", key, by, span_text(w));
  if (property == "ownership") {
    return fmt::format("\"{}\" was freed, renewed or lost against its owner ({}{})", key, by, span_text(w));
  }
  if (property == "progress" && w.kind == "refused_free") {
    return fmt::format("\"{}\" was refused though nobody held it ({}{})", key, by, span_text(w));
  }
  if (property == "progress") {
    return fmt::format("nobody could get \"{}\" for {} ({})", key, long_for, span_text(w));
  }
  return fmt::format("{} of \"{}\" violated ({}{})", spaced(property), key, by, span_text(w));
}

std::string mismatches_text(const TrialResult& trial) {
  std::string out;
  for (const auto& m : trial.mismatches) {
    out += fmt::format("{}{} expected {}, seen {}", out.empty() ? "" : "; ", m.property, m.expected, m.seen);
  }
  return out;
}

// Of a trial in which the harness failed, that it did is told, whatever else came out of it.
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
  return remedy_of(f.cell->outcome, f.property->judgement);
}

// What is sure, and by what. A schedule of simulated clients has no times.
std::string proven_text(const Finding& f, const std::string& kind) {
  const bool overlap = is_exclusion(f.property->property) && f.witness->to_ns > 0;
  const std::string what =
      overlap ? "the overlap (all times are of one clock)" : spaced(f.property->property) + " violated";
  return what + (kind.empty() ? "" : ", kind " + kind);
}

bool holds(const TrialVerdict& verdict, const std::string& property) {
  const PropertyVerdict* found = verdict.find(property);
  return found != nullptr && found->judgement == Judgement::holds;
}

bool is_fenced(const TrialVerdict& verdict) {
  const PropertyVerdict* fencing = verdict.find("fencing");
  return fencing != nullptr && fencing->judgement != Judgement::not_applicable;
}

// Of an overlap: what became of the writes of the earlier holder, where the resource refused them.
std::string refused_text(const Finding& f, const Timeline* timeline) {
  const Witness& w = *f.witness;
  const TrialVerdict& verdict = f.trial->verdict;
  if (!is_exclusion(f.property->property) || w.clients.size() < 2 || !is_fenced(verdict)) return "";
  const bool safe = holds(verdict, "resource") && holds(verdict, "fencing");
  if (timeline != nullptr) {
    const auto refused = std::count_if(timeline->writes.begin(), timeline->writes.end(), [&w](const WriteMark& write) {
      return write.client == w.clients.front() && write.key == w.key && write.result == "fail" &&
             write.time_ns >= w.from_ns && write.time_ns <= w.to_ns;
    });
    if (refused == 0) return "";
    return fmt::format("Client {}'s late writes were refused: {}{}.", w.clients.front(), refused,
                       safe ? "; the data is safe" : "");
  }
  const auto& counted = verdict.find("fencing")->exposure;
  const auto stale = counted.find("stale_tokens_presented");
  if (!safe || stale == counted.end() || stale->second == 0) return "";
  return fmt::format("Writes with an old token: {}, none accepted; the data is safe.", stale->second);
}

// For a cell without a witness: what the trial says of itself.
std::string plain_text(const Finding& f) {
  if (f.trial == nullptr) return words_of(f.cell->outcome).meaning.text();
  if (!f.trial->error.empty()) return clipped(f.trial->error, kMostOfError);
  std::string out = mismatches_text(*f.trial);
  if (out.empty()) out = words_of(f.cell->outcome).meaning.text();
  if (f.property != nullptr && !f.property->reason.empty()) out += " (" + f.property->reason + ")";
  return out;
}

}  // namespace

std::string clients_text(const std::vector<std::uint32_t>& clients) {
  if (clients.empty()) return "nobody";
  std::string out = clients.size() == 1 ? "client " : "clients ";
  for (std::size_t i = 0; i < clients.size(); ++i) {
    if (i > 0) out += i + 1 == clients.size() ? " and " : ", ";
    out += std::to_string(clients[i]);
  }
  return out;
}

std::string headline(const Finding& f) {
  if (f.cell == nullptr) return "";
  const std::string where = f.cell->lock + " under " + f.cell->scenario + ": ";
  if (control_failed(f)) {
    const ControlResult& control = *f.trial->control;
    return where + "its control, " + control.lock + " without " + control.removes + ", proves nothing: " + control.seen;
  }
  const bool violated = f.property != nullptr && f.witness != nullptr && f.cell->outcome != Outcome::missed;
  return where + (violated && !harness_failed(f) ? violation_text(f.property->property, *f.witness) : plain_text(f));
}

Narration narrate(const Finding& f, const Timeline* timeline) {
  Narration out;
  out.headline = headline(f);
  out.remedy = remedy_text(f);
  if (f.trial != nullptr) out.controls = cause_lines(*f.trial);
  if (f.witness == nullptr || harness_failed(f)) return out;
  const bool exclusion = is_exclusion(f.property->property);
  if (timeline != nullptr) out.facts = witness_facts(*timeline, *f.witness, exclusion);
  if (out.facts.empty() && !f.witness->text.empty()) out.facts.push_back(f.witness->text);
  if (std::string refused = refused_text(f, timeline); !refused.empty()) out.facts.push_back(std::move(refused));
  const std::string kind = f.witness->kind.empty() ? f.property->kind : f.witness->kind;
  out.proven = proven_text(f, kind);
  const Suspicion suspect{f.property->property, kind, is_fenced(f.trial->verdict),
                          cause_of(*f.trial, f.property->property, kind)};
  out.suggestion = suggested_cause(suspect);
  out.label = suggestion_label(suspect);
  return out;
}

}  // namespace holdfast
