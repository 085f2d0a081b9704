#include "reports/runs_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/durations.hpp"
#include "reports/html.hpp"
#include "reports/outcome_words.hpp"
#include "reports/page_frame.hpp"

namespace holdfast {
namespace {

// Names of folders may hold anything; a link holds only what cannot leave the folder.
std::string link_to_page(const RunLine& run) {
  std::string out = "./";
  for (const char c : run.folder) {
    const bool plain = anchor(std::string_view(&c, 1)).size() == 1 && c != '/';
    static constexpr const char* kDigits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    if (plain) out += c;
    if (!plain) out += std::string("%") + kDigits[byte / 16] + kDigits[byte % 16];
  }
  return out + "/" + run.page;
}

void write_run(const RunLine& run, HtmlWriter& out) {
  const auto row = out.tag("tr");
  {
    const auto name = out.tag("th", {{"scope", "row"}});
    if (run.page.empty()) {
      out.text(run.folder);
    } else {
      out.element("a", {{"href", link_to_page(run)}}, run.folder);
    }
  }
  {
    const auto verdict = out.tag("td", {{"class", "prose"}, {"data-label", "verdict"}});
    out.element("strong", {{"class", "tone-" + (run.tone.empty() ? std::string("none") : run.tone)}}, run.word);
    out.text(" " + run.claim);
  }
  out.element("td", {{"class", "prose"}, {"data-label", run.what.empty() ? "" : "of"}}, run.what);
  out.element("td", {{"class", "remark"}, {"data-label", run.circumstances.empty() ? "" : "on"}}, run.circumstances);
  out.element("td", {{"data-label", run.started_utc.empty() ? "" : "started"}}, run.started_utc);
}

constexpr std::size_t kMostRows = 200;  // of steady cells

std::string link_to_cell(const RunLine& run, const RunCell& cell) {
  return link_to_page(run) + "#" + anchor(cell.lock) + "/" + anchor(cell.scenario);
}

// "20260101T120000Z-a: unexpected, mutual_exclusion violated:overrun in 1 of 3 trials"
std::string mark_words(const TrendMark& mark) {
  std::string out = mark.run->folder + ": " + std::string(words_of(mark.cell->outcome).word.view());
  return mark.cell->seen.empty() ? out : out + ", " + mark.cell->seen;
}

void write_marks(const CellTrend& one, HtmlWriter& out) {
  const auto cell = out.tag("td", {{"class", "marks"}, {"data-label", "last runs"}});
  const auto list = out.tag("span", {{"class", "marks-row"}});
  for (const TrendMark& mark : shown_marks(one)) {
    const std::string words = mark_words(mark);
    const std::string look = std::string("mark outcome o-") + to_text(mark.cell->outcome);
    const auto link = out.tag(
        "a", {{"class", look}, {"href", link_to_cell(*mark.run, *mark.cell)}, {"title", words}, {"aria-label", words}});
    out.text(words_of(mark.cell->outcome).glyph.view());
  }
}

void write_run_link(const RunLine& run, const RunCell& cell, HtmlWriter& out) {
  out.element("a", {{"href", link_to_cell(run, cell)}}, run.folder);
}

void write_trend_words(const CellTrend& one, HtmlWriter& out) {
  const auto runs = [&one] { return plural(one.runs_since, "run", "runs"); };
  switch (one.trend) {
    case Trend::broken:
      out.text(" since ");
      write_run_link(*one.since, one.cell(), out);
      out.text(": " + runs());
      break;
    case Trend::open:
      out.text(" since ");
      write_run_link(*one.since, one.cell(), out);
      out.text(": not judged in " + runs());
      break;
    case Trend::fixed:
      out.text(" in ");
      write_run_link(*one.since, one.cell(), out);
      break;
    case Trend::flaky:
      out.text(one.changes > 0
                   ? ": changed " + plural(one.changes, "time", "times") + " in " + plural(one.judged, "run", "runs")
                   : ": in only some trials of a run");
      break;
    case Trend::steady:
      out.text(one.judged == 0 ? ": not judged here" : ": as expected in each judged run");
      break;
  }
  if (one.first_broken == nullptr || (one.trend == Trend::broken && one.first_broken == one.since)) return;
  out.text("; broke first in ");
  write_run_link(*one.first_broken, one.cell(), out);
}

void write_trend_row(const CellTrend& one, HtmlWriter& out) {
  const auto row = out.tag("tr");
  out.element("th", {{"scope", "row"}}, one.cell().lock + "/" + one.cell().scenario);
  write_marks(one, out);
  const auto words = out.tag("td", {{"class", "prose"}, {"data-label", "trend"}});
  out.element("span", {{"class", std::string("change trend-") + to_text(one.trend)}}, to_text(one.trend));
  write_trend_words(one, out);
}

void write_trend_table(const std::vector<CellTrend>& cells, std::size_t most, HtmlWriter& out) {
  const auto scroll = scrolling_part("trends", out);
  const auto table = out.tag("table", {{"class", "numbers cards runs trends"}});
  {
    const auto head = out.tag("thead");
    const auto row = out.tag("tr");
    for (const char* name : {"cell", "last runs, oldest first", "trend"}) out.element("th", {{"scope", "col"}}, name);
  }
  const auto body = out.tag("tbody");
  for (std::size_t i = 0; i < std::min(most, cells.size()); ++i) write_trend_row(cells[i], out);
}

// Runs that ended before a cell say nothing of it, and would hide the cells that are open for a reason.
bool was_begun_once(const CellTrend& one) {
  return std::any_of(one.marks.begin(), one.marks.end(),
                     [](const TrendMark& mark) { return mark.cell->outcome != Outcome::not_run; });
}

// A closed list: "51 steady cells".
void write_folded(const std::vector<CellTrend>& cells, const char* one, const char* many, HtmlWriter& out) {
  if (cells.empty()) return;
  const auto more = out.tag("details", {{"class", "more"}});
  std::string words = plural(static_cast<std::int64_t>(cells.size()), one, many);
  if (cells.size() > kMostRows) words += fmt::format(", the first {}", kMostRows);
  out.element("summary", {}, words);
  write_trend_table(cells, kMostRows, out);
}

void write_suite(const SuiteTrends& suite, HtmlWriter& out) {
  const std::string name = suite.suite.empty() ? "explore" : suite.suite;
  const auto section = out.tag("section", {{"id", "trends-" + anchor(name)}});
  out.element("h2", {}, "Cells of " + name + " over " + plural(suite.runs, "run", "runs"));
  std::vector<CellTrend> told = suite.changed;
  const auto first = std::stable_partition(told.begin(), told.end(), was_begun_once);
  const std::vector<CellTrend> never_begun(first, told.end());
  told.erase(first, told.end());
  if (suite.changed.empty()) out.element("p", {{"class", "quiet"}}, "No cell is broken, flaky or open.");
  if (!told.empty()) write_trend_table(told, told.size(), out);
  write_folded(never_begun, "cell that no run began", "cells that no run began", out);
  write_folded(suite.steady, "steady cell", "steady cells", out);
}

// The marks that occur.
void write_mark_legend(const std::vector<RunLine>& runs, HtmlWriter& out) {
  std::set<Outcome> occurring;
  for (const auto& run : runs) {
    for (const auto& cell : run.cells) occurring.insert(cell.outcome);
  }
  const auto list = out.tag("ul", {{"class", "legend"}});
  for (const Outcome outcome : occurring) {
    const auto item = out.tag("li");
    const std::string look = std::string("mark outcome o-") + to_text(outcome);
    out.element("span", {{"class", look}}, words_of(outcome).glyph.view());
    out.text(" " + std::string(words_of(outcome).meaning.view()));
  }
}

std::string counts_of(const std::vector<RunLine>& runs) {
  const auto all = [&](const char* tone) {
    return std::count_if(runs.begin(), runs.end(), [tone](const RunLine& run) { return run.tone == tone; });
  };
  std::string out = plural(static_cast<std::int64_t>(runs.size()), "run", "runs");
  if (const auto n = all("pass"); n > 0) out += ", " + count_text(n) + " passed";
  if (const auto n = all("fail"); n > 0) out += ", " + count_text(n) + " not as expected";
  if (const auto n = all("open"); n > 0) out += ", " + count_text(n) + " open";
  return out;
}

}  // namespace

std::string runs_page(const RunsPageInput& in) {
  std::vector<RunLine> runs = in.runs;
  std::stable_sort(runs.begin(), runs.end(), [](const RunLine& a, const RunLine& b) { return a.folder > b.folder; });
  return whole_page({.title = "Runs in " + in.folder}, [&](HtmlWriter& out) {
    {
      const auto header = out.tag("header");
      write_verdict_line("RUNS", counts_of(runs), "", out);
      out.element("p", {{"class", "circumstances"}}, "in " + in.folder + " · holdfast " + in.version);
    }
    const std::vector<SuiteTrends> trends = trends_of(runs);
    for (const auto& suite : trends) write_suite(suite, out);
    if (!trends.empty()) {
      write_mark_legend(runs, out);
      out.element("h2", {}, "Runs");
      out.element("p", {{"class", "quiet"}}, "holdfast report RUN --against OTHER shows the changes between two runs.");
    }
    if (runs.empty()) return out.element("p", {{"class", "quiet"}}, "There is no run in this folder.");
    const auto scroll = scrolling_part("runs", out);
    const auto table = out.tag("table", {{"class", "numbers cards runs"}});
    {
      const auto head = out.tag("thead");
      const auto row = out.tag("tr");
      for (const char* name : {"run", "verdict", "of", "on", "started"}) out.element("th", {{"scope", "col"}}, name);
    }
    const auto body = out.tag("tbody");
    for (const auto& run : runs) write_run(run, out);
  });
}

}  // namespace holdfast
