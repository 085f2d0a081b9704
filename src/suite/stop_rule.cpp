#include "suite/stop_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

std::string text_after_misses(const RunVerdict& run) {
  std::string out;
  for (const auto& cell : run.cells) {
    if (!cell.until_decided) continue;
    out += out.empty() ? "Repeated, because the first trial did not show the expected violation: " : ", ";
    out += fmt::format("{}/{} ({} of {} trials showed it)", cell.lock, cell.scenario, cell.trials_as_expected,
                       cell.trials_planned());
  }
  return out.empty() ? out : out + ".";
}

}  // namespace

int clean_trials(double confidence, double rate) {
  return static_cast<int>(std::ceil(std::log1p(-confidence) / std::log1p(-rate) - 1e-9));
}

double parse_share(const std::string& text, const std::string& flag) {
  double out = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, out);
  const std::string unit(rest, end);
  if (unit == "%") out /= 100;
  constexpr double kLeast = 0.0001;  // a lower rate needs more trials than a run can have
  if (error != std::errc() || (!unit.empty() && unit != "%") || !(out >= kLeast && out <= 1 - kLeast)) {
    throw BadInput(flag + " " + text + ": not a share between 0.01% and 99.99%; remedy: " + flag +
                   (flag == "--rate" ? " 5%" : " 99%"));
  }
  return out;
}

bool decides(const TrialResult& trial) {
  return !trial.folder.empty() && (trial.outcome == Outcome::caught || trial.outcome == Outcome::unexpected);
}

bool is_missed(const Cell& cell) {
  return !cell.trials.empty() && std::all_of(cell.trials.begin(), cell.trials.end(), [](const TrialResult& trial) {
    return !trial.folder.empty() && trial.outcome == Outcome::missed;
  });
}

std::string rule_text(const StopRule& rule, const RunVerdict& run) {
  if (!rule.until_decided) return text_after_misses(run);
  const auto count = [&run](auto is) { return std::count_if(run.cells.begin(), run.cells.end(), is); };
  const auto decided =
      count([](const Cell& cell) { return std::any_of(cell.trials.begin(), cell.trials.end(), decides); });
  std::string out = fmt::format("Each cell was repeated until one of its trials was violated: {} of {} were.", decided,
                                run.cells.size());
  if (rule.clean == 0) return out;
  const auto clean = count([&rule](const Cell& cell) {
    const auto good = std::count_if(cell.trials.begin(), cell.trials.end(), [](const TrialResult& trial) {
      return trial.outcome == Outcome::as_expected || trial.outcome == Outcome::allowed;
    });
    return good == rule.clean && cell.trials_planned() == rule.clean;
  });
  return out + fmt::format(
                   " {} had {} clean trials: a flaw that shows in {} of the trials or more would have been seen "
                   "with a probability of {}, if trials are independent.",
                   clean, rule.clean, rule.rate, rule.confidence);
}

}  // namespace holdfast
