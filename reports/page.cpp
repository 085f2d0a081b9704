#include "reports/page.hpp"

#include <fmt/format.h>

#include "reports/cell_section.hpp"
#include "reports/front.hpp"
#include "reports/html.hpp"
#include "reports/matrix_table.hpp"
#include "reports/not_tried.hpp"
#include "reports/page_scripts.hpp"
#include "reports/sentence.hpp"

namespace holdfast {

namespace {

void write_head(const RunVerdict& run, HtmlWriter& out) {
  const auto head = out.tag("head");
  out.empty("meta", {{"charset", "utf-8"}});
  out.empty("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", page_policy()}});
  out.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  out.empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  out.empty("meta", {{"name", "referrer"}, {"content", "no-referrer"}});
  const Sentence parts = sentence_parts(run);
  out.element("title", {}, parts.word + " " + parts.claim + " · holdfast");
  const auto style = out.tag("style");
  out.add(embedded_markup("page.css"));
}

void write_matrix_section(const RunVerdict& run, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", "matrix"}});
  out.element("h2", {}, "Locks and scenarios");
  if (run.cells.empty()) {
    out.element("p", {{"class", "quiet"}}, "No cell was run.");
    return;
  }
  write_matrix_table(run, out);
}

void write_proofs(const RunVerdict& run, HtmlWriter& out) {
  if (run.faults.empty()) return;
  const auto section = out.tag("section", {{"id", "faults"}});
  out.element("h2", {}, "Faults proved");
  const auto scroll = out.tag("div", {{"class", "scroll"}});
  const auto table = out.tag("table", {{"class", "numbers proofs"}});
  {
    const auto head = out.tag("thead");
    const auto row = out.tag("tr");
    for (const char* name : {"fault", "measured in force", "what was measured"})
      out.element("th", {{"scope", "col"}}, name);
  }
  const auto body = out.tag("tbody");
  for (const auto& proof : run.faults) {
    const auto row = out.tag("tr", {{"class", proof.unavailable.empty() ? "" : "quiet"}});
    out.element("th", {{"scope", "row"}}, proof.fault);
    if (!proof.unavailable.empty()) {
      out.element("td", {}, "– unavailable here");
      out.element("td", {}, proof.unavailable);
      continue;
    }
    const bool all = proof.acted >= proof.planned;
    out.element("td", {{"class", all ? "" : "flag"}},
                fmt::format("{} {} of {}", all ? "✓" : "E", proof.acted, proof.planned));
    out.element("td", {}, proof.detail);
  }
}

void write_not_tried(const RunVerdict& run, HtmlWriter& out) {
  if (run.not_tried.empty()) return;
  const auto section = out.tag("section", {{"id", "not-tried"}});
  out.element("h2", {}, "Not tried");
  const auto list = out.tag("ul", {});
  for (const auto& [why, what] : left_out_by_reason(run)) out.element("li", {}, why + ": " + what);
}

void write_cells(const PageInput& in, HtmlWriter& out) {
  if (in.run.cells.empty()) return;
  const auto section = out.tag("section", {{"id", "cells"}});
  out.element("h2", {}, "Every cell");
  out.add(embedded_markup("signs.html"));
  for (const auto& cell : in.run.cells) write_cell_section(in, cell, out);
}

void write_environment(const PageInput& in, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", "environment"}});
  out.element("h2", {}, "Environment");
  if (!in.run.command.empty()) {
    out.element("p", {{"class", "label"}}, "The whole run again");
    out.element("pre", {{"class", "command"}}, in.run.command);
  }
  if (in.environment.empty()) return;
  const auto table = out.tag("table", {{"class", "numbers environment"}});
  const auto body = out.tag("tbody");
  for (const auto& [name, value] : in.environment) {
    const auto row = out.tag("tr");
    out.element("th", {{"scope", "row"}}, name);
    out.element("td", {}, value);
  }
}

}  // namespace

std::string html_page(const PageInput& in) {
  HtmlWriter out;
  out.literal("<!DOCTYPE html>\n");
  {
    const auto html = out.tag("html", {{"xmlns", "http://www.w3.org/1999/xhtml"}, {"lang", "en"}});
    write_head(in.run, out);
    const auto body = out.tag("body");
    out.add(embedded_markup("hatches.html"));
    {
      const auto main = out.tag("main");
      write_sentence(in.run, out);
      write_matrix_section(in.run, out);
      write_severest(in, out);
      write_proofs(in.run, out);
      write_not_tried(in.run, out);
      write_cells(in, out);
      write_environment(in, out);
    }
    write_scripts(in, out);
  }
  return std::move(out).take().text();
}

}  // namespace holdfast
