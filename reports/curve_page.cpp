#include "reports/curve_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/canvas.hpp"
#include "reports/curve_text.hpp"
#include "reports/durations.hpp"
#include "reports/page_frame.hpp"

namespace holdfast {
namespace {

constexpr double kPlotTop = 58;  // below the parts' titles
constexpr double kPlotHigh = 220;
constexpr double kPlotLeft = 52;
constexpr double kPlotRight = 990;
constexpr double kPartGap = 14;
constexpr double kTickLine = 16;
constexpr double kPlotBottom = kPlotTop + kPlotHigh;
constexpr double kCurveHigh = kPlotBottom + 3 * kTickLine + 6;
constexpr double kDot = 6;
constexpr double kCap = 5;  // half the width of a whisker's end

const char* const kHolds = "#0b6b49";
const char* const kBroken = "#b3001b";
const char* const kQuietInk = "#5b6672";

// Columns of equal width, with a gap between two parts.
class CurvePlot {
 public:
  explicit CurvePlot(const CurveRun& run) : run_(run) {
    double gaps = 0;
    for (std::size_t i = 1; i < run.points.size(); ++i) gaps += begins_part(i) ? kPartGap : 0;
    const auto columns = static_cast<double>(std::max<std::size_t>(1, run.points.size()));
    width_ = (kPlotRight - kPlotLeft - gaps) / columns;
    double left = kPlotLeft;
    for (std::size_t i = 0; i < run.points.size(); ++i) {
      left += i > 0 && begins_part(i) ? kPartGap : 0;
      lefts_.push_back(left);
      left += width_;
    }
  }

  Markup draw() {
    {
      const auto svg =
          canvas_.out.tag("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                                  {"class", "timeline"},
                                  {"role", "img"},
                                  {"aria-label", curve_answer(run_) + " " + curve_baseline(run_)},
                                  {"viewBox", fmt::format("0 0 {} {}", px(Canvas::kWidth), px(kCurveHigh))},
                                  {"width", "100%"},
                                  {"font-family", "system-ui, sans-serif"}});
      draw_shares();
      draw_parts();
      draw_lease_end();
      draw_lines();
      for (std::size_t i = 0; i < run_.points.size(); ++i) draw_point(i);
    }
    return std::move(canvas_.out).take();
  }

 private:
  bool begins_part(std::size_t at) const { return at == 0 || run_.points[at].part != run_.points[at - 1].part; }
  double middle(std::size_t at) const { return lefts_[at] + width_ / 2; }
  static double y(double share) { return kPlotBottom - kPlotHigh * share; }
  static double share_of(const CurvePoint& point) {
    return static_cast<double>(point.violated) / static_cast<double>(point.counted);
  }

  void draw_shares() {
    for (const int percent : {0, 25, 50, 75, 100}) {
      canvas_.line("grid", "#d5dae0", kPlotLeft, y(percent / 100.0), kPlotRight, y(percent / 100.0));
      canvas_.label("tick", "end", kPlotLeft - 8, y(percent / 100.0) + 4, fmt::format("{} %", percent));
    }
  }

  // A title that is wider than its part's columns is wrapped onto two lines.
  void draw_parts() {
    for (std::size_t first = 0; first < run_.points.size();) {
      std::size_t end = first + 1;
      while (end < run_.points.size() && !begins_part(end)) ++end;
      const double left = lefts_[first];
      const double right = lefts_[end - 1] + width_;
      const auto letters = static_cast<std::size_t>(std::max(6.0, (right - left + kPartGap) / 7.4));
      const auto lines = holdfast::wrapped(title_of(run_.points[first].part), letters);
      double baseline = kPlotTop - 26 - 14 * static_cast<double>(lines.size() - 1);
      for (const auto& text : lines) {
        canvas_.label("who", "middle", (left + right) / 2, baseline, text, 12);
        baseline += 14;
      }
      canvas_.line("axis", kQuietInk, left, kPlotBottom, right, kPlotBottom);
      first = end;
    }
  }

  static std::string title_of(CurvePart part) {
    if (part == CurvePart::no_fault) return "no fault";
    return part == CurvePart::hold ? "hold: part of the lease" : to_text(part);
  }

  // Between the last point of the hold within the lease and the first one past it.
  void draw_lease_end() {
    if (!run_.lease_ms) return;
    for (std::size_t i = 1; i < run_.points.size(); ++i) {
      const CurvePoint& before = run_.points[i - 1];
      const CurvePoint& after = run_.points[i];
      if (before.part != CurvePart::hold || after.part != CurvePart::hold) continue;
      if (before.elapsed_ms.value_or(0) >= *run_.lease_ms || after.elapsed_ms.value_or(0) < *run_.lease_ms) continue;
      canvas_.line("lease", "#0b2f57", lefts_[i], kPlotTop, lefts_[i], kPlotBottom);
      canvas_.label("note", "middle", lefts_[i], kPlotTop - 10, "lease ends", 10);
    }
  }

  void draw_lines() {
    for (std::size_t i = 1; i < run_.points.size(); ++i) {
      const CurvePoint& a = run_.points[i - 1];
      const CurvePoint& b = run_.points[i];
      if (a.part != b.part || !a.measured() || !b.measured()) continue;
      canvas_.line("curve-line", kQuietInk, middle(i - 1), y(share_of(a)), middle(i), y(share_of(b)));
    }
  }

  void draw_point(std::size_t at) {
    const CurvePoint& point = run_.points[at];
    canvas_.label("tick", "middle", middle(at), kPlotBottom + kTickLine, point.tick, 11);
    canvas_.label("tick", "middle", middle(at), kPlotBottom + 2 * kTickLine, std::to_string(at + 1), 10);
    const std::string title = fmt::format("{}: {}", point.moment, violated_text(point));
    if (!point.measured()) {
      canvas_.box("curve-open", "url(#hatch-fault)", lefts_[at] + 2, kPlotTop, width_ - 4, kPlotHigh,
                  title + ": " + point.reason);
      canvas_.label("envelope-point", "middle", middle(at), kPlotTop + kPlotHigh / 2, "?", 13);
      return;
    }
    draw_whisker(at, point);
    if (point.lapsed > 0) draw_lapses(at, point);
    draw_dot(at, point, title);
  }

  void draw_whisker(std::size_t at, const CurvePoint& point) {
    const bool broke = point.violated > 0;
    const char* kind = broke ? "curve-whisker broken" : "curve-whisker";
    const char* ink = broke ? kBroken : kHolds;
    const double low = y(*point.low);
    const double high = y(*point.high);
    canvas_.line(kind, ink, middle(at), low, middle(at), high);
    for (const double end : {low, high}) canvas_.line(kind, ink, middle(at) - kCap, end, middle(at) + kCap, end);
  }

  // A hollow square, since these are no violations.
  void draw_lapses(std::size_t at, const CurvePoint& point) {
    const double share = static_cast<double>(point.lapsed) / static_cast<double>(point.counted);
    canvas_.box(
        "curve-lapsed", "#ffffff", middle(at) - kDot + 1, y(share) - kDot + 1, 2 * kDot - 2, 2 * kDot - 2,
        fmt::format("{}: two holders at once, the data is safe: {} of {}", point.moment, point.lapsed, point.counted));
  }

  void draw_dot(std::size_t at, const CurvePoint& point, const std::string& title) {
    const bool broke = point.violated > 0;
    const auto dot = canvas_.out.tag("circle", {{"class", broke ? "curve-broken" : "curve-holds"},
                                                {"fill", broke ? kBroken : kHolds},
                                                {"cx", px(middle(at))},
                                                {"cy", px(y(share_of(point)))},
                                                {"r", px(kDot)}});
    canvas_.out.element("title", {}, title + " (" + interval_text(point) + ")");
  }

  const CurveRun& run_;
  Canvas canvas_;
  double width_ = 0;
  std::vector<double> lefts_;
};

void write_curve_point(const CurveRun& run, std::size_t at, HtmlWriter& out) {
  const CurvePoint& point = run.points[at];
  const auto row = out.tag("tr");
  out.element("td", {{"data-label", "#"}}, std::to_string(at + 1));
  out.element("td", {{"class", "prose"}, {"data-label", "part"}}, part_title(point.part));
  out.element("th", {{"scope", "row"}}, point.moment);
  out.element("td", {{"data-label", "acted"}}, acted_text(point));
  out.element("td", {{"class", point.violated > 0 ? "flag" : ""}, {"data-label", "violated"}}, violated_text(point));
  const std::string share = interval_text(point);
  out.element("td", {{"data-label", share.empty() ? "" : "95 %"}}, share);
  const std::string seen = seen_text(point);
  out.element("td", {{"class", "remark"}, {"data-label", seen.empty() ? "" : "seen"}}, seen);
}

void write_curve_points(const CurveRun& run, HtmlWriter& out) {
  const auto section = out.tag("section");
  out.element("h2", {}, "All points");
  const auto scroll = scrolling_part("points", out);
  const auto table = out.tag("table", {{"class", "numbers cards"}});
  {
    const auto head = out.tag("thead");
    const auto row = out.tag("tr");
    for (const char* name : {"#", "part", "moment", "acted", "violated", "95 %", "seen"}) {
      out.element("th", {{"scope", "col"}}, name);
    }
  }
  const auto body = out.tag("tbody");
  for (std::size_t i = 0; i < run.points.size(); ++i) write_curve_point(run, i, out);
}

void write_violated_points(const CurveRun& run, HtmlWriter& out) {
  const bool some =
      std::any_of(run.points.begin(), run.points.end(), [](const CurvePoint& point) { return point.violated > 0; });
  if (!some) return;
  const auto section = out.tag("section");
  out.element("h2", {}, "One violation of each point");
  for (const auto& point : run.points) {
    if (point.violated == 0) continue;
    out.element("h3", {}, std::string(part_title(point.part)) + ": " + point.moment);
    out.element("p", {}, point.seen);
    if (!point.replay.empty()) out.element("pre", {{"class", "command"}}, point.replay);
  }
}

void write_curve_scope(const CurveRun& run, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", "conditions"}});
  out.element("h2", {}, "Scope of this result");
  for (const auto& note : run.notes) out.element("p", {}, note);
  std::string judged;
  for (const auto& property : run.judged_by) judged += (judged.empty() ? "" : ", ") + property;
  out.element("p", {}, "Judged by: " + judged + ".");
  out.element("p", {{"class", "quiet"}},
              "Each job ends at its point, so that the client's next step follows the fault. A trial counts if the "
              "fault struck a client that was granted the lock, and if it was judged. The intervals are Wilson's, with "
              "95 % confidence for each point alone.");
  if (run.fenced) {
    out.element("p", {{"class", "quiet"}},
                "The lock has fencing tokens: two holders at once are no violation here if the data refused the older "
                "one. A hollow square shows their share.");
  }
  for (const auto& left : run.left_out)
    out.element("p", {{"class", "notice"}}, "Left out: " + left.moment + ": " + left.why);
  if (run.command.empty()) return;
  out.element("p", {{"class", "label"}}, "Rerun this curve");
  out.element("pre", {{"class", "command"}}, run.command);
}

void write_curve_figure(const CurveRun& run, HtmlWriter& out) {
  const auto figure = out.tag("figure");
  {
    const auto scroll = scrolling_part("curve", out);
    out.add(curve_svg(run));
  }
  out.element("figcaption", {},
              "Share of trials with a violation, by the point at which the fault struck, with its 95 % interval. Red: "
              "a violation was seen; green: none; hatched: not measured. The numbers are those of the table.");
}

}  // namespace

Markup curve_svg(const CurveRun& run) {
  return CurvePlot(run).draw();
}

std::string curve_page(const CurveRun& run) {
  return whole_page({.title = curve_word(run) + " " + curve_claim(run), .kind = "comparison"}, [&](HtmlWriter& out) {
    {
      const auto header = out.tag("header");
      const std::string tone = run.interrupted || run.exit_code != 0 ? "open" : "";
      write_verdict_line(curve_word(run), curve_claim(run), tone, out);
      out.element("p", {{"class", "lead"}}, curve_answer(run));
      if (const std::string base = curve_baseline(run); !base.empty()) out.element("p", {{"class", "lead"}}, base);
      const std::string line = run.started_utc.empty() ? "" : "started " + run.started_utc + " · ";
      out.element("p", {{"class", "circumstances"}}, line + "holdfast " + run.version);
    }
    out.add(embedded_markup("hatches.html"));
    if (!run.points.empty()) write_curve_figure(run, out);
    if (!run.points.empty()) write_curve_points(run, out);
    write_violated_points(run, out);
    write_curve_scope(run, out);
  });
}

}  // namespace holdfast
