#include "reports/packed_cells.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "artifact/json_text.hpp"
#include "reports/cell_section.hpp"
#include "reports/durations.hpp"
#include "reports/outcome_words.hpp"
#include "reports/packed_text.hpp"
#include "reports/rerun.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostWhole = 12;   // cells that are not as expected and written whole
constexpr std::size_t kInOneBlock = 10;  // cells; opening one unpacks its block

// The cell's results in a line: "mutual exclusion: holds · progress: holds".
std::string results_text(const Cell& cell) {
  std::string out;
  if (cell.trials.empty()) return "No trial ran.";
  for (const auto& property : cell.trials.front().verdict.properties) {
    out += (out.empty() ? "" : " · ") + spaced(property.property) + ": " + spaced(to_text(property.judgement));
    if (!property.kind.empty()) out += " (" + spaced(property.kind) + ")";
  }
  return out + ".";
}

void write_still(const PageInput& in, const Cell& cell, HtmlWriter& out) {
  const auto still = out.tag("noscript");
  if (!cell.about.empty()) out.element("p", {{"class", "why"}}, "The scenario: " + cell.about);
  if (!cell.why.empty()) out.element("p", {{"class", "why"}}, cell.why);
  out.element("p", {}, results_text(cell));
  out.element("pre", {{"class", "command"}}, rerun_command(in.found.run, cell));
}

// Pictures of cells in which nothing was violated are left out, and all of them beyond the page's limit.
PackedText block_of(const PageInput& in, const std::vector<const CellAssessment*>& cells, bool pictures) {
  auto bodies = nlohmann::json::array();
  for (const CellAssessment* one : cells) {
    HtmlWriter body;
    write_cell_body(in, *one, pictures && one->cell->outcome != Outcome::as_expected, body);
    bodies.push_back({cell_anchor(*one->cell), std::move(body).take().text()});
  }
  return packed_text(text_of_json(bodies));
}

bool is_wrong(const Cell& cell) {
  return cell.outcome > Outcome::unavailable && cell.outcome != Outcome::not_run;
}

}  // namespace

bool packs_cells(const RunAssessment& found) {
  return found.cells.size() > kMostOpenCells;
}

void PackedCells::write_all(HtmlWriter& out) {
  if (!packs_cells(in_.found)) {
    for (const auto& one : in_.found.cells) write(one, out);
    return;
  }
  std::vector<std::vector<const CellAssessment*>> locks;  // in the order in which they first occur
  std::map<std::string, std::size_t> known;
  for (const auto& one : in_.found.cells) {
    const auto [at, fresh] = known.try_emplace(one.cell->lock, locks.size());
    if (fresh) locks.emplace_back();
    locks[at->second].push_back(&one);
  }
  for (const auto& cells : locks) write_lock(cells, out);
}

void PackedCells::write_lock(const std::vector<const CellAssessment*>& cells, HtmlWriter& out) {
  std::map<Outcome, std::int64_t> counts;
  for (const CellAssessment* one : cells) ++counts[one->cell->outcome];
  const bool open = std::any_of(cells.begin(), cells.end(), [](const auto* one) { return is_wrong(*one->cell); });
  const auto details = out.tag("details", {{"class", "lock"}, {"open", open ? "open" : ""}});
  {
    const auto summary = out.tag("summary");
    out.element("span", {{"class", "name"}}, cells.front()->cell->lock);
    for (const auto& [outcome, count] : counts) write_outcome(outcome, count_text(count), out);
  }
  const auto list = out.tag("div", {{"class", "lock-cells"}});
  for (const CellAssessment* one : cells) write(*one, out);
}

void PackedCells::write(const CellAssessment& one, HtmlWriter& out) {
  const bool wrong = is_wrong(*one.cell);
  if (!packs_cells(in_.found) || (wrong && whole_++ < kMostWhole)) return write_cell_section(in_, one, out);
  const Cell& cell = *one.cell;
  const auto details = out.tag("details", {{"class", "cell"}});
  {
    const auto summary = out.tag("summary");
    out.element("span", {{"class", "name"}}, cell.lock + " / " + cell.scenario);
    write_outcome(cell.outcome, repeated_text(cell), out);
  }
  const std::string block = "bodies/" + std::to_string(packed_.size() / kInOneBlock);
  const auto body = out.tag("div", {{"class", "cell-body"}, {"id", cell_anchor(cell)}, {"data-body", block}});
  write_still(in_, cell, out);
  packed_.push_back(&one);
}

void PackedCells::write_bodies(HtmlWriter& out) const {
  for (std::size_t from = 0; from < packed_.size(); from += kInOneBlock) {
    const std::size_t to = std::min(from + kInOneBlock, packed_.size());
    const std::vector<const CellAssessment*> cells(packed_.begin() + static_cast<std::ptrdiff_t>(from),
                                                   packed_.begin() + static_cast<std::ptrdiff_t>(to));
    PackedText block = block_of(in_, cells, true);
    const std::size_t left = packed_.size() - to;  // cells that still need room, about a kilobyte each
    if (out.size() + block.size() + left * 1000 > kLargestManyCells) block = block_of(in_, cells, false);
    const auto tag =
        out.tag("script", {{"type", "text/plain"}, {"id", "bodies/" + std::to_string(from / kInOneBlock)}});
    out.add(block);
  }
}

}  // namespace holdfast
