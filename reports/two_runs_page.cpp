#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/durations.hpp"
#include "reports/html.hpp"
#include "reports/outcome_words.hpp"
#include "reports/page_frame.hpp"
#include "reports/run_trends.hpp"
#include "reports/two_runs.hpp"

namespace holdfast {
namespace {

void write_outcome(const Cell& cell, const char* label, HtmlWriter& out) {
  const auto td = out.tag("td", {{"class", "prose"}, {"data-label", label}});
  const OutcomeWords& words = words_of(cell.outcome);
  {
    const auto badge = out.tag("span", {{"class", std::string("outcome o-") + to_text(cell.outcome)}});
    out.element("span", {{"class", "glyph"}}, words.glyph.view());
    out.text(" " + std::string(words.word.view()));
  }
  if (const std::string seen = seen_in(cell); !seen.empty()) out.text(" " + seen);
  if (!cell.trials.empty()) out.text(" · " + wall_text(mean_seconds(cell)));
}

void write_cell_name(const Cell& cell, const std::string& report, HtmlWriter& out) {
  const auto name = out.tag("th", {{"scope", "row"}});
  const std::string text = cell.lock + "/" + cell.scenario;
  if (report.empty()) return out.text(text);
  out.element("a", {{"href", report + "#" + anchor(cell.lock) + "/" + anchor(cell.scenario)}}, text);
}

void write_columns(std::initializer_list<const char*> names, HtmlWriter& out) {
  const auto head = out.tag("thead");
  const auto row = out.tag("tr");
  for (const char* name : names) out.element("th", {{"scope", "col"}}, name);
}

const char* tone_of(CellChange change) {
  if (change == CellChange::broke) return "change change-new";
  return change == CellChange::fixed ? "change change-fixed" : "change";
}

void write_changed(const TwoRuns& both, const std::string& report, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", "changed"}});
  out.element("h2", {}, "Changed cells");
  if (both.changed.empty()) {
    out.element("p", {{"class", "quiet"}}, "Outcomes, violations and durations are the same.");
    return;
  }
  {
    const auto scroll = scrolling_part("changed cells", out);
    const auto table = out.tag("table", {{"class", "numbers cards runs"}});
    write_columns({"cell", "change", "before", "now"}, out);
    const auto body = out.tag("tbody");
    for (const auto& pair : both.changed) {
      const auto row = out.tag("tr");
      write_cell_name(*pair.now, report, out);
      {
        const auto change = out.tag("td", {{"class", "prose"}, {"data-label", "change"}});
        out.element("span", {{"class", tone_of(pair.change)}}, to_text(pair.change));
      }
      write_outcome(*pair.before, "before", out);
      write_outcome(*pair.now, "now", out);
    }
  }
  out.element("p", {{"class", "quiet"}},
              fmt::format("Times are means of a cell's trials. A duration counts as changed if it is at least {} times "
                          "as long or as short, and {} s or more apart.",
                          kDurationFactor, kDurationLeast_s));
}

void write_alone(const std::vector<const Cell*>& cells, const std::string& folder, HtmlWriter& out) {
  if (cells.empty()) return;
  std::vector<std::string> names;
  names.reserve(cells.size());
  for (const Cell* cell : cells) names.push_back(cell->lock + "/" + cell->scenario);
  out.element("h2", {}, "Only in " + folder);
  out.element("p", {{"class", "remark"}}, fmt::format("{}", fmt::join(names, ", ")));
}

// Without the circumstances, which have rows of their own.
std::string result_of(const RunVerdict& run) {
  return run.sentence.substr(0, run.sentence.find("        "));
}

void write_fact(const char* name, const std::string& before, const std::string& now, HtmlWriter& out) {
  const auto row = out.tag("tr");
  out.element("th", {{"scope", "row"}}, name);
  out.element("td", {{"class", "prose"}, {"data-label", "before"}}, before);
  const auto cell = out.tag("td", {{"class", "prose"}, {"data-label", "now"}});
  before == now ? out.text(now) : out.element("strong", {}, now);
}

// Settings and circumstances, which may be the cause of a change; those that differ are bold.
void write_facts(const TwoRuns& both, HtmlWriter& out) {
  const RunVerdict& a = both.before.run;
  const RunVerdict& b = both.now.run;
  const auto section = out.tag("section", {{"id", "runs"}});
  out.element("h2", {}, "The two runs");
  const auto scroll = scrolling_part("the two runs", out);
  const auto table = out.tag("table", {{"class", "numbers cards runs"}});
  write_columns({"setting", "before", "now"}, out);
  const auto body = out.tag("tbody");
  const auto seeds = [](const RunVerdict& run) {
    return run.seeds.empty() ? std::to_string(run.seed) : fmt::format("{}", fmt::join(run.seeds, ", "));
  };
  write_fact("folder", both.before.folder, both.now.folder, out);
  write_fact("result", result_of(a), result_of(b), out);
  write_fact("started", a.started_utc, b.started_utc, out);
  write_fact("suite", a.suite, b.suite, out);
  write_fact("server", a.server, b.server, out);
  write_fact("seed", seeds(a), seeds(b), out);
  write_fact("duration", wall_text(a.seconds), wall_text(b.seconds), out);
  write_fact("stalls of the machine", count_text(a.stalls), count_text(b.stalls), out);
  write_fact("holdfast", a.version, b.version, out);
  write_fact("command", a.command, b.command, out);
}

}  // namespace

std::string two_runs_page(const TwoRuns& both, const std::string& report, const std::string& version) {
  const int broke = both.count_of(CellChange::broke);
  const std::string claim = change_counts(both);
  const char* tone = broke > 0 ? "fail" : both.changed.empty() ? "pass" : "";
  return whole_page({.title = "CHANGES " + claim, .kind = "comparison"}, [&](HtmlWriter& out) {
    {
      const auto header = out.tag("header");
      write_verdict_line("CHANGES", claim, tone, out);
      out.element("p", {{"class", "circumstances"}},
                  both.now.folder + " against " + both.before.folder + " · holdfast " + version);
    }
    write_changed(both, report, out);
    write_alone(both.only_before, both.before.folder, out);
    write_alone(both.only_now, both.now.folder, out);
    write_facts(both, out);
  });
}

}  // namespace holdfast
