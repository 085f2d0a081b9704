#include "reports/envelope_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "reports/canvas.hpp"
#include "reports/comparison_text.hpp"
#include "reports/durations.hpp"
#include "reports/page_frame.hpp"

namespace holdfast {
namespace {

constexpr double kEnvelopeLane = 74;
constexpr double kEnvelopeName = 36;  // the lock's name and the sentence, each a line above its bar
constexpr double kEnvelopeBar = 20;
constexpr double kEnvelopeBottom = 34;
constexpr double kPoint = 4;
constexpr double kHalfMark = 8;    // half a mark with its margin
constexpr double kHalfLabel = 40;  // half a tick's label; centred on its line it would be cut off at the edge
constexpr int kMostTicks = 8;

std::int64_t size_of(std::int64_t amount) {
  return amount < 0 ? -amount : amount;
}

// "insert_lease, clock behind, lease 2,000 ms"
std::string name_of_envelope(const Envelope& e) {
  const char* side = e.direction < 0 ? " (negative)" : "";
  return fmt::format("{}, {}{}, lease {} ms", e.lock, e.fault, side, count_text(e.lease_ms));
}

bool has_no_envelope(const Envelope& e) {
  return e.bracket.violated_at && *e.bracket.violated_at == 0;
}

// The sentence on the bar; short, since the whole stands below.
std::string bar_text(const Envelope& e) {
  const EnvelopeBracket& b = e.bracket;
  if (has_no_envelope(e)) return "broken even without a fault";
  const std::string safe =
      b.holds_at ? "safe up to " + amount_text(e, *b.holds_at) : "safe at none of the amounts tried";
  if (b.violated_at) return safe + ", broken from " + amount_text(e, *b.violated_at);
  return safe + (b.holds_at && *b.holds_at == e.most ? ", the largest tried" : ", violated nowhere");
}

struct Axis {
  Canvas canvas;  // its time is the amount
  explicit Axis(const EnvelopeRun& run) {
    canvas.window.to_ns = 1;
    for (const auto& e : run.envelopes) canvas.window.to_ns = std::max(canvas.window.to_ns, size_of(e.most));
  }
};

void draw_piece(Canvas& canvas, const char* kind, const char* fill, std::int64_t from, std::int64_t to, double top,
                const std::string& title) {
  if (to <= from) return;
  canvas.box(kind, fill, canvas.x(from), top, canvas.x(to) - canvas.x(from), kEnvelopeBar, title);
}

const char* sign_of_answer(AtAmount answer) {
  return answer == AtAmount::holds ? "✓" : answer == AtAmount::violated ? "✗" : "?";
}

void draw_points(Canvas& canvas, const Envelope& e, double middle) {
  const std::int64_t most = std::max(size_of(e.most), size_of(e.points.empty() ? 0 : e.points.back().amount));
  double free_x = 0;
  for (const auto& point : e.points) {
    // A mark at an end of the bar stands within it.
    const double at = std::clamp(canvas.x(size_of(point.amount)), canvas.x(0) + kHalfMark, canvas.x(most) - kHalfMark);
    if (at < free_x) continue;
    canvas.label("envelope-point", "middle", at, middle + kPoint, sign_of_answer(point.answer), 11);
    free_x = at + 2 * kPoint + 2;
  }
}

void draw_envelope(Canvas& canvas, const Envelope& e, double top) {
  const double bar = top + kEnvelopeName;
  const std::int64_t most = size_of(e.most);
  const std::int64_t safe = has_no_envelope(e) || !e.bracket.holds_at ? 0 : size_of(*e.bracket.holds_at);
  const std::int64_t broken = e.bracket.violated_at ? size_of(*e.bracket.violated_at) : most;
  canvas.label("who", "start", 2, top + 13, name_of_envelope(e), 12);
  canvas.label("who", "start", 2, top + 29, bar_text(e), 12);
  draw_piece(canvas, "envelope-safe", "#0b6b49", 0, safe, bar, "held in all trials up to " + amount_text(e, safe));
  draw_piece(canvas, "envelope-open", "url(#hatch-fault)", safe, broken, bar, "unknown: nothing was judged here");
  draw_piece(canvas, "envelope-broken", "#b3001b", e.bracket.violated_at ? broken : most, most, bar,
             "violated from here on");
  draw_points(canvas, e, bar + kEnvelopeBar / 2);
  if (e.key.ends_with("_ms") && e.lease_ms <= canvas.window.to_ns) {
    canvas.line("lease", "#0b2f57", canvas.x(e.lease_ms), bar - 4, canvas.x(e.lease_ms), bar + kEnvelopeBar + 4);
    canvas.label("note", "middle", canvas.x(e.lease_ms), bar + kEnvelopeBar + 14, "one lease", 10);
  }
}

void draw_amounts(Canvas& canvas, const EnvelopeRun& run, double bottom) {
  for (const auto amount : ticks(canvas.window, kMostTicks)) {
    canvas.line("grid", "#d5dae0", canvas.x(amount), 4, canvas.x(amount), bottom + 4);
    const bool last = canvas.x(amount) > Canvas::kWidth - kHalfLabel;
    canvas.label("tick", last ? "end" : "middle", last ? Canvas::kWidth - 2 : canvas.x(amount), bottom + 16,
                 amount_text(run.envelopes.front(), amount));
  }
}

std::string words_of_picture(const EnvelopeRun& run) {
  std::string out;
  for (const auto& e : run.envelopes) out += name_of_envelope(e) + ": " + bar_text(e) + ". ";
  return out;
}

void write_points(const Envelope& e, HtmlWriter& out) {
  const auto table = out.tag("table", {{"class", "numbers cards"}});
  out.element("caption", {}, "All amounts tried");
  {
    const auto head = out.tag("thead");
    const auto row = out.tag("tr");
    for (const char* name : {"amount", "answer", "measured", "seen"}) out.element("th", {{"scope", "col"}}, name);
  }
  const auto body = out.tag("tbody");
  for (const auto& point : e.points) {
    const auto row = out.tag("tr");
    out.element("th", {{"scope", "row"}}, amount_text(e, point.amount));
    const std::int64_t count = point.answer == AtAmount::violated ? point.violated : point.held;
    const char* word = point.answer == AtAmount::holds      ? "holds"
                       : point.answer == AtAmount::violated ? "violated"
                                                            : "undecided, held";
    out.element("td", {{"class", point.answer == AtAmount::violated ? "flag" : ""}, {"data-label", "answer"}},
                fmt::format("{} {} {} of {}", sign_of_answer(point.answer), word, count, point.trials));
    out.element("td", {{"class", "prose"}, {"data-label", "measured"}}, point.measured);
    out.element("td", {{"class", "remark"}, {"data-label", point.reason.empty() ? "" : "seen"}}, point.reason);
  }
}

void write_envelope(const Envelope& e, HtmlWriter& out) {
  const auto section = out.tag("section");
  out.element("h2", {}, name_of_envelope(e));
  out.element("p", {{"class", "lead"}}, bar_text(e));
  out.element("p", {}, bracket_text(e) + ".");
  const auto list = [&](const char* label, const std::vector<std::int64_t>& amounts) {
    if (amounts.empty()) return;
    std::string text;
    for (const auto amount : amounts) text += (text.empty() ? "" : ", ") + amount_text(e, amount);
    out.element("p", {{"class", "notice"}}, label + text + ".");
  };
  list("Undecided, and not safe: ", e.bracket.undecided);
  list("Held again beyond the first violation, so a larger amount is not always worse here: ", e.bracket.holds_beyond);
  const auto scroll = scrolling_part("amounts tried", out);
  write_points(e, out);
}

void write_conditions(const EnvelopeRun& run, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", "conditions"}});
  out.element("h2", {}, "Scope of this result");
  out.element("p", {}, "The fault: " + run.dangerous_moment);
  for (const auto& note : run.notes) out.element("p", {}, note);
  std::string judged;
  for (const auto& property : run.judged_by) judged += (judged.empty() ? "" : ", ") + property;
  out.element("p", {}, "Judged by: " + judged + ".");
  out.element("p", {{"class", "quiet"}},
              "An amount counts as held only if all of its trials held and reached the dangerous moment. The result "
              "does not cover larger amounts than the largest one tried, nor other jobs, numbers of clients or "
              "moments. More trials can lower the limit, but never raise it.");
  if (run.command.empty()) return;
  out.element("p", {{"class", "label"}}, "Rerun this search");
  out.element("pre", {{"class", "command"}}, run.command);
}

}  // namespace

Markup envelope_svg(const EnvelopeRun& run) {
  Axis axis(run);
  Canvas& canvas = axis.canvas;
  const double bottom = kEnvelopeLane * static_cast<double>(run.envelopes.size());
  {
    const auto svg =
        canvas.out.tag("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                               {"class", "timeline"},
                               {"role", "img"},
                               {"aria-label", words_of_picture(run)},
                               {"viewBox", fmt::format("0 0 {} {}", px(Canvas::kWidth), px(bottom + kEnvelopeBottom))},
                               {"width", "100%"},
                               {"font-family", "system-ui, sans-serif"}});
    if (!run.envelopes.empty()) draw_amounts(canvas, run, bottom);
    for (std::size_t i = 0; i < run.envelopes.size(); ++i) {
      draw_envelope(canvas, run.envelopes[i], kEnvelopeLane * static_cast<double>(i));
    }
  }
  return std::move(canvas.out).take();
}

std::string envelope_page(const EnvelopeRun& run) {
  return whole_page({.title = envelope_word(run) + " " + envelope_claim(run), .kind = "comparison"},
                    [&](HtmlWriter& out) {
                      {
                        const auto header = out.tag("header");
                        const std::string tone = run.interrupted || run.exit_code != 0 ? "open" : "";
                        write_verdict_line(envelope_word(run), envelope_claim(run), tone, out);
                        for (const auto& e : run.envelopes) {
                          out.element("p", {{"class", "lead"}}, e.lock + " under " + e.fault + ": " + bar_text(e));
                        }
                        std::string line = run.started_utc.empty() ? "" : "started " + run.started_utc + " · ";
                        out.element("p", {{"class", "circumstances"}}, line + "holdfast " + run.version);
                      }
                      out.add(embedded_markup("hatches.html"));
                      {
                        const auto figure = out.tag("figure");
                        {
                          const auto scroll = scrolling_part("envelopes", out);
                          out.add(envelope_svg(run));
                        }
                        out.element("figcaption", {},
                                    "Amount of the fault that each lock tolerates. Green: held in all trials; red: "
                                    "violated; hatched: unknown. ✓ ✗ ? mark the amounts that were tried.");
                      }
                      for (const auto& e : run.envelopes) write_envelope(e, out);
                      write_conditions(run, out);
                    });
}

}  // namespace holdfast
