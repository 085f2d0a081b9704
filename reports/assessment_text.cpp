// What `try` prints: the answer on one screen, and the same for programs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "artifact/visible.hpp"
#include "reports/assessment.hpp"
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
Shown wrapped(const Shown& label, const std::string& text, std::size_t indent) {
  Shown out = label;
  out += Shown::blanks(indent - std::min(indent, label.width()));
  std::size_t used = indent;
  bool first = true;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const Shown word = shown("{}", text.substr(at, end - at));
    at = end + 1;
    if (word.empty()) continue;
    if (!first && used + 1 + word.width() > kScreen) {
      out += Literal("\n");
      out += Shown::blanks(indent);
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

// "pause 2 of 7 (pause_critical_section, lapses)"; what is safe needs no names.
std::string groups_text(const std::vector<CaseGroup>& groups, bool with_names) {
  std::string out;
  for (const auto& group : groups) {
    out += fmt::format("{}{} {} of {}", out.empty() ? "" : " · ", group.faults, group.cases.size(), group.all);
    if (with_names) out += " (" + named(group.cases) + ")";
  }
  return out;
}

Shown line(Literal label, const std::string& text) {
  return text.empty() ? Shown() : wrapped(shown("  {}", label), text, kLabel);
}

Literal colour_of(Severity severity) {
  if (severity < Severity::nothing_broke) return "1;31";
  return severity == Severity::nothing_broke ? Literal("1;32") : Literal("1;33");
}

Shown head(const Assessment& a, const SeeAgain& again, bool colour) {
  const Shown words = shown("{}: {}", a.lock, a.headline.text);
  const Literal begin = "\x1b[";
  const Shown text = colour ? shown("{}{}m{}{}0m", begin, colour_of(a.headline.severity), words, begin) : words;
  return shown("{}        {}\n\n", text, again.circumstances);
}

// "keys_alike, zones and 3 more (the time budget was over)", for each reason, which is printed in full: an adapter that
// does not start says why at its end. All names are on the page and in JSON.
Shown unknown_text(const Assessment& a) {
  Shown out;
  bool whole = true;
  for (const auto& one : a.unknown) {
    const std::string names = named(one.cases);
    const Shown label = shown("  {}", one.tried ? Literal("not known:") : Literal("not tried:"));
    whole = whole && one.cases.size() <= kMostNamed && one.why.size() <= kMostOfReason;
    out += wrapped(label, names + " (" + clipped(one.why, kMostOfReason) + ")", kShortLabel);
  }
  if (!whole) out += wrapped(Literal(""), "all names and reasons: the page, or --json", kShortLabel);
  return out.empty() ? out : shown("\n{}", out);
}

Shown places(const Assessment& a) {
  Shown out = line("data damaged under:", groups_text(a.damaged, true));
  const bool refused = a.refused > 0;
  const std::string stale = refused ? fmt::format("; stale writes refused: {}", a.refused) : "";
  const std::string believed = groups_text(a.believed, true);
  const std::string data =
      a.headline.severity == Severity::nothing_broke || refused ? "the data is safe," : "the data was not damaged,";
  out += line("two believed at once,", believed.empty() ? "" : data + " under: " + believed + stale);
  out += line("freed or lost under:", groups_text(a.disowned, true));
  out += line("stuck after:", groups_text(a.stuck, true));
  out += line("answered wrongly under:", groups_text(a.misled, true));
  out += line("safe under:", groups_text(a.safe, false));
  out += line("searched:", a.searched);
  return out;
}

std::string title_of(const LockFinding& finding) {
  std::string out = severity_words(finding.severity);
  if (finding.without_fault) out += ", without any fault";
  if (!finding.promised) out += ", as no lease alone prevents";
  return out;
}

// Of the i-th finding; empty: there is none.
std::string at_or_none(const std::vector<std::string>& commands, std::size_t i) {
  return i < commands.size() ? commands[i] : "";
}

Shown finding_text(std::size_t i, const LockFinding& finding, const SeeAgain& again) {
  Shown out = shown("\n{}. {} ({})\n", i + 1, title_of(finding), finding.kind);
  const auto add = [&out](Literal label, const std::string& text) {
    if (!text.empty()) out += wrapped(shown("   {}", label), text, kShortLabel);
  };
  add("seen:", finding.story);
  const bool confirmed = finding.cause_label == kConfirmedCause;
  const bool refuted = finding.cause_label == kNotTheCause;
  std::string cause = finding.cause;
  if (!cause.empty() && confirmed) cause.insert(0, "confirmed: ");
  if (!cause.empty() && refuted) cause.insert(0, "not ");
  // What is known exactly makes a guess idle, and says more than that a fault is not to blame.
  if (finding.schedule) add("cause:", "exactly, as explore found it: " + finding.schedule->cause);
  if (confirmed || !finding.schedule) add(confirmed || refuted ? Literal("cause:") : Literal("likely:"), cause);
  if (finding.schedule) {
    const std::string command = at_or_none(again.schedules, i);
    add("schedule:", finding.schedule->words + (command.empty() ? "" : " · " + command));
  }
  add("controls:", finding.controls.empty() ? "" : finding.controls.front());
  const std::size_t cases = finding.cases.size();
  const char* note = finding.loads_differ ? "; each asks for something special, so the reasons may differ" : "";
  add("cases:", cases > 1 ? named(finding.cases) + note : "");
  add("again:", at_or_none(again.finds, i) == at_or_none(again.schedules, i) ? "" : at_or_none(again.finds, i));
  return out;
}

}  // namespace

Shown assessment_text(const Assessment& a, const SeeAgain& again, bool colour) {
  Shown out = head(a, again, colour);
  out += places(a);
  for (std::size_t i = 0; i < std::min(a.findings.size(), kMostTold); ++i) {
    out += finding_text(i, a.findings[i], again);
  }
  if (a.findings.size() > kMostTold) {
    out += shown("\nand {} findings more, on the page\n", a.findings.size() - kMostTold);
  }
  out += unknown_text(a);
  if (!a.instead.empty() && !a.findings.empty())
    out += shown("\n{}", wrapped(Literal("what to do:"), a.instead, kShortLabel));
  for (const auto& note : a.notes) out += shown("\n{}", wrapped(Literal("note:"), note, kShortLabel));
  out += shown("\npage: {} · the whole again: {}\n", again.page, again.command);
  return out;
}

namespace {

nlohmann::ordered_json groups_json(const std::vector<CaseGroup>& groups) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& group : groups) out.push_back({{"faults", group.faults}, {"cases", group.cases}, {"of", group.all}});
  return out;
}

}  // namespace

nlohmann::ordered_json assessment_json(const Assessment& a, const SeeAgain& again) {
  nlohmann::ordered_json out{{"holdfast_try", 1},
                             {"lock", a.lock},
                             {"severity", to_text(a.headline.severity)},
                             {"headline", a.headline.text},
                             {"exit_code", a.exit_code},
                             {"data_damaged", groups_json(a.damaged)},
                             {"two_believed", groups_json(a.believed)},
                             {"stale_writes_refused", a.refused},
                             {"not_its_owner", groups_json(a.disowned)},
                             {"stuck", groups_json(a.stuck)},
                             {"wrong_answer", groups_json(a.misled)},
                             {"safe", groups_json(a.safe)},
                             {"searched", a.searched},
                             {"searched_within", a.within},
                             {"unknown", nlohmann::ordered_json::array()},
                             {"findings", nlohmann::ordered_json::array()},
                             {"instead", a.instead},
                             {"notes", a.notes},
                             {"page", again.page},
                             {"again", again.command}};
  for (const auto& one : a.unknown)
    out["unknown"].push_back({{"why", one.why}, {"cases", one.cases}, {"tried", one.tried}});
  for (std::size_t i = 0; i < a.findings.size(); ++i) {
    const LockFinding& f = a.findings[i];
    nlohmann::ordered_json finding{{"severity", to_text(f.severity)},
                                   {"kind", f.kind},
                                   {"cases", f.cases},
                                   {"without_fault", f.without_fault},
                                   {"promise_broken", f.promised},
                                   {"story", f.story},
                                   {"cause", f.cause},
                                   {"cause_confirmed", f.cause_label == kConfirmedCause},
                                   {"controls", f.controls},
                                   {"again", at_or_none(again.finds, i)}};
    if (f.schedule) {
      finding["schedule"] = {{"invariant", f.schedule->invariant},
                             {"cause", f.schedule->cause},
                             {"words", f.schedule->words},
                             {"again", at_or_none(again.schedules, i)}};
    }
    out["findings"].push_back(std::move(finding));
  }
  return out;
}

}  // namespace holdfast
