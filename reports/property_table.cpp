#include "reports/property_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "artifact/property_words.hpp"
#include "reports/durations.hpp"
#include "reports/outcome_words.hpp"

namespace holdfast {
namespace {

// One property over all trials of a cell.
struct Row {
  std::string property;
  std::vector<std::pair<std::string, int>> seen;   // "violated:overrun" and in how many trials, in order of appearance
  Judgement severest = Judgement::not_applicable;  // of all trials
  std::map<std::string, std::int64_t> kinds;
  std::int64_t count = 0;
  std::int64_t total_ns = 0;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> coverage;  // least and most
  std::string reason;
  bool mismatch = false;
};

int weight(Judgement judgement) {
  static const std::array<Judgement, 5> kRising{Judgement::not_applicable, Judgement::holds, Judgement::not_exercised,
                                                Judgement::undecided, Judgement::violated};
  return static_cast<int>(std::find(kRising.begin(), kRising.end(), judgement) - kRising.begin());
}

void add(const PropertyVerdict& p, Row& row) {
  const std::string word = seen_word(p);
  const auto known = std::find_if(row.seen.begin(), row.seen.end(), [&](const auto& s) { return s.first == word; });
  if (weight(p.judgement) > weight(row.severest)) row.severest = p.judgement;
  if (known == row.seen.end()) {
    row.seen.emplace_back(word, 1);
  } else {
    ++known->second;
  }
  for (const auto& [kind, count] : p.kinds) row.kinds[kind] += count;
  row.count += p.count;
  row.total_ns += p.total_ns;
  if (row.reason.empty()) row.reason = p.reason;
  for (const auto& [name, count] : p.coverage) {
    const auto [at, fresh] = row.coverage.try_emplace(name, count, count);
    if (!fresh) at->second = {std::min(at->second.first, count), std::max(at->second.second, count)};
  }
}

std::vector<Row> rows_of(const Cell& cell) {
  std::vector<Row> rows;
  const auto row_of = [&](const std::string& property) -> Row& {
    for (auto& row : rows) {
      if (row.property == property) return row;
    }
    rows.emplace_back().property = property;
    return rows.back();
  };
  for (const auto& trial : cell.trials) {
    for (const auto& p : trial.verdict.properties) add(p, row_of(p.property));
    for (const auto& m : trial.mismatches) row_of(m.property).mismatch = true;
  }
  for (const auto& [property, word] : cell.expected) row_of(property);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return rank_of(a.property) < rank_of(b.property); });
  return rows;
}

std::string seen_text(const Row& row, std::size_t trials) {
  std::string out;
  for (const auto& [word, times] : row.seen) {
    const bool all = row.seen.size() == 1 && static_cast<std::size_t>(times) == trials;
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ", spaced(word),
                       all ? "" : fmt::format(" in {} of {}", times, trials));
  }
  return out.empty() ? "not judged" : out;
}

std::string count_and_length(const Row& row) {
  std::string out = row.count == 0 ? "" : count_text(row.count);
  if (row.total_ns > 0) out += ", " + length_text(row.total_ns) + " in all";
  if (row.kinds.size() > 1) {
    for (const auto& [kind, count] : row.kinds) out += fmt::format(", {} {}", kind, count_text(count));
  }
  return out;
}

std::string coverage_text(const Row& row) {
  std::string out;
  for (const auto& [name, range] : row.coverage) {
    out += fmt::format("{}{} {}", out.empty() ? "" : " · ", spaced(name), count_text(range.first));
    if (range.second != range.first) out += fmt::format(" to {}", count_text(range.second));
  }
  return out;
}

void write_row(const Cell& cell, const Row& row, HtmlWriter& out) {
  const auto line = out.tag("tr", {{"class", row.mismatch ? "mismatch" : ""}});
  out.element("th", {{"scope", "row"}}, spaced(row.property));
  const auto expected = cell.expected.find(row.property);
  if (expected != cell.expected.end()) {
    out.element("td", {}, expected->second);
  } else {
    out.element("td", {{"class", "quiet"}}, "holds");
  }
  {
    const auto data = out.tag("td", {{"class", std::string("seen j-") + to_text(row.severest)}});
    out.element("span", {{"class", "glyph"}}, row.seen.empty() ? "?" : glyph_of(row.severest));
    out.text(" " + seen_text(row, cell.trials.size()));
    if (row.mismatch) out.element("strong", {{"class", "flag"}}, " not as expected");
  }
  out.element("td", {}, count_and_length(row));
  out.element("td", {}, coverage_text(row));
  out.element("td", {{"class", "remark"}}, row.reason);
}

}  // namespace

void write_property_table(const Cell& cell, HtmlWriter& out) {
  const auto rows = rows_of(cell);
  if (rows.empty()) return;
  const auto scroll = out.tag("div", {{"class", "scroll"}});
  const auto table = out.tag("table", {{"class", "properties"}});
  {
    const auto head = out.tag("thead");
    const auto row = out.tag("tr");
    for (const char* name : {"property", "expected", "seen", "violations", "coverage", "remark"}) {
      out.element("th", {{"scope", "col"}}, name);
    }
  }
  const auto body = out.tag("tbody");
  for (const auto& row : rows) write_row(cell, row, out);
}

}  // namespace holdfast
