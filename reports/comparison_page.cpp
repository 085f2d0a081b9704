#include "reports/comparison_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/comparison_row.hpp"
#include "reports/comparison_svg.hpp"
#include "reports/durations.hpp"
#include "reports/html.hpp"
#include "reports/page_scripts.hpp"

namespace holdfast {

namespace {

void write_comparison_head(const Comparison& all, HtmlWriter& out) {
  const auto head = out.tag("head");
  out.empty("meta", {{"charset", "utf-8"}});
  out.empty("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", still_page_policy()}});
  out.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  out.empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  out.empty("meta", {{"name", "referrer"}, {"content", "no-referrer"}});
  out.element("title", {}, comparison_sentence(all) + " · holdfast");
  const auto style = out.tag("style");
  out.add(embedded_markup("page.css"));
}

void write_comparison_header(const Comparison& all, HtmlWriter& out) {
  const auto header = out.tag("header");
  const bool fresh = all.exit_code == 1;
  const std::string text = comparison_sentence(all);
  const auto blank = text.find("  ");
  {
    // Without a baseline nothing is judged as a whole: neither good nor bad.
    const char* tone = fresh                                   ? "verdict fail"
                       : all.exit_code != 0 || all.interrupted ? "verdict open"
                       : all.baseline.empty()                  ? "verdict"
                                                               : "verdict pass";
    const auto h1 = out.tag("h1", {{"class", tone}});
    out.element("span", {{"class", "word"}}, text.substr(0, blank));
    out.element("span", {{"class", "claim"}}, " " + text.substr(blank + 2));
  }
  std::string line = all.started_utc.empty() ? "" : "started " + all.started_utc + " · ";
  line += fmt::format("{} trials side by side · holdfast {}", all.jobs, all.version);
  if (all.stalls > 0) line += " · the machine stood still " + plural(all.stalls, "time", "times");
  out.element("p", {{"class", "circumstances"}}, line);
}

void write_changes(const Comparison& all, HtmlWriter& out) {
  if (all.baseline.empty()) return;
  const auto section = out.tag("section", {{"id", "changes"}});
  out.element("h2", {}, "Against " + all.baseline);
  if (all.changes.empty()) out.element("p", {{"class", "quiet"}}, "Nothing has changed.");
  const auto list = out.tag("ul", {{"class", "findings"}});
  for (const auto& change : all.changes) {
    const auto item = out.tag("li");
    const std::string word = to_text(change.change);
    out.element("span", {{"class", "change change-" + word}}, word);
    out.text(" " + change_words(change));
  }
}

void write_compared_row(const ComparedCell& cell, HtmlWriter& out) {
  const bool violated =
      std::any_of(cell.safety.begin(), cell.safety.end(), [](const auto& s) { return s.violated > 0; });
  const auto row = out.tag("tr");
  out.element("th", {{"scope", "row"}}, cell.variant);
  const auto words = comparison_row(cell);
  out.element("td", {{"class", violated ? "bad" : ""}}, (violated ? "✗ " : "") + words.back());
  for (std::size_t i = 0; i + 1 < words.size(); ++i) out.element("td", {}, words[i]);
}

void write_witnesses(const ComparedCell& cell, HtmlWriter& out) {
  for (const auto& safety : cell.safety) {
    if (safety.violated == 0) continue;
    const auto item = out.tag("li");
    out.element("strong", {}, cell.variant + " " + safety.property + ": ");
    out.text(safety.text);
  }
}

std::string shown_words(const Comparison& all, const std::string& scenario) {
  std::string out = "One axis of time for all, in seconds since each trial began. Shown:";
  for (const auto& variant : all.variants) {
    const ComparedCell* cell = find_cell(all, variant.name, scenario);
    const ComparedTrial* trial = cell != nullptr ? shown_trial(*cell) : nullptr;
    if (trial != nullptr) out += fmt::format(" {} trial {} ({});", variant.name, trial->number, trial->folder);
  }
  if (out.back() == ':') return "No trial could be judged.";
  out.back() = '.';
  return out;
}

void write_compared_scenario(const Comparison& all, const std::string& scenario, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", anchor(scenario)}});
  out.element("h2", {}, scenario);
  {
    const auto figure = out.tag("figure");
    {
      const auto scroll = out.tag("div", {{"class", "scroll"}});
      out.add(comparison_svg(all, scenario));
    }
    out.add(embedded_markup("comparison_signs.html"));
    out.element("figcaption", {}, shown_words(all, scenario));
  }
  {
    const auto scroll = out.tag("div", {{"class", "scroll"}});
    const auto table = out.tag("table", {{"class", "numbers compared"}});
    {
      const auto head = out.tag("thead");
      const auto row = out.tag("tr");
      const auto& columns = comparison_columns();
      out.element("th", {{"scope", "col"}}, "variant");
      out.element("th", {{"scope", "col"}}, columns.back().name);  // a terminal has it last, where it may be long
      for (std::size_t i = 0; i + 1 < columns.size(); ++i) out.element("th", {{"scope", "col"}}, columns[i].name);
    }
    const auto body = out.tag("tbody");
    for (const auto& variant : all.variants) {
      if (const ComparedCell* cell = find_cell(all, variant.name, scenario)) write_compared_row(*cell, out);
    }
  }
  const auto list = out.tag("ul", {{"class", "findings"}});
  for (const auto& variant : all.variants) {
    if (const ComparedCell* cell = find_cell(all, variant.name, scenario)) write_witnesses(*cell, out);
  }
}

void write_meanings(const Comparison& all, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", "meanings"}});
  out.element("h2", {}, "What the columns mean");
  {
    const auto list = out.tag("dl", {{"class", "meanings"}});
    for (const auto& column : comparison_columns()) {
      out.element("dt", {}, column.name);
      out.element("dd", {}, column.meaning);
    }
  }
  if (all.command.empty()) return;
  out.element("p", {{"class", "label"}}, "The whole comparison again");
  out.element("pre", {{"class", "command"}}, all.command);
}

}  // namespace

std::string comparison_page(const Comparison& all) {
  HtmlWriter out;
  out.literal("<!DOCTYPE html>\n");
  {
    const auto html = out.tag("html", {{"xmlns", "http://www.w3.org/1999/xhtml"}, {"lang", "en"}});
    write_comparison_head(all, out);
    const auto body = out.tag("body", {{"class", "comparison"}});
    const auto main = out.tag("main");
    write_comparison_header(all, out);
    write_changes(all, out);
    for (const auto& scenario : all.scenarios) write_compared_scenario(all, scenario, out);
    write_meanings(all, out);
  }
  return std::move(out).take().text();
}

}  // namespace holdfast
