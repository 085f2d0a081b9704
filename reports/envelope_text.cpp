#include "reports/envelope_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/comparison_text.hpp"
#include "reports/durations.hpp"

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
  for (const auto& [what, count] : p.violations) out += (out.empty() ? "" : ", ") + what;
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

Shown points_table(const Envelope& e) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& p : e.points) {
    const std::string count = p.answer == AtAmount::violated ? fmt::format("violated {} of {}", p.violated, p.trials)
                              : p.answer == AtAmount::holds  ? fmt::format("holds {} of {}", p.held, p.trials)
                                                            : fmt::format("undecided, held {} of {}", p.held, p.trials);
    std::string more = p.answer == AtAmount::violated ? violations_text(p) : "";
    if (p.answer == AtAmount::undecided) more = p.reason;
    rows.push_back({"    " + amount_text(e, p.amount), count, p.measured, more});
  }
  return aligned(rows);
}

Shown envelope_words(const Envelope& e) {
  Shown out = shown("{}, {} ({}{}), lease {} ms\n  {}\n", e.lock, e.fault, e.key, e.direction < 0 ? ", negative" : "",
                    count_text(e.lease_ms), bracket_text(e));
  const EnvelopePoint* bad = e.bracket.violated_at ? point_at(e, *e.bracket.violated_at) : nullptr;
  if (bad != nullptr) out += shown("  why: {}\n", bad->reason);
  if (!e.bracket.undecided.empty()) {
    out += shown("  undecided, and not safe: {}\n", amounts_text(e, e.bracket.undecided));
  }
  if (!e.bracket.holds_beyond.empty()) {
    out += shown("  held again at {}: more is not always worse here\n", amounts_text(e, e.bracket.holds_beyond));
  }
  out += points_table(e);
  return out;
}

}  // namespace

Shown envelope_text(const EnvelopeRun& run) {
  Shown out = shown("{}  {} · {} each · {} · seed {} · {}\n", run.interrupted ? "INTERRUPTED" : "ENVELOPE",
                    plural(static_cast<std::int64_t>(run.envelopes.size()), "search", "searches"),
                    plural(run.repeat, "trial", "trials"), run.server.empty() ? "no server" : run.server, run.seed,
                    wall_text(run.seconds));
  for (const auto& envelope : run.envelopes) out += shown("\n{}", envelope_words(envelope));
  out += shown("\n  the fault: {}\n  judged by:", run.dangerous_moment);
  for (const auto& property : run.judged_by) out += shown(" {}", property);
  out += "\n";
  return out;
}

}  // namespace holdfast
