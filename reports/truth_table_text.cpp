// How the truth table is printed: for a terminal, as Markdown, as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reports/markdown_text.hpp"
#include "reports/truth_table.hpp"

namespace holdfast {
namespace {

using Columns = std::array<std::string, 6>;

Columns columns_of(const TruthRow& row) {
  std::string scenarios;
  for (const auto& name : row.scenarios) scenarios += (scenarios.empty() ? "" : ", ") + name;
  return {row.lock,        row.fault, fmt::format("{} of {}", row.as_expected, row.trials), expected_words(row),
          seen_words(row), scenarios};
}

}  // namespace

Shown table_text(const std::vector<TruthRow>& rows) {
  Shown out;
  std::string lock;
  for (const auto& row : rows) {
    const Columns words = columns_of(row);
    if (row.lock != lock) out += shown("{}{}\n", out.empty() ? Literal("") : Literal("\n"), words[0]);
    lock = row.lock;
    const char* sign = row.as_expected == row.trials ? " " : "!";
    out += shown("{} {}  {} as expected  ({})\n", sign, words[1], words[2], words[5]);
    if (words[3] == words[4]) {
      out += shown("    expected and seen: {}\n", words[3]);
    } else {
      out += shown("    expected: {}\n    seen:     {}\n", words[3], words[4]);
    }
  }
  return out.empty() ? Shown(Literal("no trial ran\n")) : out;
}

Markdown table_markdown(const std::vector<TruthRow>& rows) {
  Markdown out = table_head({Literal("lock"), Literal("fault"), Literal("as expected"), Literal("expected"),
                             Literal("seen"), Literal("scenarios")});
  for (const auto& row : rows) {
    std::vector<Markdown> line;
    for (const auto& words : columns_of(row)) line.push_back(prose(words));
    out += table_row(line);
  }
  return out;
}

nlohmann::json table_json(const std::vector<TruthRow>& rows) {
  nlohmann::json out{{"holdfast_table", 1}, {"rows", nlohmann::json::array()}};
  for (const auto& row : rows) {
    out["rows"].push_back({{"lock", row.lock},
                           {"fault", row.fault},
                           {"scenarios", row.scenarios},
                           {"expected", row.expected},
                           {"seen", row.seen},
                           {"as_expected", row.as_expected},
                           {"trials", row.trials}});
  }
  return out;
}

}  // namespace holdfast
