#include "reports/assessment_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>

#include "artifact/visible.hpp"
#include "reports/assertion_text.hpp"
#include "reports/lock_answer.hpp"
#include "reports/suggestion.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kScreen = 110;
constexpr std::size_t kLabel = 27;     // columns before what stands behind a label
constexpr std::size_t kMostNamed = 4;  // cases of a group
constexpr std::size_t kMostTold = 4;   // findings in full
constexpr std::size_t kShortLabel = 13;
constexpr std::size_t kMostOfReason = 2000;

// The words of `text` behind a label, further lines indented as far.
TerminalText wrapped(const TerminalText& label, const std::string& text, std::size_t indent) {
  TerminalText out = label;
  out += TerminalText::blanks(indent - std::min(indent, label.width()));
  std::size_t used = indent;
  bool first = true;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const TerminalText word = terminal_text("{}", text.substr(at, end - at));
    at = end + 1;
    if (word.empty()) continue;
    if (!first && used + 1 + word.width() > kScreen) {
      out += Literal("\n");
      out += TerminalText::blanks(indent);
      used = indent;
      first = true;
    }
    if (!first) out += Literal(" ");
    used += word.width() + (first ? 0 : 1);
    out += word;
    first = false;
  }
  out += Literal("\n");
  return out;
}

std::string named(const std::vector<std::string>& cases) {
  std::string out;
  for (std::size_t i = 0; i < std::min(cases.size(), kMostNamed); ++i) out += (i == 0 ? "" : ", ") + cases[i];
  return cases.size() > kMostNamed ? out + fmt::format(" and {} more", cases.size() - kMostNamed) : out;
}

// "pause 2 of 7 (pause_critical_section, lapses)"; safe cases need no names.
std::string groups_text(const RunAssessment& found, Severity end) {
  std::string out;
  for (const auto& group : found.groups) {
    if (group.end != end) continue;
    out += fmt::format("{}{} {} of {}", out.empty() ? "" : " · ", group.faults, group.cases.size(), group.all);
    if (end != Severity::nothing_broke) out += " (" + named(group.cases) + ")";
  }
  return out;
}

TerminalText line(Literal label, const std::string& text) {
  return text.empty() ? TerminalText() : wrapped(terminal_text("  {}", label), text, kLabel);
}

Literal colour_of(const RunAssessment& found) {
  const LockAssessment* const lock = found.graded();
  const bool broken = lock == nullptr ? found.severity < Severity::nothing_broke : lock->grade.grade == Grade::broken;
  const bool good = lock == nullptr ? found.severity == Severity::nothing_broke : lock->grade.grade >= Grade::lease;
  if (broken) return "1;31";
  return good ? Literal("1;32") : Literal("1;33");
}

// The reason for the grade, and how often each of the four faults that a grade needs struck a holder.
TerminalText grade_text(const RunAssessment& found) {
  const LockAssessment* const lock = found.graded();
  if (lock == nullptr) return {};
  const auto indented = [](const std::string& text) { return wrapped(Literal("  "), text, 2); };
  std::string reason = grade_reason(*lock);
  reason.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(reason.front())));
  return terminal_text("{}{}", indented(reason), indented("Faults on holders: " + strikes_text(lock->grade)));
}

std::string lock_of(const RunAssessment& found) {
  return found.run.locks.empty() ? "" : found.run.locks.front();
}

TerminalText head(const RunAssessment& found, const SeeAgain& again, bool colour) {
  const TerminalText words = terminal_text("{}: {}", lock_of(found), headline_text(found));
  const Literal begin = "\x1b[";
  const TerminalText text = colour ? terminal_text("{}{}m{}{}0m", begin, colour_of(found), words, begin) : words;
  return terminal_text("{}        {}\n\n", text, again.circumstances);
}

// "keys_alike, zones and 3 more (the time budget was over)", for each reason, which is printed in full: an adapter that
// does not start says why at its end. All names are in the report and in JSON.
TerminalText unknown_text(const RunAssessment& found) {
  TerminalText out;
  bool whole = true;
  std::size_t not_needed = 0;
  for (const auto& one : found.unknown) {
    if (!one.needed) not_needed += one.cases.size();
    if (!one.needed) continue;
    const std::string names = named(one.cases);
    const TerminalText label = terminal_text("  {}", one.tried ? Literal("not known:") : Literal("not tried:"));
    whole = whole && one.cases.size() <= kMostNamed && one.why.size() <= kMostOfReason;
    out += wrapped(label, names + " (" + clipped(one.why, kMostOfReason) + ")", kShortLabel);
  }
  if (not_needed > 0) {
    out += wrapped(Literal("  left out:"), not_needed_words(not_needed), kShortLabel);
    whole = false;
  }
  if (!whole) out += wrapped(Literal(""), "the report and --json list all names and reasons", kShortLabel);
  return out.empty() ? out : terminal_text("\n{}", out);
}

std::int64_t stale_writes_refused(const RunAssessment& found) {
  std::int64_t out = 0;
  for (const auto& group : found.groups) out += group.end == Severity::two_believed ? group.refused : 0;
  return out;
}

// Only the bounds of the search; the report lists what was not explored.
std::string searched_text(const RunAssessment& found) {
  if (found.searched == nullptr) return "";
  const std::string& why = found.searched->cell->why;
  const std::string numbers = why.substr(0, why.find(" Not explored:"));
  const Severity severity = found.searched->severity;
  if (severity == Severity::nothing_broke) return "none violated: " + numbers;
  if (severity == Severity::nothing_judged) return "none violated, but the search was stopped early: " + numbers;
  return severity_words(severity) + ": " + numbers;
}

TerminalText places(const RunAssessment& found) {
  TerminalText out = line("data damaged under:", groups_text(found, Severity::data_damaged));
  const std::int64_t refused = stale_writes_refused(found);
  const std::string stale = refused > 0 ? fmt::format("; stale writes refused: {}", refused) : "";
  const std::string believed = groups_text(found, Severity::two_believed);
  const bool judged = std::any_of(found.cells.begin(), found.cells.end(), [](const CellAssessment& one) {
    return one.severity == Severity::two_believed && one.data_judged;
  });
  const std::string data = found.severity == Severity::nothing_broke || refused > 0 ? "the data is safe,"
                           : judged                                                 ? "the data was not damaged,"
                                                                                    : "the data was not checked,";
  out += line("two holders at once,", believed.empty() ? "" : data + " under: " + believed + stale);
  out += line("ownership broken under:", groups_text(found, Severity::not_its_owner));
  out += line("stuck after:", groups_text(found, Severity::stuck));
  out += line("wrong answers under:", groups_text(found, Severity::wrong_answer));
  out += line("assertion false under:", groups_text(found, Severity::assertion));
  out += line("safe under:", groups_text(found, Severity::nothing_broke));
  out += line("searched:", searched_text(found));
  return out;
}

std::string title_of(const LockFinding& finding) {
  std::string out = severity_words(finding.severity);
  if (finding.without_fault) out += ", without any fault";
  out += beyond_promise(finding);
  return out;
}

std::vector<std::string> names_of(const LockFinding& finding) {
  std::vector<std::string> out;
  for (const Cell* cell : finding.cases) out.push_back(cell->scenario);
  return out;
}

// The command of the i-th finding; empty: none.
std::string at_or_none(const std::vector<std::string>& commands, std::size_t i) {
  return i < commands.size() ? commands[i] : "";
}

TerminalText finding_text(std::size_t i, const LockFinding& finding, const SeeAgain& again) {
  TerminalText out = terminal_text("\n{}. {} ({})\n", i + 1, title_of(finding), finding.kind);
  const auto add = [&out](Literal label, const std::string& text) {
    if (!text.empty()) out += wrapped(terminal_text("   {}", label), text, kShortLabel);
  };
  add("seen:", finding.told.headline);
  const bool refuted = finding.told.label == kNotTheCause;
  const bool weighed = finding.promised || finding.flaw.empty();  // no control is run for what is allowed
  const std::string cause = (refuted ? "not " : "") + (weighed ? finding.told.suggestion : finding.flaw);
  if (finding.schedule && finding.flaw_is_known()) add("flaw:", finding.flaw);
  // An exact cause makes a guess redundant, and says more than that a fault is not to blame.
  if (finding.schedule) add("cause:", "proved by explore: " + finding.schedule->cause);
  const bool known = finding.confirmed || finding.flaw_is_known();
  if (!finding.schedule && (known || !finding.told.suggestion.empty())) {
    add(known ? Literal("flaw:") : refuted ? Literal("cause:") : Literal("likely:"), known ? finding.flaw : cause);
  }
  add("needs:", finding.needs);
  if (finding.schedule) {
    const std::string command = at_or_none(again.schedules, i);
    add("schedule:", finding.schedule->words + (command.empty() ? "" : " · " + command));
  }
  add("controls:", finding.told.controls.empty() ? "" : finding.told.controls.front());
  const std::size_t cases = finding.cases.size();
  const char* note = finding.loads_differ ? "; each has a special load, so the reasons may differ" : "";
  add("cells:", cases > 1 ? named(names_of(finding)) + note : "");
  add("rerun:", at_or_none(again.finds, i) == at_or_none(again.schedules, i) ? "" : at_or_none(again.finds, i));
  return out;
}

// The steps of its schedule, a column for each client; empty: there are none, or a finding before it has shown them.
TerminalText story_text(std::size_t i, const std::vector<LockFinding>& findings) {
  const auto& schedule = findings[i].schedule;
  if (!schedule || schedule->story.empty()) return {};
  const auto is_same = [&](const LockFinding& other) {
    return other.schedule && other.schedule->replay == schedule->replay;
  };
  const auto first = std::find_if(findings.begin(), findings.end(), is_same);
  if (first != findings.begin() + static_cast<std::ptrdiff_t>(i)) return {};
  return terminal_text("\n{}", terminal_lines(schedule->story));
}

// Null: the run grades no single lock.
nlohmann::ordered_json grade_json(const RunAssessment& found) {
  const LockAssessment* const lock = found.graded();
  if (lock == nullptr) return nullptr;
  nlohmann::ordered_json struck;
  for (const auto& one : lock->grade.strikes) struck[one.fault] = one.holders;
  return {{"word", to_text(lock->grade.grade)},
          {"reason", grade_reason(*lock)},
          {"strict", lock->grade.strict},
          {"granted_holders_struck", std::move(struck)},
          {"missing", lock->grade.missing}};
}

nlohmann::ordered_json assertions_json(const RunVerdict& run) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& one : run.assertions) {
    out.push_back({{"kind", to_text(one.count.kind)},
                   {"name", one.count.name},
                   {"held", one.count.held},
                   {"failed", one.count.failed},
                   {"reached", one.reached}});
  }
  return out;
}

nlohmann::ordered_json groups_json(const RunAssessment& found, Severity end) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& group : found.groups) {
    if (group.end != end) continue;
    out.push_back({{"faults", group.faults}, {"cases", group.cases}, {"of", group.all}});
  }
  return out;
}

nlohmann::ordered_json finding_json(std::size_t i, const LockFinding& f, const SeeAgain& again) {
  nlohmann::ordered_json out{{"severity", to_text(f.severity)},
                             {"kind", f.kind},
                             {"cases", names_of(f)},
                             {"without_fault", f.without_fault},
                             {"promise_broken", f.promised},
                             {"story", f.told.headline},
                             {"cause", f.told.suggestion},
                             {"flaw", f.flaw},
                             {"needs", f.needs},
                             {"cause_confirmed", f.told.label == kConfirmedCause},
                             {"controls", f.told.controls},
                             {"again", at_or_none(again.finds, i)}};
  if (!f.schedule) return out;
  out["schedule"] = {{"invariant", f.schedule->invariant},
                     {"cause", f.schedule->cause},
                     {"words", f.schedule->words},
                     {"steps", f.schedule->story},
                     {"again", at_or_none(again.schedules, i)}};
  return out;
}

}  // namespace

TerminalText assessment_text(const RunAssessment& found, const SeeAgain& again, bool colour) {
  TerminalText out = head(found, again, colour);
  out += grade_text(found);
  const auto& findings = found.findings;
  for (std::size_t i = 0; i < std::min(findings.size(), kMostTold); ++i) {
    out += finding_text(i, findings[i], again);
    out += story_text(i, findings);
  }
  if (findings.size() > kMostTold) {
    out += terminal_text("\n{} more findings are in the report\n", findings.size() - kMostTold);
  }
  out += terminal_text("\n{}", places(found));
  for (const auto& answer : assertion_answers(found.run))
    out += terminal_text("\n{}", wrapped(Literal("  "), answer, 2));
  out += unknown_text(found);
  if (!again.instead.empty() && !findings.empty())
    out += terminal_text("\n{}", wrapped(Literal("what to do:"), again.instead, kShortLabel));
  for (const auto& note : found.run.notes) out += terminal_text("\n{}", wrapped(Literal("note:"), note, kShortLabel));
  out += terminal_text("\nreport: {} · rerun: {}\n", again.page, again.command);
  return out;
}

nlohmann::ordered_json assessment_json(const RunAssessment& found, const SeeAgain& again) {
  nlohmann::ordered_json out{{"holdfast_try", 2},
                             {"lock", lock_of(found)},
                             {"grade", grade_json(found)},
                             {"severity", to_text(found.severity)},
                             {"headline", headline_text(found)},
                             {"exit_code", found.exit_code},
                             {"data_damaged", groups_json(found, Severity::data_damaged)},
                             {"two_believed", groups_json(found, Severity::two_believed)},
                             {"stale_writes_refused", stale_writes_refused(found)},
                             {"not_its_owner", groups_json(found, Severity::not_its_owner)},
                             {"stuck", groups_json(found, Severity::stuck)},
                             {"wrong_answer", groups_json(found, Severity::wrong_answer)},
                             {"assertion", groups_json(found, Severity::assertion)},
                             {"safe", groups_json(found, Severity::nothing_broke)},
                             {"searched", searched_text(found)},
                             {"searched_within", found.searched == nullptr ? "" : found.run.within},
                             {"assertions", assertions_json(found.run)},
                             {"unknown", nlohmann::ordered_json::array()},
                             {"findings", nlohmann::ordered_json::array()},
                             {"instead", again.instead},
                             {"notes", found.run.notes},
                             {"page", again.page},
                             {"again", again.command}};
  for (const auto& one : found.unknown)
    out["unknown"].push_back({{"why", one.why}, {"cases", one.cases}, {"tried", one.tried}, {"needed", one.needed}});
  for (std::size_t i = 0; i < found.findings.size(); ++i)
    out["findings"].push_back(finding_json(i, found.findings[i], again));
  return out;
}

}  // namespace holdfast
