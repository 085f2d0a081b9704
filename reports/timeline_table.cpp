#include "reports/timeline_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "reports/durations.hpp"
#include "reports/narration.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostTableRows = 24;  // the page has all of them where scripts run

void head(std::initializer_list<const char*> names, HtmlWriter& out) {
  const auto row = out.tag("tr");
  for (const char* name : names) out.element("th", {{"scope", "col"}}, name);
}

void row(std::initializer_list<std::string> texts, HtmlWriter& out) {
  const auto line = out.tag("tr");
  for (const auto& text : texts) out.element("td", {}, text);
}

std::string index_text(std::uint64_t index) {
  return index == 0 ? "" : "#" + std::to_string(index);
}

// Those of the window, by time, and a note when there are more than a table should hold.
template <typename Item, typename From, typename To>
std::vector<const Item*> chosen(const std::vector<Item>& items, const Stretch& window, From from, To to) {
  std::vector<const Item*> out;
  for (const auto& item : items) {
    if (to(item) >= window.from_ns && from(item) <= window.to_ns) out.push_back(&item);
  }
  std::stable_sort(out.begin(), out.end(), [&](const Item* a, const Item* b) { return from(*a) < from(*b); });
  return out;
}

template <typename Item, typename Draw>
void numbers_table(const char* caption, std::initializer_list<const char*> names, const std::vector<const Item*>& items,
                   HtmlWriter& out, Draw draw) {
  if (items.empty()) return;
  const std::size_t shown = std::min(items.size(), kMostTableRows);
  const auto whole_table = out.tag("table", {{"class", "numbers"}});
  const std::string part = shown < items.size() ? fmt::format(" (the first {} of {})", shown, items.size()) : "";
  out.element("caption", {}, caption + part);
  {
    const auto top = out.tag("thead");
    head(names, out);
  }
  const auto body = out.tag("tbody");
  for (std::size_t i = 0; i < shown; ++i) draw(*items[i]);
}

std::string lease_text(const Span& span) {
  if (span.lease_end_ns == 0) return "none";
  const bool lapsed = span.lease_end_ns < span.to_ns;
  return moment_text(span.lease_end_ns) +
         (lapsed ? fmt::format(", outlived by {}", length_text(span.to_ns - span.lease_end_ns)) : "");
}

}  // namespace

void write_timeline_table(const Timeline& timeline, const Stretch& window, HtmlWriter& out) {
  const auto from = [](const auto& item) { return item.from_ns; };
  const auto to = [](const auto& item) { return item.to_ns; };
  const auto time = [](const WriteMark& write) { return write.time_ns; };
  const auto details = out.tag("details", {{"class", "as-table"}});
  out.element("summary", {}, "The picture as tables");
  numbers_table("Who acted as holder", {"client", "key", "granted", "from", "to", "ended by", "lease ends"},
                chosen(timeline.spans, window, from, to), out, [&](const Span& s) {
                  row({std::to_string(s.client), s.key, index_text(s.grant_index), moment_text(s.from_ns),
                       moment_text(s.to_ns), index_text(s.end_index), lease_text(s)},
                      out);
                });
  numbers_table("Faults", {"fault", "struck", "from", "to", "measured"}, chosen(timeline.faults, window, from, to), out,
                [&](const FaultSpan& f) {
                  row({f.fault, f.clients.empty() ? "no client" : clients_text(f.clients), moment_text(f.from_ns),
                       moment_text(f.to_ns), f.detail},
                      out);
                });
  numbers_table("Writes to the resource", {"client", "key", "time", "event", "answer"},
                chosen(timeline.writes, window, time, time), out, [&](const WriteMark& w) {
                  row({std::to_string(w.client), w.key, moment_text(w.time_ns), index_text(w.index),
                       w.result == "ok"     ? "accepted"
                       : w.result == "fail" ? "refused"
                                            : "unanswered"},
                      out);
                });
}

}  // namespace holdfast
