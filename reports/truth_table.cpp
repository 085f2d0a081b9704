#include "reports/truth_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "artifact/error.hpp"
#include "reports/markdown_text.hpp"
#include "reports/outcome_words.hpp"

namespace holdfast {
namespace {

// Properties by what is said of them, in one line: what was violated first, since that word is the alphabet's last.
std::string grouped(const std::map<std::string, std::string>& words_by_property, bool some_hold) {
  std::map<std::string, std::string> properties;
  for (const auto& [property, words] : words_by_property) {
    if (words == to_text(Judgement::holds) || words == to_text(Judgement::not_applicable)) continue;
    auto& names = properties[words];
    names += (names.empty() ? "" : ", ") + property;
  }
  const bool violated = !properties.empty() && properties.rbegin()->first.rfind("violated", 0) == 0;
  std::string out = some_hold && !violated ? to_text(Judgement::holds) : "";
  for (auto word = properties.rbegin(); word != properties.rend(); ++word) {
    out += fmt::format("{}{} {}", out.empty() ? "" : "; ", word->first, word->second);
  }
  return out;
}

std::string kinds_of(const PropertyVerdict& property) {
  if (property.kinds.empty()) return property.kind;
  std::string out;
  for (const auto& [kind, count] : property.kinds) out += (out.empty() ? "" : ",") + kind;
  return out;
}

std::string seen_in(const TrialResult& trial) {
  if (trial.outcome == Outcome::unavailable) return "unavailable here";
  if (trial.outcome == Outcome::harness_error) return "harness error";
  std::map<std::string, std::string> words;
  bool some_hold = false;
  for (const auto& property : trial.verdict.properties) {
    const std::string kinds = kinds_of(property);
    words[property.property] = to_text(property.judgement) + (kinds.empty() ? "" : ":" + kinds);
    some_hold = some_hold || property.judgement == Judgement::holds;
  }
  std::set<std::string> refuted;
  for (const auto& cause : trial.causes) {
    if (cause.of_fault && cause.state == CauseState::unconfirmed) refuted.insert(cause.kind);
  }
  std::string unconfirmed;
  for (const auto& kind : refuted) unconfirmed += "; " + kind + " unconfirmed";
  const bool lost_control = trial.control && !trial.control->held;
  return grouped(words, some_hold) + unconfirmed + (lost_control ? "; its control did not hold" : "");
}

std::string fault_of(const Cell& cell) {
  std::set<std::string> names;
  bool told = false;
  for (const auto& trial : cell.trials) {
    told = told || !trial.faults.empty() || !trial.verdict.properties.empty();
    for (const auto& proof : trial.faults) names.insert(proof.fault);
  }
  if (!told) return "?";
  if (names.empty()) return "none";
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : " + ") + name;
  return out;
}

using Columns = std::array<std::string, 6>;

constexpr const char* kAllowedWords = "with allowed violations";

Literal sign_of(const TruthRow& row) {
  if (row.as_expected < row.trials) return "!";
  return row.allowed > 0 ? words_of(Outcome::allowed).terminal : Literal(" ");
}

Columns columns_of(const TruthRow& row) {
  std::string scenarios;
  for (const auto& name : row.scenarios) scenarios += (scenarios.empty() ? "" : ", ") + name;
  std::string counts = fmt::format("{} of {}", row.as_expected, row.trials);
  if (row.allowed > 0) counts += fmt::format(" ({} {})", row.allowed, kAllowedWords);
  return {row.lock, row.fault, counts, expected_words(row), seen_words(row), scenarios};
}

}  // namespace

std::vector<TruthRow> truth_table(const std::vector<RunVerdict>& runs) {
  std::vector<TruthRow> rows;
  for (const auto& run : runs) {
    for (const auto& cell : run.cells) {
      if (cell.trials.empty()) continue;  // interrupted before it ran
      const std::string fault = fault_of(cell);
      auto row = std::find_if(rows.begin(), rows.end(), [&](const TruthRow& r) {
        return r.lock == cell.lock && r.fault == fault && r.expected == cell.expected;
      });
      if (row == rows.end()) {
        rows.push_back({cell.lock, fault, cell.expected, {}, {}, {}, 0, 0, 0});
        row = rows.end() - 1;
      }
      auto& names = row->scenarios;
      if (std::find(names.begin(), names.end(), cell.scenario) == names.end()) names.push_back(cell.scenario);
      for (const auto& trial : cell.trials) {
        ++row->seen[seen_in(trial)];
        row->allowed += trial.outcome == Outcome::allowed ? 1 : 0;
        for (const auto& property : trial.verdict.properties) {
          if (property.judgement != Judgement::not_applicable) row->applicable.insert(property.property);
        }
      }
      row->as_expected += cell.trials_as_expected;
      row->trials += static_cast<int>(cell.trials.size());
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const TruthRow& a, const TruthRow& b) {
    return a.lock != b.lock ? a.lock < b.lock : a.fault < b.fault;
  });
  return rows;
}

std::string expected_words(const TruthRow& row) {
  std::map<std::string, std::string> stated;
  std::map<std::string, std::string> allowed;
  for (const auto& [property, words] : row.expected) {
    if (!row.applicable.empty() && !row.applicable.contains(property)) continue;
    if (!allows(words)) {
      stated[property] = words;
    } else {
      std::string& names = allowed[expected_word(words)];
      names += (names.empty() ? "" : ", ") + property;
    }
  }
  std::string out = grouped(stated, true);
  for (const auto& [words, names] : allowed) out += fmt::format("; {}: {}", words, names);
  return out;
}

std::string seen_words(const TruthRow& row) {
  std::string out;
  for (const auto& [words, trials] : row.seen) {
    out += (out.empty() ? "" : " / ") + words + (row.seen.size() > 1 ? fmt::format(" ({})", trials) : "");
  }
  return out;
}

int exit_code_of_all(const std::vector<RunVerdict>& runs) {
  for (const int code : {kExitInterrupted, kExitNotAsExpected, kExitHarness, kExitUndecided, kExitUnavailable}) {
    if (std::any_of(runs.begin(), runs.end(), [code](const RunVerdict& run) { return run.exit_code == code; })) {
      return code;
    }
  }
  return kExitAsExpected;
}

// Printers of the truth table: for a terminal, as Markdown, as JSON.

std::vector<std::string> notes_of_all(const std::vector<RunVerdict>& runs) {
  std::vector<std::string> out;
  for (const auto& run : runs) {
    for (const auto& note : run.notes) {
      if (std::find(out.begin(), out.end(), note) == out.end()) out.push_back(note);
    }
  }
  return out;
}

TerminalText table_text(const std::vector<TruthRow>& rows, const std::vector<std::string>& notes) {
  TerminalText out;
  std::string lock;
  for (const auto& row : rows) {
    const Columns words = columns_of(row);
    if (row.lock != lock) out += terminal_text("{}{}\n", out.empty() ? Literal("") : Literal("\n"), words[0]);
    lock = row.lock;
    const std::string counts = fmt::format("{} of {} as expected", row.as_expected, row.trials) +
                               (row.allowed == 0 ? "" : fmt::format(", {} {}", row.allowed, kAllowedWords));
    out += terminal_text("{} {}  {}  ({})\n", sign_of(row), words[1], counts, words[5]);
    if (words[3] == words[4]) {
      out += terminal_text("    expected and seen: {}\n", words[3]);
    } else {
      out += terminal_text("    expected: {}\n    seen:     {}\n", words[3], words[4]);
    }
  }
  if (out.empty()) out = Literal("no trial ran\n");
  if (!notes.empty()) out += Literal("\n");
  for (const auto& note : notes) out += terminal_text("{}\n", note);
  return out;
}

Markdown table_markdown(const std::vector<TruthRow>& rows, const std::vector<std::string>& notes) {
  Markdown out = table_head({Literal("lock"), Literal("fault"), Literal("as expected"), Literal("expected"),
                             Literal("seen"), Literal("scenarios")});
  for (const auto& row : rows) {
    std::vector<Markdown> line;
    for (const auto& words : columns_of(row)) line.push_back(prose(words));
    out += table_row(line);
  }
  for (const auto& note : notes) out += markdown("\n{}\n", note);
  return out;
}

nlohmann::json table_json(const std::vector<TruthRow>& rows, const std::vector<std::string>& notes) {
  nlohmann::json out{{"holdfast_table", 1}, {"rows", nlohmann::json::array()}, {"notes", notes}};
  for (const auto& row : rows) {
    out["rows"].push_back({{"lock", row.lock},
                           {"fault", row.fault},
                           {"scenarios", row.scenarios},
                           {"expected", row.expected},
                           {"seen", row.seen},
                           {"as_expected", row.as_expected},
                           {"allowed", row.allowed},
                           {"trials", row.trials}});
  }
  return out;
}

}  // namespace holdfast
