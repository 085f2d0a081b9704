#include "reports/explored_find.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/durations.hpp"
#include "reports/page_frame.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostInShort = 40;  // finds in short; explored.json has all

// The column of a step: a watchdog "a" acts in the column of its client "A".
char column_of(const ExploredStep& step) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(step.client.front())));
}

// A client that comes after the schedule, to see whether anybody can acquire the lock.
bool is_probe(const ExploredStep& step) {
  return step.client.size() > 1;
}

std::string columns_of(const std::vector<ExploredStep>& steps) {
  std::string out;
  for (const auto& step : steps) {
    const bool acts = !step.client.empty() && !is_probe(step);
    if (acts && out.find(column_of(step)) == std::string::npos) out += column_of(step);
  }
  std::sort(out.begin(), out.end());
  return out;
}

// The heading of a step in its column: the operation, a fault such as "A!late", or a client that goes on.
std::string heading_of(const ExploredStep& step) {
  std::string out = is_probe(step) ? "afterwards, any client" : step.client;
  if (step.word.empty() && step.client.size() == 1) out += " continues after its wait";
  if (step.word.size() > 1) out += " (" + step.word + ")";
  return step.doing.empty() ? out : out + " " + step.doing;
}

void write_action(const ExploredStep& step, HtmlWriter& out) {
  out.element("div", {{"class", "doing"}}, heading_of(step));
  if (!step.statement.empty()) out.element("pre", {{"class", "statement"}}, step.statement);
  if (!step.answer.empty()) out.element("div", {{"class", "answer"}}, "→ " + step.answer);
  if (!step.said.empty()) out.element("div", {{"class", "said"}}, "⇒ " + step.said);
}

void write_step(const ExploredStep& step, std::size_t number, const std::string& columns, HtmlWriter& out) {
  const auto row = out.tag("tr");
  out.element("th", {{"scope", "row"}}, std::to_string(number));
  out.element("td", {{"class", "clock"}, {"data-label", "time"}}, step.clock);
  if (step.client.empty()) {
    out.element("td", {{"colspan", std::to_string(std::max<std::size_t>(columns.size(), 1))}, {"class", "time-jump"}},
                "time passes: " + step.word);
  } else if (is_probe(step)) {
    const auto data = out.tag("td", {{"colspan", std::to_string(columns.size())}, {"class", "seen"}});
    write_action(step, out);
  } else {
    for (const char column : columns) {
      const auto data = out.tag("td", {{"class", "seen"}, {"data-label", std::string("client ") + column}});
      if (column == column_of(step)) write_action(step, out);
    }
  }
  const auto believers = out.tag("td", {{"class", "believers seen"}, {"data-label", "holders"}});
  for (const auto& one : step.believers) out.element("div", {}, one);
}

void write_steps(const ExploredFind& find, HtmlWriter& out) {
  if (find.steps.empty()) return;
  const std::string columns = columns_of(find.steps);
  const auto scroll = scrolling_part("steps of the schedule", out);
  const auto table = out.tag("table", {{"class", "steps cards"}});
  out.element("caption", {}, "The schedule, step by step; the last column has the clients that act as holder");
  {
    const auto head = out.tag("thead");
    const auto row = out.tag("tr");
    out.element("th", {{"scope", "col"}}, "step");
    out.element("th", {{"scope", "col"}, {"class", "clock"}}, "time");
    for (const char column : columns) out.element("th", {{"scope", "col"}}, std::string("client ") + column);
    out.element("th", {{"scope", "col"}}, "holders");
  }
  const auto body = out.tag("tbody");
  for (std::size_t i = 0; i < find.steps.size(); ++i) write_step(find.steps[i], i + 1, columns, out);
}

void write_command(const char* label, const std::string& command, HtmlWriter& out) {
  if (command.empty()) return;
  out.element("p", {{"class", "label"}}, label);
  out.element("pre", {{"class", "command"}}, command);
}

void write_in_short(const std::vector<const ExploredFind*>& finds, HtmlWriter& out) {
  if (finds.empty()) return;
  const auto details = out.tag("details", {{"class", "more"}});
  out.element("summary", {}, plural(static_cast<std::int64_t>(finds.size()), "more find", "more finds"));
  const auto list = out.tag("ul", {{"class", "finds"}});
  for (std::size_t i = 0; i < std::min(finds.size(), kMostInShort); ++i) {
    const auto item = out.tag("li");
    out.element("strong", {}, finds[i]->invariant);
    out.text(": " + (finds[i]->cause.empty() ? finds[i]->text : finds[i]->cause) + ". Needs " + finds[i]->needs +
             "; schedule: " + finds[i]->schedule);
    out.element("pre", {{"class", "command"}}, finds[i]->replay);
  }
  if (finds.size() > kMostInShort) {
    out.element("li", {}, fmt::format("explored.json has {} more.", finds.size() - kMostInShort));
  }
}

}  // namespace

void write_explored_find(const ExploredFind& find, HtmlWriter& out) {
  const auto block = out.tag("div", {{"class", "explored"}});
  out.element("h3", {}, find.invariant + ": " + find.text);
  if (!find.cause.empty()) {
    const auto p = out.tag("p");
    out.element("strong", {}, "Cause: ");
    out.text(find.cause + ".");
  }
  out.element("p", {{"class", "quiet"}}, "Needs " + find.needs + ". Schedule: " + find.schedule);
  write_steps(find, out);
  write_command("Replay it", find.replay, out);
  write_command("Run it with real processes", find.scenario, out);
}

void write_explored_finds(const std::vector<ExploredFind>& finds, HtmlWriter& out) {
  std::vector<const ExploredFind*> others;
  for (const auto& find : finds) {
    find.first ? write_explored_find(find, out) : others.push_back(&find);
  }
  write_in_short(others, out);
}

const ExploredFind* told_find(const std::vector<ExploredFind>& finds, const Witness& witness) {
  const auto told = std::find_if(finds.begin(), finds.end(), [&witness](const ExploredFind& find) {
    return witness.text == find.text + "; schedule: " + find.schedule;
  });
  return told == finds.end() ? nullptr : &*told;
}

}  // namespace holdfast
