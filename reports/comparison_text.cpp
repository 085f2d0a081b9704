#include "reports/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/comparison_row.hpp"
#include "reports/visible.hpp"

namespace holdfast {
namespace {

std::string scenario_table(const Comparison& all, const std::string& scenario) {
  std::vector<std::vector<std::string>> rows{{visible(scenario)}};
  for (const auto& column : comparison_columns()) rows.front().emplace_back(column.name);
  for (const auto& variant : all.variants) {
    const ComparedCell* cell = find_cell(all, variant.name, scenario);
    if (cell == nullptr) continue;
    rows.push_back({"  " + visible(variant.name)});
    for (auto& word : comparison_row(*cell)) rows.back().push_back(std::move(word));
  }
  return aligned(rows);
}

std::string legend() {
  std::vector<std::vector<std::string>> rows;
  for (const auto& column : comparison_columns()) rows.push_back({std::string("  ") + column.name, column.meaning});
  return aligned(rows);
}

std::string changes_text(const Comparison& all) {
  if (all.baseline.empty()) return "";
  std::string out = fmt::format("\nagainst {}\n", visible(all.baseline));
  std::vector<std::vector<std::string>> rows;
  for (const auto& change : all.changes)
    rows.push_back({std::string("  ") + to_text(change.change), change_words(change)});
  return out + (rows.empty() ? "  nothing has changed\n" : aligned(rows));
}

}  // namespace

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += row[i];
      if (i + 1 < row.size()) out += std::string(widths[i] - columns(row[i]) + 2, ' ');
    }
    out += "\n";
  }
  return out;
}

std::string comparison_text(const Comparison& all) {
  std::string out = comparison_sentence(all) + "\n";
  for (const auto& scenario : all.scenarios) out += "\n" + scenario_table(all, scenario);
  return out + "\n" + legend() + changes_text(all);
}

}  // namespace holdfast
