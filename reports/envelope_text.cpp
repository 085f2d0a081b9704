#include "reports/envelope_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/comparison_text.hpp"
#include "reports/durations.hpp"
#include "reports/visible.hpp"

namespace holdfast {
namespace {

std::string amount_text(const Envelope& e, std::int64_t amount) {
  if (amount == 0) return "no fault";
  return count_text(amount) + (e.key.ends_with("_ms") ? " ms" : e.key == "percent" ? " %" : "");
}

const EnvelopePoint* point_at(const Envelope& e, std::int64_t amount) {
  for (const auto& point : e.points) {
    if (point.amount == amount) return &point;
  }
  return nullptr;
}

std::string violations_text(const EnvelopePoint& p) {
  std::string out;
  for (const auto& [what, count] : p.violations) out += (out.empty() ? "" : ", ") + visible(what);
  return out;
}

std::string amounts_text(const Envelope& e, const std::vector<std::int64_t>& amounts) {
  std::string out;
  for (const auto amount : amounts) out += (out.empty() ? "" : ", ") + amount_text(e, amount);
  return out;
}

// The sentence that one reads first.
std::string bracket_text(const Envelope& e) {
  const EnvelopeBracket& b = e.bracket;
  if (b.violated_at && *b.violated_at == 0) return "violated without any fault: there is no envelope";
  const EnvelopePoint* good = b.holds_at ? point_at(e, *b.holds_at) : nullptr;
  const EnvelopePoint* bad = b.violated_at ? point_at(e, *b.violated_at) : nullptr;
  std::string out = good == nullptr
                        ? "holds at no amount that was tried"
                        : fmt::format("holds at {} ({} of {})", amount_text(e, good->amount), good->held, good->trials);
  if (bad == nullptr) {
    out += good != nullptr && *b.holds_at == e.most ? ", the largest tried; violated nowhere" : "; violated nowhere";
  } else {
    out += fmt::format(", violated at {} ({} of {}: {})", amount_text(e, bad->amount), bad->violated, bad->trials,
                       violations_text(*bad));
  }
  return out;
}

std::string points_table(const Envelope& e) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& p : e.points) {
    const std::string count = p.answer == AtAmount::violated ? fmt::format("violated {} of {}", p.violated, p.trials)
                              : p.answer == AtAmount::holds  ? fmt::format("holds {} of {}", p.held, p.trials)
                                                            : fmt::format("undecided, held {} of {}", p.held, p.trials);
    std::string more = p.answer == AtAmount::violated ? violations_text(p) : "";
    if (p.answer == AtAmount::undecided) more = visible(p.reason);
    rows.push_back({"    " + amount_text(e, p.amount), count, visible(p.measured), more});
  }
  return aligned(rows);
}

std::string envelope_words(const Envelope& e) {
  std::string out = fmt::format("{}, {} ({}{}), lease {} ms\n  {}\n", visible(e.lock), visible(e.fault), visible(e.key),
                                e.direction < 0 ? ", negative" : "", count_text(e.lease_ms), bracket_text(e));
  const EnvelopePoint* bad = e.bracket.violated_at ? point_at(e, *e.bracket.violated_at) : nullptr;
  if (bad != nullptr) out += "  why: " + visible(bad->reason) + "\n";
  if (!e.bracket.undecided.empty()) {
    out += "  undecided, and not safe: " + amounts_text(e, e.bracket.undecided) + "\n";
  }
  if (!e.bracket.holds_beyond.empty()) {
    out += "  held again at " + amounts_text(e, e.bracket.holds_beyond) + ": more is not always worse here\n";
  }
  return out + points_table(e);
}

}  // namespace

std::string envelope_text(const EnvelopeRun& run) {
  std::string out =
      fmt::format("{}  {} · {} each · {} · seed {} · {}\n", run.interrupted ? "INTERRUPTED" : "ENVELOPE",
                  plural(static_cast<std::int64_t>(run.envelopes.size()), "search", "searches"),
                  plural(run.repeat, "trial", "trials"), run.server.empty() ? "no server" : visible(run.server),
                  run.seed, wall_text(run.seconds));
  for (const auto& envelope : run.envelopes) out += "\n" + envelope_words(envelope);
  out += "\n  the fault: " + visible(run.dangerous_moment) + "\n  judged by:";
  for (const auto& property : run.judged_by) out += " " + visible(property);
  return out + "\n";
}

}  // namespace holdfast
