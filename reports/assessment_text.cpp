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
constexpr std::size_t kLabel = 27;       // columns before what stands behind a label
constexpr std::size_t kMostNamed = 4;    // cases of a group
constexpr std::size_t kMostTold = 4;     // findings in full
constexpr std::size_t kMostReasons = 4;  // of what was not tried
constexpr std::size_t kMostOfReason = 150;

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

// In full what comes first: what was begun and not decided, or not begun. The rest by name: why, the page says.
Shown unknown_text(const Assessment& a) {
  Shown out;
  std::string rest;
  std::size_t told = 0;
  for (const auto& one : a.unknown) {
    if (++told <= kMostReasons) {
      const Literal label = told == 1 ? Literal("not tried, or not known:") : Literal("");
      out += wrapped(shown("  {}", label), named(one.cases) + ": " + clipped(one.why, kMostOfReason), kLabel);
      continue;
    }
    for (const auto& name : one.cases) rest += (rest.empty() ? "nor " : ", ") + name;
  }
  out += line("", rest.empty() ? "" : rest + " (the page says why)");
  return out;
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
  out += line("safe under:", groups_text(a.safe, false));
  out += line("searched:", a.searched);
  out += unknown_text(a);
  return out;
}

std::string title_of(const LockFinding& finding) {
  std::string out = severity_words(finding.severity);
  if (finding.without_fault) out += ", without any fault";
  if (!finding.promised) out += ", as no lease alone prevents";
  return out;
}

Shown finding_text(std::size_t number, const LockFinding& finding, const std::string& again) {
  Shown out = shown("\n{}. {} ({})\n", number, title_of(finding), finding.kind);
  const auto add = [&out](Literal label, const std::string& text) {
    if (!text.empty()) out += wrapped(shown("   {}", label), text, 13);
  };
  add("seen:", finding.story);
  const bool confirmed = finding.cause_label == kConfirmedCause;
  const bool refuted = finding.cause_label == kNotTheCause;
  std::string cause = finding.cause;
  if (!cause.empty() && confirmed) cause.insert(0, "confirmed: ");
  if (!cause.empty() && refuted) cause.insert(0, "not ");
  add(confirmed || refuted ? Literal("cause:") : Literal("likely:"), cause);
  add("controls:", finding.controls.empty() ? "" : finding.controls.front());
  const std::size_t cases = finding.cases.size();
  const char* note = finding.loads_differ ? "; each asks for something special, so the reasons may differ" : "";
  add("cases:", cases > 1 ? named(finding.cases) + note : "");
  add("again:", again);
  return out;
}

}  // namespace

Shown assessment_text(const Assessment& a, const SeeAgain& again, bool colour) {
  Shown out = head(a, again, colour);
  out += places(a);
  for (std::size_t i = 0; i < std::min(a.findings.size(), kMostTold); ++i) {
    out += finding_text(i + 1, a.findings[i], i < again.finds.size() ? again.finds[i] : "");
  }
  if (a.findings.size() > kMostTold) {
    out += shown("\nand {} findings more, on the page\n", a.findings.size() - kMostTold);
  }
  if (!a.instead.empty() && !a.findings.empty()) out += shown("\n{}", wrapped(Literal("what to do:"), a.instead, 13));
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
                             {"safe", groups_json(a.safe)},
                             {"searched", a.searched},
                             {"searched_within", a.within},
                             {"unknown", nlohmann::ordered_json::array()},
                             {"findings", nlohmann::ordered_json::array()},
                             {"instead", a.instead},
                             {"page", again.page},
                             {"again", again.command}};
  for (const auto& one : a.unknown) out["unknown"].push_back({{"why", one.why}, {"cases", one.cases}});
  for (std::size_t i = 0; i < a.findings.size(); ++i) {
    const LockFinding& f = a.findings[i];
    out["findings"].push_back({{"severity", to_text(f.severity)},
                               {"kind", f.kind},
                               {"cases", f.cases},
                               {"without_fault", f.without_fault},
                               {"promise_broken", f.promised},
                               {"story", f.story},
                               {"cause", f.cause},
                               {"cause_confirmed", f.cause_label == kConfirmedCause},
                               {"controls", f.controls},
                               {"again", i < again.finds.size() ? again.finds[i] : ""}});
  }
  return out;
}

}  // namespace holdfast
