#include "reports/cell_section.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/durations.hpp"
#include "reports/figure.hpp"
#include "reports/finding.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/property_table.hpp"
#include "reports/rerun.hpp"

namespace holdfast {
namespace {

// Letters of the alphabet of links only; a link without a scheme cannot leave the folder.
std::string folder_link(const std::string& folder) {
  std::string out = "./";
  for (const char c : folder) {
    const bool plain = anchor(std::string_view(&c, 1)).size() == 1;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return out + "/";
}

std::string trial_remark(const TrialResult& trial) {
  std::string out = trial.error;
  for (const auto& m : trial.mismatches) {
    out += fmt::format("{}{}: expected {}, seen {}", out.empty() ? "" : "; ", m.property, m.expected, m.seen);
  }
  return out;
}

void write_trials(const Cell& cell, HtmlWriter& out) {
  const auto scroll = out.tag("div", {{"class", "scroll"}});
  const auto table = out.tag("table", {{"class", "numbers"}});
  out.element("caption", {}, "Trials");
  {
    const auto head = out.tag("thead");
    const auto row = out.tag("tr");
    for (const char* name :
         {"trial", "outcome", "seed", "took", "grants", "refused", "uncertain", "wait p50 / p99", "remark"}) {
      out.element("th", {{"scope", "col"}}, name);
    }
  }
  const auto body = out.tag("tbody");
  for (const auto& trial : cell.trials) {
    const Measures& m = trial.verdict.measures;
    const auto row = out.tag("tr");
    {
      const auto data = out.tag("td");
      const std::string name = std::to_string(trial.number);
      trial.folder.empty() ? out.text(name) : out.element("a", {{"href", folder_link(trial.folder)}}, name);
    }
    {
      const auto data = out.tag("td");
      write_outcome(trial.outcome, "", out);
    }
    out.element("td", {}, std::to_string(trial.seed));
    out.element("td", {}, wall_text(trial.seconds));
    out.element("td", {}, count_text(m.grants));
    out.element("td", {}, count_text(m.refusals));
    out.element("td", {}, count_text(m.indeterminate));
    out.element("td", {}, m.grants == 0 ? "–" : length_text(m.wait_p50_ns) + " / " + length_text(m.wait_p99_ns));
    out.element("td", {{"class", "remark"}}, trial_remark(trial));
  }
}

// The controls of the flaws that were caught: the same plans without the flaw.
void write_control(const Cell& cell, HtmlWriter& out) {
  std::int64_t run = 0;
  std::int64_t held = 0;
  const ControlResult* shown = nullptr;
  for (const auto& trial : cell.trials) {
    if (!trial.control) continue;
    ++run;
    held += trial.control->held ? 1 : 0;
    if (shown == nullptr || !trial.control->held) shown = &*trial.control;
  }
  if (shown == nullptr) return;
  const auto p = out.tag("p", {{"class", "why"}});
  out.element("strong", {}, "Control: ");
  out.text(fmt::format("{} under the same plan and seed, without {}: held {} of {}. ", shown->lock, shown->removes,
                       held, run));
  if (!shown->held) out.text("Seen: " + shown->seen + ". ");
  out.element("a", {{"href", folder_link(shown->folder)}}, "its files");
}

// The first few violations of each kind are kept as witnesses; all are counted.
std::string more_witnesses_text(const Finding& told) {
  std::int64_t kept = told.witness != nullptr ? -1 : 0;
  std::int64_t all = 0;
  for (const auto& property : told.trial->verdict.properties) {
    kept += static_cast<std::int64_t>(property.witnesses.size());
    all += property.count;
  }
  if (kept <= 0) return "";
  const std::string text = plural(kept, "more witness", "more witnesses") + " of this trial";
  return all > kept + 1 ? text + ", which has " + plural(all, "violation", "violations") : text;
}

std::string span_of(const Witness& witness) {
  if (witness.to_ns == 0) return ": ";  // of simulated clients, whose schedule has no moments
  return fmt::format(" from {} to {}: ", moment_text(witness.from_ns), moment_text(witness.to_ns));
}

// All witnesses but the one that the story tells.
void write_more_witnesses(const Finding& told, HtmlWriter& out) {
  const std::string summary = more_witnesses_text(told);
  if (summary.empty()) return;
  const auto details = out.tag("details", {{"class", "more"}});
  out.element("summary", {}, summary);
  const auto list = out.tag("ul");
  for (const auto& property : told.trial->verdict.properties) {
    for (const auto& witness : property.witnesses) {
      if (&witness == told.witness) continue;
      const auto item = out.tag("li");
      out.element("strong", {}, spaced(property.property) + (witness.kind.empty() ? "" : ", " + witness.kind));
      out.text(span_of(witness) + witness.text);
    }
  }
}

std::string why_label(const Cell& cell) {
  if (is_explored(cell)) return "Searched: ";
  const bool came_so = cell.outcome == Outcome::as_expected || cell.outcome == Outcome::caught;
  return came_so ? "Why this is expected: " : "What is expected, and why: ";
}

void write_body(const PageInput& in, const Cell& cell, HtmlWriter& out) {
  if (!cell.why.empty()) {
    const auto p = out.tag("p", {{"class", "why"}});
    out.element("strong", {}, why_label(cell));
    out.text(cell.why);
  }
  write_control(cell, out);
  const Finding found = finding_of(cell);
  if (found.trial == nullptr) {
    out.element("p", {{"class", "quiet"}}, "No trial was carried out.");
    return;
  }
  if (!found.trial->error.empty()) out.element("pre", {{"class", "error"}}, found.trial->error);
  write_property_table(cell, out);
  if (found.witness != nullptr) {
    const TrialVerdict* full = full_verdict(in.trials, found.trial);
    out.element("h4", {}, headline(found));
    write_story(found, full != nullptr ? &full->timeline : nullptr, out);
    write_instead(in, cell, out);
    write_more_witnesses(found, out);
  }
  if (const std::string remedy = narrate(found, nullptr).remedy; !remedy.empty()) {
    out.element("p", {{"class", "suggested"}}, "Remedy: " + remedy);
  }
  if (!is_explored(cell)) {  // simulated clients have no timeline, and a search no trials
    if (const TrialVerdict* full = full_verdict(in.trials, found.trial))
      write_figure(found, full->timeline, false, out);
    write_trials(cell, out);
  }
  out.element("p", {{"class", "label"}}, "Run this cell again");
  out.element("pre", {{"class", "command"}}, rerun_command(in.run, cell));
}

}  // namespace

std::string cell_anchor(const Cell& cell) {
  return anchor(cell.lock) + "/" + anchor(cell.scenario);
}

void write_outcome(Outcome outcome, const std::string& repeated, HtmlWriter& out) {
  const auto& words = words_of(outcome);
  const auto badge =
      out.tag("span", {{"class", std::string("outcome o-") + to_text(outcome)}, {"title", words.meaning.text()}});
  out.element("span", {{"class", "glyph"}}, words.glyph.view());
  out.text(fmt::format(" {}{}", words.word.view(), repeated.empty() ? "" : " " + repeated));
}

const TrialVerdict* full_verdict(const std::map<std::string, TrialVerdict>& trials, const TrialResult* trial) {
  if (trial == nullptr) return nullptr;
  const auto found = trials.find(trial->folder);
  return found == trials.end() ? nullptr : &found->second;
}

void write_instead(const PageInput& in, const Cell& cell, HtmlWriter& out) {
  const auto known = in.instead.find(cell.lock);
  if (known == in.instead.end() || known->second.empty()) return;
  const auto p = out.tag("p", {{"class", "suggested"}});
  out.element("strong", {}, "Use instead: ");
  const std::string_view text = known->second;
  bool code = false;
  for (std::size_t from = 0; from <= text.size(); code = !code) {
    const std::size_t to = std::min(text.find('`', from), text.size());
    const std::string_view piece = text.substr(from, to - from);
    code ? out.element("code", {}, piece) : out.text(piece);
    from = to + 1;
  }
}

void write_cell_section(const PageInput& in, const Cell& cell, HtmlWriter& out) {
  const bool fine = cell.outcome <= Outcome::unavailable;
  const auto details = out.tag("details", {{"class", "cell"}, {"open", fine ? "" : "open"}});
  {
    const auto summary = out.tag("summary");
    out.element("span", {{"class", "name"}}, cell.lock + " / " + cell.scenario);
    write_outcome(cell.outcome, repeated_text(cell), out);
  }
  // Within the details, so that a browser that follows a link to it opens them.
  const auto body = out.tag("div", {{"class", "cell-body"}, {"id", cell_anchor(cell)}});
  write_body(in, cell, out);
}

}  // namespace holdfast
