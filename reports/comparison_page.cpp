#include "reports/comparison_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "artifact/visible.hpp"
#include "reports/canvas.hpp"
#include "reports/comparison_text.hpp"
#include "reports/conclusions.hpp"
#include "reports/durations.hpp"
#include "reports/glossary.hpp"
#include "reports/html.hpp"
#include "reports/page_frame.hpp"

namespace holdfast {
namespace {

constexpr double kComparisonTop = 4;
constexpr double kName = 34;    // the variant's name and the faults' names, each a line above its bars
constexpr double kFaults = 18;  // where the fault's band begins, with its name
constexpr double kBars = 40;    // the highest bar
constexpr double kStripes = 9;  // below the bars: times without service
constexpr double kHigh = kName + kBars + kStripes + 10;
constexpr double kBottom = 34;

constexpr double kLabelLetter = 7;  // width of a label's letter, at most

struct PictureLane {
  const ComparedCell* cell;
  const ComparedTrial* trial;
};

bool violates(const ComparedTrial& trial) {
  return std::any_of(trial.properties.begin(), trial.properties.end(),
                     [](const auto& p) { return p.judgement == Judgement::violated; });
}

std::vector<PictureLane> picture_lanes(const Comparison& all, const std::string& scenario) {
  std::vector<PictureLane> out;
  for (const auto& variant : all.variants) {
    if (const ComparedCell* cell = find_cell(all, variant.name, scenario)) out.push_back({cell, shown_trial(*cell)});
  }
  return out;
}

std::int64_t highest(const std::vector<PictureLane>& lanes) {
  std::int64_t most = 1;
  for (const auto& lane : lanes) {
    if (lane.trial == nullptr) continue;
    for (const auto count : lane.trial->grants_by_bin) most = std::max(most, count);
  }
  return most;
}

double wide(const Canvas& canvas, std::int64_t from_ns, std::int64_t to_ns, double least) {
  return std::max(least, canvas.x(to_ns) - canvas.x(from_ns));
}

void draw_fault_bands(Canvas& canvas, const ComparedTrial& trial, double top) {
  for (const auto& fault : trial.faults) {
    const std::string title = fmt::format("{} from {} to {}: {}", fault.fault, moment_text(fault.from_ns),
                                          moment_text(fault.to_ns), fault.detail);
    canvas.box("fault-paper", "#ffe9b0", canvas.x(fault.from_ns), top + kFaults,
               wide(canvas, fault.from_ns, fault.to_ns, 2), kName - kFaults + kBars + kStripes, title);
  }
}

// Above the bars, where none covers them. A name that would be written over the one before is left to the band's title.
void draw_fault_names(Canvas& canvas, const ComparedTrial& trial, double top) {
  double free_x = 0;
  for (const auto& fault : trial.faults) {
    const double x = canvas.x(fault.from_ns) + 3;
    if (x < free_x) continue;
    canvas.label("fault-label", "start", x, top + kName - 6, fault.fault, 10);
    free_x = x + kLabelLetter * static_cast<double>(columns(fault.fault));
  }
}

void draw_grants(Canvas& canvas, const ComparedTrial& trial, double top, std::int64_t most) {
  for (std::size_t i = 0; i < trial.grants_by_bin.size(); ++i) {
    const auto count = trial.grants_by_bin[i];
    if (count == 0) continue;
    const std::int64_t from_ns = static_cast<std::int64_t>(i) * kBin_ns;
    const double high = kBars * static_cast<double>(count) / static_cast<double>(most);
    canvas.box("bar", "#2f74b5", canvas.x(from_ns), top + kName + kBars - high,
               std::max(1.0, wide(canvas, from_ns, from_ns + kBin_ns, 1) - 1), high,
               fmt::format("{} from {} on", plural(count, "grant", "grants"), moment_text(from_ns)));
  }
}

void draw_gaps(Canvas& canvas, const ComparedTrial& trial, double top) {
  for (const auto& gap : trial.gaps) {
    canvas.box("gap", "#5a6672", canvas.x(gap.from_ns), top + kName + kBars + 2,
               wide(canvas, gap.from_ns, gap.to_ns, 1), kStripes - 3,
               fmt::format("no client could acquire a free key for {}, from {} on",
                           length_text(gap.to_ns - gap.from_ns), moment_text(gap.from_ns)));
  }
}

void draw_violations(Canvas& canvas, const ComparedTrial& trial, double top) {
  for (const auto& p : trial.properties) {
    if (p.judgement != Judgement::violated) continue;
    canvas.box("violation-line", "#c00018", canvas.x(p.from_ns), top + kName - 4, wide(canvas, p.from_ns, p.to_ns, 3),
               5, p.property + ": " + p.text);
  }
}

// Grants a second, from 0 to the highest bar of all lanes.
void draw_count_axis(Canvas& canvas, double top, std::int64_t most) {
  const double per_s = static_cast<double>(most) * 1e9 / static_cast<double>(kBin_ns);
  const double zero = top + kName + kBars;
  canvas.line("grid", "#d5dae0", Canvas::kLeft - 2, top + kName, Canvas::kLeft - 2, zero);
  canvas.label("tick", "end", Canvas::kLeft - 8, top + kName + 9, fmt::format("{:.0f}/s", per_s), 11);
  canvas.label("tick", "end", Canvas::kLeft - 8, zero, "0", 11);
}

void draw_picture_lane(Canvas& canvas, const PictureLane& lane, double top, std::int64_t most) {
  canvas.box("lane even", "#f4f6f8", Canvas::kLeft, top + kName, Canvas::kRight - Canvas::kLeft, kBars + kStripes, "");
  std::string name = lane.cell->variant;
  if (lane.trial == nullptr) name += ": no trial could be judged";
  if (lane.trial != nullptr) name += fmt::format(": {:.1f} grants/s", lane.trial->service.grants_per_s());
  if (lane.trial != nullptr && violates(*lane.trial)) name += " ✗";
  canvas.label("who", "start", Canvas::kLeft, top + 13, name, 12);
  if (lane.trial == nullptr) return;
  draw_count_axis(canvas, top, most);
  draw_fault_bands(canvas, *lane.trial, top);
  draw_grants(canvas, *lane.trial, top, most);
  draw_fault_names(canvas, *lane.trial, top);
  draw_gaps(canvas, *lane.trial, top);
  draw_violations(canvas, *lane.trial, top);
}

void draw_time_axis(Canvas& canvas, double bottom) {
  const auto at = ticks(canvas.window, 10);
  const std::int64_t step = at.size() > 1 ? at[1] - at[0] : 1'000'000;
  for (const auto time_ns : at) {
    canvas.line("grid", "#d5dae0", canvas.x(time_ns), kComparisonTop + kName, canvas.x(time_ns), bottom + 4);
    canvas.label("tick", "middle", canvas.x(time_ns), bottom + 16, tick_text(time_ns, step));
  }
  canvas.label("tick", "end", Canvas::kLeft - 20, bottom + 16, "seconds");
}

std::string picture_words(const std::vector<PictureLane>& lanes, const std::string& scenario) {
  std::string out = "Grants over time under " + scenario + ":";
  for (const auto& lane : lanes) {
    out += fmt::format(" {} {};", lane.cell->variant,
                       lane.trial == nullptr ? "not judged"
                                             : plural(lane.trial->service.grants, "grant", "grants") +
                                                   (violates(*lane.trial) ? ", violated" : ""));
  }
  return out;
}

void write_comparison_header(const Comparison& all, HtmlWriter& out) {
  const auto header = out.tag("header");
  const bool fresh = all.exit_code == 1;
  const std::string text = comparison_sentence(all);
  const auto blank = text.find("  ");
  // Without a baseline nothing is judged as a whole: neither good nor bad.
  const char* tone = fresh                                   ? "fail"
                     : all.exit_code != 0 || all.interrupted ? "open"
                     : all.baseline.empty()                  ? ""
                                                             : "pass";
  write_verdict_line(text.substr(0, blank), text.substr(blank + 2), tone, out);
  std::string line = all.started_utc.empty() ? "" : "started " + all.started_utc + " · ";
  line += fmt::format("{} side by side · holdfast {}", plural(all.jobs, "trial", "trials"), all.version);
  if (all.stalls > 0) line += " · the machine stalled " + plural(all.stalls, "time", "times");
  out.element("p", {{"class", "circumstances"}}, line);
}

void write_conclusions(const Comparison& all, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", "conclusion"}});
  out.element("h2", {}, "Conclusion");
  const auto list = out.tag("ul", {{"class", "conclusion"}});
  for (const auto& line : conclusions(all)) out.element("li", {}, line);
}

std::set<std::string> words_of_comparison(const Comparison& all) {
  std::set<std::string> out;
  for (const auto& cell : all.cells) {
    for (const auto& property : cell.safety) {
      out.insert(property.property);
      for (const auto& [kind, count] : property.kinds) out.insert(kind);
    }
  }
  return out;
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
  out.element("td", {{"class", violated ? "bad prose" : "prose"}, {"data-label", comparison_columns().back().name}},
              (violated ? "✗ " : "") + words.back());
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    out.element("td", {{"data-label", comparison_columns()[i].name}}, words[i]);
  }
}

void write_witnesses(const ComparedCell& cell, HtmlWriter& out) {
  for (const auto& safety : cell.safety) {
    if (safety.violated == 0) continue;
    const auto item = out.tag("li");
    out.element("strong", {}, cell.variant + " ");
    write_word(safety.property, out);
    out.text(": ");
    out.text(safety.text);
  }
}

std::string shown_words(const Comparison& all, const std::string& scenario) {
  std::string out = "All lanes share one time axis, in seconds since each trial began. Shown:";
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
      const auto scroll = scrolling_part("picture of the scenario", out);
      out.add(comparison_svg(all, scenario));
    }
    out.add(embedded_markup("comparison_signs.html"));
    out.element("figcaption", {}, shown_words(all, scenario));
  }
  {
    const auto scroll = scrolling_part("numbers of the scenario", out);
    const auto table = out.tag("table", {{"class", "numbers compared cards"}});
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
  out.element("h2", {}, "Columns");
  {
    const auto list = out.tag("dl", {{"class", "meanings"}});
    for (const auto& column : comparison_columns()) {
      out.element("dt", {}, column.name);
      out.element("dd", {}, column.meaning);
    }
  }
  if (all.command.empty()) return;
  out.element("p", {{"class", "label"}}, "Rerun this comparison");
  out.element("pre", {{"class", "command"}}, all.command);
}

}  // namespace

const ComparedTrial* shown_trial(const ComparedCell& cell) {
  const ComparedTrial* first = nullptr;
  for (const auto& trial : cell.trials) {
    if (trial.state != TrialState::judged) continue;
    if (violates(trial)) return &trial;
    if (first == nullptr) first = &trial;
  }
  return first;
}

Markup comparison_svg(const Comparison& all, const std::string& scenario) {
  const auto lanes = picture_lanes(all, scenario);
  Canvas canvas;
  for (const auto& lane : lanes) {
    if (lane.trial != nullptr) canvas.window.to_ns = std::max(canvas.window.to_ns, lane.trial->end_ns);
  }
  const double bottom = kComparisonTop + kHigh * static_cast<double>(lanes.size());
  {
    const auto svg =
        canvas.out.tag("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                               {"class", "timeline"},
                               {"role", "img"},
                               {"aria-label", picture_words(lanes, scenario)},
                               {"viewBox", fmt::format("0 0 {} {}", px(Canvas::kWidth), px(bottom + kBottom))},
                               {"width", "100%"},
                               {"font-family", "system-ui, sans-serif"}});
    const std::int64_t most = highest(lanes);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      draw_picture_lane(canvas, lanes[i], kComparisonTop + kHigh * static_cast<double>(i), most);
    }
    draw_time_axis(canvas, bottom - 6);
  }
  return std::move(canvas.out).take();
}

std::string comparison_page(const Comparison& all) {
  return whole_page({.title = comparison_sentence(all), .kind = "comparison"}, [&all](HtmlWriter& out) {
    write_comparison_header(all, out);
    write_conclusions(all, out);
    write_changes(all, out);
    for (const auto& scenario : all.scenarios) write_compared_scenario(all, scenario, out);
    write_meanings(all, out);
    write_glossary(words_of_comparison(all), out);
  });
}

}  // namespace holdfast
