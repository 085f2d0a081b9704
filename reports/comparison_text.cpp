#include "reports/comparison_text.hpp"

#include <algorithm>

#include "reports/comparison_row.hpp"

namespace holdfast {
namespace {

Shown scenario_table(const Comparison& all, const std::string& scenario) {
  std::vector<std::vector<std::string>> rows{{scenario}};
  for (const auto& column : comparison_columns()) rows.front().emplace_back(column.name);
  for (const auto& variant : all.variants) {
    const ComparedCell* cell = find_cell(all, variant.name, scenario);
    if (cell == nullptr) continue;
    rows.push_back({"  " + variant.name});
    for (auto& word : comparison_row(*cell)) rows.back().push_back(std::move(word));
  }
  return aligned(rows);
}

Shown column_legend() {
  std::vector<std::vector<std::string>> rows;
  for (const auto& column : comparison_columns()) rows.push_back({std::string("  ") + column.name, column.meaning});
  return aligned(rows);
}

Shown changes_text(const Comparison& all) {
  if (all.baseline.empty()) return {};
  Shown out = shown("\nagainst {}\n", all.baseline);
  std::vector<std::vector<std::string>> rows;
  for (const auto& change : all.changes)
    rows.push_back({std::string("  ") + to_text(change.change), change_words(change)});
  out += rows.empty() ? Shown(Literal("  nothing has changed\n")) : aligned(rows);
  return out;
}

}  // namespace

Shown aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  Shown out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Shown cell = shown("{}", row[i]);
      out += cell;
      if (i + 1 < row.size()) out += Shown::blanks(widths[i] - cell.width() + 2);
    }
    out += "\n";
  }
  return out;
}

Shown comparison_text(const Comparison& all) {
  Shown out = shown("{}\n", comparison_sentence(all));
  for (const auto& scenario : all.scenarios) out += shown("\n{}", scenario_table(all, scenario));
  return shown("{}\n{}{}", out, column_legend(), changes_text(all));
}

}  // namespace holdfast
