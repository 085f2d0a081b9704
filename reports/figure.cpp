#include "reports/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "reports/cell_section.hpp"
#include "reports/durations.hpp"
#include "reports/narration.hpp"
#include "reports/page_scripts.hpp"
#include "reports/timeline_svg.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostLanes = 10'000;

bool shows_all(const Timeline& timeline, const Stretch& window) {
  const Stretch all = whole(timeline);
  return window.from_ns <= all.from_ns && window.to_ns >= all.to_ns;
}

std::string caption(const Finding& f, const Picture& picture, const StoryWindow& window) {
  const Timeline& timeline = picture.timeline;
  std::string out = f.trial != nullptr ? fmt::format("Trial {}, ", f.trial->number) : "";
  out += fmt::format("{} to {}", moment_text(window.shown.from_ns), moment_text(window.shown.to_ns));
  // A lease may end after the trial.
  const std::int64_t end_ns = whole(timeline).to_ns;
  const bool within = !shows_all(timeline, window.shown) && window.shown.to_ns < end_ns;
  if (within) out += fmt::format(" of {}", moment_text(end_ns));
  if (!window.left_out.empty()) out += ", with a broken axis: ⋯ marks the time that is left out";
  out += ". One lane per client; all times are from one clock, since the start of the trial.";
  const auto shown = lanes_of(picture);
  const auto active = lanes(timeline, window.shown, nullptr, kMostLanes);
  const auto hidden = std::count_if(active.begin(), active.end(), [&](std::uint32_t client) {
    return std::find(shown.begin(), shown.end(), client) == shown.end();
  });
  if (hidden > 0) out += " Not shown: " + plural(hidden, "other client", "other clients") + " active then.";
  if (timeline.cut) out += " The history is too long to draw in full.";
  return out;
}

std::string sent_text(const SentStatement& one) {
  const std::string numbers = one.index == 0               ? fmt::format("#{}", one.end_index)
                              : one.index == one.end_index ? fmt::format("#{}", one.index)
                                                           : fmt::format("#{} to #{}", one.index, one.end_index);
  return fmt::format("{} · client {} · {} ({}) · statement {} · {}", moment_text(one.call_ns), one.client,
                     one.operation, numbers, one.name, one.answer);
}

// The statements of the operations that the violation is made of, by time.
std::vector<const SentStatement*> statements_of(const SentByFolder& sent, const Finding& f, const Timeline* timeline) {
  std::vector<const SentStatement*> out;
  if (f.trial == nullptr || f.witness == nullptr || timeline == nullptr) return out;
  const auto known = sent.find(f.trial->folder);
  if (known == sent.end()) return out;
  auto wanted = events_of_witness(*timeline, *f.witness);
  if (f.next != nullptr) wanted.merge(events_of_witness(*timeline, *f.next));
  for (const auto& one : known->second) {
    if (wanted.contains(one.index) || wanted.contains(one.end_index)) out.push_back(&one);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const SentStatement* a, const SentStatement* b) { return a->call_ns < b->call_ns; });
  return out;
}

// Takes those of an event that the fact names, "(#881)", out of `statements`.
std::vector<const SentStatement*> taken_by(const std::string& fact, std::vector<const SentStatement*>& statements) {
  const auto named = [&fact](std::uint64_t index) {
    return index != 0 && fact.find(fmt::format("(#{})", index)) != std::string::npos;
  };
  std::vector<const SentStatement*> out;
  std::erase_if(statements, [&](const SentStatement* one) {
    if (!named(one->index) && !named(one->end_index)) return false;
    out.push_back(one);
    return true;
  });
  return out;
}

void write_statement(const SentStatement& one, HtmlWriter& out) {
  out.element("p", {{"class", "sent-line"}}, sent_text(one));
  if (!one.text.empty()) out.element("pre", {{"class", "statement"}}, one.text);
}

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
  return moment_text(span.lease_end_ns) + (span.doubts.any() ? " at least" : "") +
         (lapsed ? fmt::format("; held for {} longer", length_text(span.to_ns - span.lease_end_ns)) : "");
}

// The picture as tables, for readers who cannot see it or want the numbers: a closed <details> with the spans, faults
// and writes of the window in the order of time; at most two dozen rows each.
void write_timeline_table(const Timeline& timeline, const Stretch& window, HtmlWriter& out) {
  const auto from = [](const auto& item) { return item.from_ns; };
  const auto to = [](const auto& item) { return item.to_ns; };
  const auto time = [](const WriteMark& write) { return write.time_ns; };
  const auto details = out.tag("details", {{"class", "as-table"}});
  out.element("summary", {}, "The figure as tables");
  numbers_table("Holders", {"client", "key", "granted", "from", "to", "ended by", "lease ends"},
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

}  // namespace

void write_figure(const Finding& f, const Timeline& timeline, bool signs, HtmlWriter& out) {
  if (timeline.spans.empty() && timeline.faults.empty() && timeline.writes.empty()) {
    out.element("p", {{"class", "quiet"}},
                "No timeline: no client was granted the lock, or the trial's verdict is missing.");
    return;
  }
  Picture picture{timeline, f.witness, f.property != nullptr ? f.property->property : "", f.next, {}};
  if (f.witness != nullptr) {
    for (const Fact& fact : narrate(f, &timeline).facts) picture.steps.push_back(fact.time_ns);
  }
  const StoryWindow window = window_of(picture);
  const auto figure = out.tag("figure", {{"class", f.witness != nullptr ? "story-picture" : "still"}});
  const auto marks = f.property != nullptr ? f.property->witnesses : std::vector<Witness>{};
  {
    const auto scroll = f.witness != nullptr ? out.tag("div") : scrolling_part("timeline", out);
    out.add(timeline_svg(picture, kWide));
    if (f.witness != nullptr) out.add(timeline_svg(picture, kNarrow));
    if (!shows_all(timeline, window.shown)) out.add(overview_svg(timeline, window.shown, marks));
  }
  if (signs) out.add(embedded_markup("signs.html"));
  out.element("figcaption", {}, caption(f, picture, window));
  write_timeline_table(timeline, window.shown, out);
}

void write_explorer(const PageFiles& files, const Finding& f, HtmlWriter& out) {
  const Timeline* const timeline = timeline_of(files, f);
  if (timeline == nullptr) return;
  const auto figure =
      out.tag("figure", {{"data-events", events_id(*f.trial)},
                         {"data-cell", f.cell != nullptr ? cell_anchor(*f.cell) : ""},
                         {"data-property", f.witness != nullptr ? f.property->property : ""},
                         {"data-from", f.witness != nullptr ? std::to_string(f.witness->from_ns / 1000) : ""}});
  const auto counts = files.counts.find(f.trial->folder);
  write_plots(counts == files.counts.end() ? nullptr : &counts->second, *timeline, out);
}

void write_story(const Finding& f, const Timeline* timeline, const SentByFolder& sent, HtmlWriter& out) {
  const Narration told = narrate(f, timeline);
  auto statements = statements_of(sent, f, timeline);
  const auto story = out.tag("div", {{"class", "story"}});
  {
    const auto list = out.tag("ol", {{"class", "facts"}});
    for (const auto& fact : told.facts) {
      const auto item = out.tag("li");
      const auto step = out.tag("div", {{"class", "step-row"}});
      out.element("span", {{"class", "fact"}}, fact.text);
      const auto own = taken_by(fact.text, statements);
      if (own.empty()) continue;
      const auto beside = out.tag("div", {{"class", "beside"}});
      for (const SentStatement* one : own) write_statement(*one, out);
    }
  }
  if (!told.proven.empty()) {
    const auto p = out.tag("p", {{"class", "proven"}});
    out.element("strong", {}, "Proven: ");
    out.text(told.proven + ".");
  }
  if (!told.suggestion.empty()) {
    const auto p = out.tag("p", {{"class", "suggested"}});
    out.element("strong", {}, told.label + ": ");
    out.text(told.suggestion);
  }
  for (const auto& line : told.controls) {
    const auto p = out.tag("p", {{"class", "suggested"}});
    out.element("strong", {}, "Controls: ");
    out.text(line);
  }
  if (statements.empty()) return;
  const auto block = out.tag("div", {{"class", "sent"}});
  out.element("p", {{"class", "label"}}, "Other statements that these operations sent to the server");
  for (const SentStatement* one : statements) write_statement(*one, out);
}

}  // namespace holdfast
