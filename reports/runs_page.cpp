#include "reports/runs_page.hpp"

#include <algorithm>

#include "reports/durations.hpp"
#include "reports/html.hpp"
#include "reports/page_frame.hpp"

namespace holdfast {
namespace {

// Names of folders may hold anything; a link holds only what cannot leave the folder.
std::string link_to_page(const RunLine& run) {
  std::string out = "./";
  for (const char c : run.folder) {
    const bool plain = anchor(std::string_view(&c, 1)).size() == 1 && c != '/';
    static constexpr const char* kDigits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    if (plain) out += c;
    if (!plain) out += std::string("%") + kDigits[byte / 16] + kDigits[byte % 16];
  }
  return out + "/" + run.page;
}

void write_run(const RunLine& run, HtmlWriter& out) {
  const auto row = out.tag("tr");
  {
    const auto name = out.tag("th", {{"scope", "row"}});
    if (run.page.empty()) {
      out.text(run.folder);
    } else {
      out.element("a", {{"href", link_to_page(run)}}, run.folder);
    }
  }
  {
    const auto verdict = out.tag("td", {{"class", "prose"}, {"data-label", "verdict"}});
    out.element("strong", {{"class", "tone-" + (run.tone.empty() ? std::string("none") : run.tone)}}, run.word);
    out.text(" " + run.claim);
  }
  out.element("td", {{"class", "prose"}, {"data-label", run.what.empty() ? "" : "of"}}, run.what);
  out.element("td", {{"class", "remark"}, {"data-label", run.circumstances.empty() ? "" : "on"}}, run.circumstances);
  out.element("td", {{"data-label", run.started_utc.empty() ? "" : "started"}}, run.started_utc);
}

std::string counts_of(const std::vector<RunLine>& runs) {
  const auto all = [&](const char* tone) {
    return std::count_if(runs.begin(), runs.end(), [tone](const RunLine& run) { return run.tone == tone; });
  };
  std::string out = plural(static_cast<std::int64_t>(runs.size()), "run", "runs");
  if (const auto n = all("pass"); n > 0) out += ", " + count_text(n) + " passed";
  if (const auto n = all("fail"); n > 0) out += ", " + count_text(n) + " not as expected";
  if (const auto n = all("open"); n > 0) out += ", " + count_text(n) + " open";
  return out;
}

}  // namespace

std::string runs_page(const RunsPageInput& in) {
  std::vector<RunLine> runs = in.runs;
  std::stable_sort(runs.begin(), runs.end(), [](const RunLine& a, const RunLine& b) { return a.folder > b.folder; });
  return whole_page({.title = "Runs in " + in.folder}, [&](HtmlWriter& out) {
    {
      const auto header = out.tag("header");
      write_verdict_line("RUNS", counts_of(runs), "", out);
      out.element("p", {{"class", "circumstances"}}, "in " + in.folder + " · holdfast " + in.version);
    }
    if (runs.empty()) return out.element("p", {{"class", "quiet"}}, "There is no run in this folder.");
    const auto scroll = out.tag("div", {{"class", "scroll"}});
    const auto table = out.tag("table", {{"class", "numbers cards runs"}});
    {
      const auto head = out.tag("thead");
      const auto row = out.tag("tr");
      for (const char* name : {"run", "verdict", "of", "on", "started"}) out.element("th", {{"scope", "col"}}, name);
    }
    const auto body = out.tag("tbody");
    for (const auto& run : runs) write_run(run, out);
  });
}

}  // namespace holdfast
