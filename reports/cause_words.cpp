#include "reports/cause_words.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast {
namespace {

std::string need_text(const CauseFinding& cause) {
  if (cause.faults.empty()) return "no fault is in the plan";
  const std::string counts = fmt::format("{} of {} hold without any fault", cause.held, cause.judged);
  switch (cause.state) {
    case CauseState::confirmed:
      return "only with the faults, " + counts;
    case CauseState::unconfirmed:
      return "also without any fault: " + counts;
    case CauseState::open:
      break;
  }
  return "whether it needs the faults is open, " + (cause.judged == 0 ? "no control could be judged" : counts);
}

std::string outcome_text(const CauseFinding& cause) {
  if (!cause.of_fault) return need_text(cause);
  return confirmation_text(cause) + (cause.judged == 0 ? "" : " hold without " + removed_text(cause));
}

}  // namespace

std::string removed_text(const CauseFinding& cause) {
  std::string out;
  for (const auto& fault : cause.faults) out += (out.empty() ? "" : " and ") + fault;
  return out;
}

const CauseFinding* cause_of(const TrialResult& trial, const std::string& property, const std::string& kind) {
  for (const auto& cause : trial.causes) {
    if (cause.property == property && cause.kind == kind) return &cause;
  }
  return nullptr;
}

std::vector<std::string> cause_lines(const TrialResult& trial) {
  struct Line {
    std::string kind, properties, text;
  };
  std::vector<Line> lines;
  for (const auto& cause : trial.causes) {
    const bool told = cause.faults.empty() || cause.note.empty();
    std::string text = outcome_text(cause) + (told ? "" : "; " + cause.note);
    bool known = false;
    for (auto& line : lines) {
      if (line.kind != cause.kind || line.text != text) continue;
      line.properties += ", " + cause.property;
      known = true;
    }
    if (!known) lines.push_back({cause.kind, cause.property, std::move(text)});
  }
  std::vector<std::string> out;
  out.reserve(lines.size());
  for (const auto& line : lines) out.push_back(fmt::format("{} ({}): {}", line.kind, line.properties, line.text));
  return out;
}

}  // namespace holdfast
