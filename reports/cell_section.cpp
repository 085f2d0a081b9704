#include "reports/cell_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "artifact/property_words.hpp"
#include "reports/durations.hpp"
#include "reports/figure.hpp"
#include "reports/glossary.hpp"
#include "reports/narration.hpp"
#include "reports/outcome_words.hpp"
#include "reports/page_frame.hpp"
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
    out += fmt::format("{}{}: expected {}, seen {}", out.empty() ? "" : "; ", m.property, expected_word(m.expected),
                       m.seen);
  }
  return out;
}

// The time until holders learned that another had been granted their lock.
std::string loss_notice_text(const Measures& m) {
  if (m.former_holders == 0) return "–";
  const std::int64_t told = m.former_holders - m.never_told;
  std::string never = fmt::format("never notified: {} of {}", m.never_told, m.former_holders);
  if (told == 0) return never;
  std::string took = "p50 " + length_text(m.loss_notice_p50_ns) + ", max " + length_text(m.loss_notice_max_ns);
  return m.never_told == 0 ? took : took + "; " + never;
}

void write_trials(const Cell& cell, HtmlWriter& out) {
  const auto scroll = scrolling_part("trials", out);
  const auto table = out.tag("table", {{"class", "numbers cards trials"}});
  out.element("caption", {}, "Trials");
  {
    const auto head = out.tag("thead");
    const auto row = out.tag("tr");
    for (const char* name : {"trial", "outcome", "seed", "took", "grants", "refused", "uncertain", "wait p50 / p99",
                             "loss notice", "remark"}) {
      out.element("th", {{"scope", "col"}}, name);
    }
  }
  const auto body = out.tag("tbody");
  for (const auto& trial : cell.trials) {
    const Measures& m = trial.verdict.measures;
    const auto row = out.tag("tr");
    {
      const auto data = out.tag("td", {{"data-label", "trial"}});
      const std::string name = std::to_string(trial.number);
      trial.folder.empty() ? out.text(name) : out.element("a", {{"href", folder_link(trial.folder)}}, name);
    }
    {
      const auto data = out.tag("td", {{"data-label", "outcome"}});
      write_outcome(trial.outcome, "", out);
    }
    const auto add = [&out](const char* name, const std::string& text) {
      out.element("td", {{"data-label", name}}, text);
    };
    add("seed", std::to_string(trial.seed));
    add("took", wall_text(trial.seconds) + (trial.time == TimeMode::skipped ? ", time skipped" : ""));
    add("grants", count_text(m.grants));
    add("refused", count_text(m.refusals));
    add("uncertain", count_text(m.indeterminate));
    add("wait p50 / p99", m.grants == 0 ? "–" : length_text(m.wait_p50_ns) + " / " + length_text(m.wait_p99_ns));
    add("loss notice", loss_notice_text(m));
    const std::string remark = trial_remark(trial);
    out.element("td", {{"class", "remark"}, {"data-label", remark.empty() ? "" : "remark"}}, remark);
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
  out.text(fmt::format("{} with the same plan and seed, without {}: held in {} of {}. ", shown->lock, shown->removes,
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
  if (witness.to_ns == 0) return ": ";  // simulated clients: their schedule has no times
  return fmt::format(" from {} to {}: ", moment_text(witness.from_ns), moment_text(witness.to_ns));
}

// One property over all trials of a cell.
struct Row {
  std::string property;
  std::vector<std::pair<std::string, int>> seen;   // "violated:overrun" and in how many trials, in order of appearance
  Judgement severest = Judgement::not_applicable;  // over all trials
  std::map<std::string, std::int64_t> kinds;
  std::int64_t count = 0;
  std::int64_t total_ns = 0;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> coverage;  // least and most
  std::string reason;
  bool mismatch = false;
};

int weight(Judgement judgement) {
  static const std::array<Judgement, 5> kRising{Judgement::not_applicable, Judgement::holds, Judgement::not_exercised,
                                                Judgement::undecided, Judgement::violated};
  return static_cast<int>(std::find(kRising.begin(), kRising.end(), judgement) - kRising.begin());
}

void add(const PropertyVerdict& p, Row& row) {
  const std::string word = seen_word(p);
  const auto known = std::find_if(row.seen.begin(), row.seen.end(), [&](const auto& s) { return s.first == word; });
  if (weight(p.judgement) > weight(row.severest)) row.severest = p.judgement;
  if (known == row.seen.end()) {
    row.seen.emplace_back(word, 1);
  } else {
    ++known->second;
  }
  for (const auto& [kind, count] : p.kinds) row.kinds[kind] += count;
  row.count += p.count;
  row.total_ns += p.total_ns;
  if (row.reason.empty()) row.reason = p.reason;
  for (const auto& [name, count] : p.coverage) {
    const auto [at, fresh] = row.coverage.try_emplace(name, count, count);
    if (!fresh) at->second = {std::min(at->second.first, count), std::max(at->second.second, count)};
  }
}

std::vector<Row> rows_of(const Cell& cell) {
  std::vector<Row> rows;
  const auto row_of = [&](const std::string& property) -> Row& {
    for (auto& row : rows) {
      if (row.property == property) return row;
    }
    rows.emplace_back().property = property;
    return rows.back();
  };
  for (const auto& trial : cell.trials) {
    for (const auto& p : trial.verdict.properties) add(p, row_of(p.property));
    for (const auto& m : trial.mismatches) row_of(m.property).mismatch = true;
  }
  for (const auto& [property, word] : cell.expected) row_of(property);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return rank_of(a.property) < rank_of(b.property); });
  return rows;
}

void write_seen_words(const Row& row, std::size_t trials, HtmlWriter& out) {
  if (row.seen.empty()) out.text(" not judged");
  for (const auto& [word, times] : row.seen) {
    const bool all = row.seen.size() == 1 && static_cast<std::size_t>(times) == trials;
    out.text(&word == &row.seen.front().first ? " " : ", ");
    write_seen(word, out);
    if (!all) out.text(fmt::format(" in {} of {}", times, trials));
  }
}

void write_counts(const Row& row, HtmlWriter& out) {
  const auto data = out.tag("td", {{"data-label", row.count == 0 ? "" : "violations"}});
  if (row.count > 0) out.text(count_text(row.count));
  if (row.total_ns > 0) out.text(" (" + length_text(row.total_ns) + " in total)");
  if (row.kinds.size() < 2) return;
  for (const auto& [kind, count] : row.kinds) {
    out.text(", ");
    write_word(kind, out);
    out.text(" " + count_text(count));
  }
}

std::string coverage_text(const Row& row) {
  std::string out;
  for (const auto& [name, range] : row.coverage) {
    out += fmt::format("{}{} {}", out.empty() ? "" : " · ", spaced(name), count_text(range.first));
    if (range.second != range.first) out += fmt::format(" to {}", count_text(range.second));
  }
  return out;
}

// Expectations do not apply to properties that the lock does not promise, even if a scenario states them.
void write_expected(const Cell& cell, const Row& row, HtmlWriter& out) {
  const bool applies = row.mismatch || row.seen.empty() || row.severest != Judgement::not_applicable;
  const auto stated = cell.expected.find(row.property);
  if (!applies) return out.element("td", {{"class", "quiet"}, {"data-label", "expected"}}, "–");
  if (stated == cell.expected.end()) {
    const bool lapse = is_explored(cell) && row.severest == Judgement::violated && !row.mismatch;
    return out.element("td", {{"class", "quiet"}, {"data-label", "expected"}}, lapse ? "allowed" : "holds");
  }
  const std::string word = expected_word(stated->second);
  out.element("td", {{"data-label", "expected"}}, word == to_text(Judgement::not_exercised) ? spaced(word) : word);
}

void write_row(const Cell& cell, const Row& row, HtmlWriter& out) {
  const auto line = out.tag("tr", {{"class", row.mismatch ? "mismatch" : ""}});
  {
    const auto head = out.tag("th", {{"scope", "row"}});
    write_word(row.property, out);
  }
  write_expected(cell, row, out);
  {
    const auto data =
        out.tag("td", {{"class", std::string("seen j-") + to_text(row.severest)}, {"data-label", "seen"}});
    out.element("span", {{"class", "glyph"}}, row.seen.empty() ? "?" : glyph_of(row.severest));
    write_seen_words(row, cell.trials.size(), out);
    if (row.mismatch) out.element("strong", {{"class", "flag"}}, " not as expected");
  }
  write_counts(row, out);
  const std::string coverage = coverage_text(row);
  out.element("td", {{"data-label", coverage.empty() ? "" : "coverage"}}, coverage);
  out.element("td", {{"class", "remark"}, {"data-label", row.reason.empty() ? "" : "remark"}}, row.reason);
}

std::string why_label(const Cell& cell) {
  if (is_explored(cell)) return "Searched: ";
  return cell.outcome <= Outcome::caught ? "Expected because: " : "Expected, and why: ";
}

void write_body(const PageInput& in, const CellAssessment& one, bool picture, HtmlWriter& out) {
  const Cell& cell = *one.cell;
  const Finding& found = one.told;
  write_about(cell, out);
  if (!cell.why.empty()) {
    const auto p = out.tag("p", {{"class", "why"}});
    out.element("strong", {}, why_label(cell));
    out.text(cell.why);
  }
  write_control(cell, out);
  if (found.trial == nullptr) {
    out.element("p", {{"class", "quiet"}}, "No trial ran.");
    return;
  }
  if (!found.trial->error.empty()) out.element("pre", {{"class", "error"}}, found.trial->error);
  write_property_table(cell, out);
  const Timeline* const timeline = timeline_of(in, found);
  if (found.witness != nullptr) {
    const auto explored = in.explored.find(cell.lock);
    const bool stepped = is_explored(cell) && explored != in.explored.end();
    if (stepped) {
      write_explored_finds(explored->second, out);
    } else {
      out.element("h3", {}, headline(found));
      if (timeline != nullptr && picture) write_figure(found, *timeline, false, out);
      write_story(found, timeline, in.sent, out);
    }
    write_instead(in, cell, out);
    if (!stepped) write_more_witnesses(found, out);
  }
  const std::string remedy = narrate(found, nullptr).remedy;
  if (!remedy.empty()) out.element("p", {{"class", "suggested"}}, "Remedy: " + remedy);
  if (!is_explored(cell)) {  // simulated clients have no timeline, and a search no trials
    if (timeline != nullptr && picture && found.witness == nullptr) write_figure(found, *timeline, false, out);
    if (timeline != nullptr) write_explorer(in, found, out);
    if (timeline != nullptr && !picture)
      out.element("p", {{"class", "quiet"}}, "A page of so many cells has no picture of this one.");
    write_trials(cell, out);
  }
  out.element("p", {{"class", "label"}}, "Rerun this cell");
  out.element("pre", {{"class", "command"}}, rerun_command(in.found.run, cell));
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

const Timeline* timeline_of(const PageFiles& files, const Finding& found) {
  if (found.trial == nullptr) return nullptr;
  const auto full = files.trials.find(found.trial->folder);
  return full == files.trials.end() ? nullptr : &full->second.timeline;
}

void write_cell_body(const PageInput& in, const CellAssessment& one, bool picture, HtmlWriter& out) {
  write_body(in, one, picture, out);
}

const ExploredFind* explored_find(const PageFiles& files, const Finding& found) {
  if (found.witness == nullptr || !is_explored(*found.cell)) return nullptr;
  const auto known = files.explored.find(found.cell->lock);
  return known == files.explored.end() ? nullptr : told_find(known->second, *found.witness);
}

void write_instead(const PageInput& in, const Cell& cell, HtmlWriter& out) {
  const auto known = in.instead.find(cell.lock);
  if (known == in.instead.end() || known->second.empty()) return;
  const auto p = out.tag("p", {{"class", "suggested"}});
  out.element("strong", {}, "Choice: ");
  const std::string_view text = known->second;
  bool code = false;
  for (std::size_t from = 0; from <= text.size(); code = !code) {
    const std::size_t to = std::min(text.find('`', from), text.size());
    const std::string_view piece = text.substr(from, to - from);
    code ? out.element("code", {}, piece) : out.text(piece);
    from = to + 1;
  }
}

void write_about(const Cell& cell, HtmlWriter& out) {
  if (cell.about.empty()) return;
  const auto p = out.tag("p", {{"class", "why"}});
  out.element("strong", {}, "The scenario: ");
  out.text(cell.about);
}

void write_cell_section(const PageInput& in, const CellAssessment& one, HtmlWriter& out) {
  const Cell& cell = *one.cell;
  const bool none = cell.trials.empty();
  const bool fine = cell.outcome <= Outcome::unavailable || none;
  const auto details = out.tag("details", {{"class", none ? "cell empty" : "cell"}, {"open", fine ? "" : "open"}});
  {
    const auto summary = out.tag("summary");
    out.element("span", {{"class", "name"}}, cell.lock + " / " + cell.scenario);
    write_outcome(cell.outcome, repeated_text(cell), out);
  }
  // Within the details, so that a browser that follows a link to it opens them.
  const auto body = out.tag("div", {{"class", "cell-body"}, {"id", cell_anchor(cell)}});
  write_body(in, one, true, out);
}

// All witnesses except the one in the story.
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

void write_property_table(const Cell& cell, HtmlWriter& out) {
  const auto rows = rows_of(cell);
  if (rows.empty()) return;
  const auto scroll = scrolling_part("properties", out);
  const auto table = out.tag("table", {{"class", "properties cards"}});
  {
    const auto head = out.tag("thead");
    const auto row = out.tag("tr");
    for (const char* name : {"property", "expected", "seen", "violations", "coverage", "remark"}) {
      out.element("th", {{"scope", "col"}}, name);
    }
  }
  const auto body = out.tag("tbody");
  for (const auto& row : rows) write_row(cell, row, out);
}

}  // namespace holdfast
