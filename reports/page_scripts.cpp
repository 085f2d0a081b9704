#include "reports/page_scripts.hpp"

#include <algorithm>
#include <string_view>

#include "reports/packed_cells.hpp"
#include "reports/packed_text.hpp"

namespace holdfast {

std::string_view embedded_page(std::string_view name);

namespace {

constexpr std::size_t kMostPictured = 13;  // trials of a large run; the pictures of its packed cells stand still
constexpr std::size_t kBlock = 160;        // about what the tags of a block take, and why it is empty

std::string sum_of(const std::string& file) {
  return "'sha256-" + base64(bytes_of_hex(embedded_page(file + ".sha256"))) + "'";
}

std::string why_not(const PageInput& in, const std::string& folder, bool fits) {
  const auto told = in.unpacked.find(folder);
  if (told != in.unpacked.end()) return told->second;
  return fits ? "the history is not available"
              : "the page would be too large; they are in " + folder + "/history.jsonl";
}

}  // namespace

std::string page_policy() {
  return "default-src 'none'; script-src " + sum_of("page.js") + "; style-src " + sum_of("page.css") +
         "; base-uri 'none'; form-action 'none'";
}

std::string still_page_policy() {
  return "default-src 'none'; style-src " + sum_of("page.css") + "; base-uri 'none'; form-action 'none'";
}

std::string events_id(const TrialResult& trial) {
  return trial.folder.empty() ? "" : "events/" + anchor(trial.folder);
}

std::vector<const TrialResult*> pictured_trials(const RunAssessment& found) {
  std::vector<const CellAssessment*> cells;
  for (const auto& one : found.cells) cells.push_back(&one);
  std::stable_sort(cells.begin(), cells.end(), [](const CellAssessment* a, const CellAssessment* b) {
    return a->cell->outcome > b->cell->outcome;
  });
  std::vector<const TrialResult*> out;
  for (const CellAssessment* one : cells) {
    const TrialResult* trial = one->told.trial;
    if (trial != nullptr && !trial->folder.empty()) out.push_back(trial);
  }
  return out;
}

void write_scripts(const PageInput& in, HtmlWriter& out) {
  const Markup script = embedded_markup("page.js");
  auto trials = pictured_trials(in.found);
  if (packs_cells(in.found)) trials.resize(std::min(trials.size(), kMostPictured));
  std::size_t size = out.size() + script.size();
  for (const TrialResult* trial : trials) size += 2 * trial->folder.size() + kBlock;
  for (const TrialResult* trial : trials) {
    const auto packed = in.packed.find(trial->folder);
    const bool fits = packed == in.packed.end() || size + packed->second.size() <= kLargestPage;
    const bool shown = fits && packed != in.packed.end();
    const auto block = out.tag("script", {{"type", "text/plain"},
                                          {"id", events_id(*trial)},
                                          {"data-why", shown ? "" : why_not(in, trial->folder, fits)}});
    if (!shown) continue;
    out.add(packed->second);
    size += packed->second.size();
  }
  const auto tag = out.tag("script");
  out.add(script);
}

}  // namespace holdfast
