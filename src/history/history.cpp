#include "history/history.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/escaped_json.hpp"
#include "artifact/json_text.hpp"
#include "artifact/plain_file.hpp"
#include "history/history_line.hpp"
#include "history/line_reader.hpp"
#include "history/numbered_clients.hpp"
#include "history/plain_line.hpp"

namespace holdfast {
namespace {

std::string json_quoted(const std::string& text) {
  return text_of_json(nlohmann::json(text));
}

// Names that are plain numbers are written as numbers, as other tools do.
std::string name_json(const std::string& name) {
  const bool digits =
      !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits && name.size() < 19 && (name.size() == 1 || name[0] != '0') ? name : json_quoted(name);
}

struct LineText {
  std::string& text;

  template <typename Number>
  void number(const char* field, Number value) {
    fmt::format_to(std::back_inserter(text), ",\"{}\":{}", field, value);
  }
  void word(const char* field, const std::string& value) {
    fmt::format_to(std::back_inserter(text), ",\"{}\":{}", field, json_quoted(value));
  }
  void raw(const char* field, const std::string& json) {
    fmt::format_to(std::back_inserter(text), ",\"{}\":{}", field, json);
  }
};

void append_statements(LineText& out, const Event& event) {
  if (event.statements.empty()) return;
  out.text += ",\"statements\":[";
  for (const Statement& s : event.statements) {
    if (&s != &event.statements.front()) out.text += ',';
    fmt::format_to(std::back_inserter(out.text), R"({{"name":{},"call":{},"return":{},"rows":{},"error":{})",
                   json_quoted(s.name), s.call_ns, s.return_ns, s.rows, s.error);
    if (!s.values.empty()) out.raw("values", escaped_json(s.values));
    out.text += '}';
  }
  out.text += ']';
}

void append_client(LineText& out, const Event& event, const Names& names) {
  out.raw("process", name_json(names.processes.at(event.process)));
  out.word("type", to_text(event.type));
  out.word("f", to_text(event.op));
  const std::string& key = names.keys.at(event.key);
  if (!key.empty()) out.raw("key", name_json(key));
  if (event.token) out.number("token", *event.token);
  if (event.lease_ns) out.number("lease_ms", *event.lease_ns / 1'000'000);
  if (event.reason != Reason::none) out.word("reason", to_text(event.reason));
  out.number("client", event.client);
  if (event.number != 0) out.number("op", event.number);
  if (event.grant != 0) out.number("grant", event.grant);
  if (event.shared) out.word("mode", "shared");
  if (event.background) out.raw("background", "true");
  append_statements(out, event);
}

void append_nemesis(LineText& out, const Event& event) {
  out.raw("process", R"("nemesis","type":"info")");
  out.word("f", event.fault);
  out.word("step", to_text(event.step));
  if (!event.cause.empty()) out.word("cause", event.cause);
  if (!event.clients.empty()) out.raw("clients", fmt::format("[{}]", fmt::join(event.clients, ",")));
  if (event.stops) out.raw("stops", "true");
  if (event.aim != FaultAim::none) out.word("aim", to_text(event.aim));
  if (event.until_ns != 0) out.number("until", event.until_ns);
  if (event.waited_ns != 0) out.number("waited", event.waited_ns);
  if (!event.detail.empty()) out.word("detail", event.detail);
}

void append_accepted(LineText& out, const Event& event, const Names& names) {
  out.raw("process", R"("resource","type":"ok","f":"accepted")");
  const std::string& key = names.keys.at(event.key);
  if (!key.empty()) out.raw("key", name_json(key));
  out.number("client", event.client);
  out.number("grant", event.grant);
  out.number("op", event.number);
  out.number("base", event.accepted.base);
  out.number("value", event.accepted.value);
  if (event.token) out.number("token", *event.token);
  out.number("sequence", event.accepted.sequence);
}

void append_observed(LineText& out, const Event& event, const Names& names) {
  out.raw("process", R"("observer","type":"ok","f":"leader")");
  const std::string& key = names.keys.at(event.key);
  if (!key.empty()) out.raw("key", name_json(key));
  out.number("client", event.client);
  if (event.holder) out.number("holder", *event.holder);
}

void append_evaluated(LineText& out, const Event& event) {
  const Evaluated& evaluated = event.evaluated;
  out.raw("process", R"("assertion")");
  out.word("type", to_text(event.type));
  out.word("f", to_text(evaluated.kind));
  out.number("client", event.client);
  out.word("name", evaluated.name);
  if (evaluated.count > 0) out.number("count", evaluated.count);
  if (!evaluated.why.empty()) out.word("why", evaluated.why);
}

constexpr std::size_t kTail = 256;  // an end record is shorter

bool is_of_a_run(const InputFile& file) {
  LineReader lines(file);
  std::string_view line;
  HistoryHeader header;
  try {
    return lines.next(line) && parse_history_header(line, header);
  } catch (const BadInput&) {
    return false;  // broken, or another version: the reader reports it
  }
}

std::string last_line(const InputFile& file) {
  std::string tail = file.tail(kTail);
  while (!tail.empty() && (tail.back() == '\n' || tail.back() == '\r' || tail.back() == ' ')) tail.pop_back();
  const auto before = tail.rfind('\n');
  return before == std::string::npos ? tail : tail.substr(before + 1);
}

}  // namespace

HistoryReader::HistoryReader(const InputFile& file) : file_(file), lines_(file) {
  if (!lines_.next(line_)) throw BadInput(path() + ": is empty: a history has one event per line");
  try {
    pending_ = !parse_history_header(line_, header_);
  } catch (const BadInput& e) {
    refuse(e.what());
  }
  if (!header_.foreign || clients_are_numbered()) rules_.clients_are_numbered();
}

// Reads the lines twice instead of storing them; `check` reads only files that allow this.
bool HistoryReader::clients_are_numbered() const {
  if (!file_.can_be_read_again()) return false;
  LineReader lines(file_);
  return numbers_clients([&lines](std::string_view& text) { return lines.next(text); });
}

void HistoryReader::refuse(const std::string& why) const {
  throw BadInput(place() + ": " + why);
}

// Checks the end record of a run's history.
void HistoryReader::check_end() {
  const auto events = parse_history_end(line_);
  if (!events) return;
  if (*events != events_) {
    throw BadInput("the end record counts " + std::to_string(*events) + " events, and " + std::to_string(events_) +
                   " precede it: lines are missing or were added; remedy: run the trial again");
  }
  if (lines_.next(line_)) throw BadInput("a line after the end record");
  line_ = {};
}

// False at the end.
bool HistoryReader::next_line() {
  if (pending_) {
    pending_ = false;
    return true;
  }
  const bool more = lines_.next(line_);
  if (header_.foreign) return more;
  if (!more) {
    throw BadInput("the history was cut off: the record that ends a run's history, " + history_end_line(events_) +
                   " after these events, is missing; remedy: run the trial again");
  }
  check_end();
  return !line_.empty();
}

// Handles a line with another field order, or with rare fields.
void HistoryReader::read_line(Event& event) {
  if (!scan_plain_line(line_, event, parsed_)) return parse_history_line(line_, event, parsed_);
  usual_.learn(line_);
}

bool HistoryReader::next(Event& event) {
  if (ended_) return false;
  try {
    ended_ = !next_line();
    if (ended_) return false;
    if (!usual_.scan(line_, event, parsed_)) read_line(event);
    if (parsed_.has_time) times_.admit(parsed_.time_form, event.time_ns);
    rules_.admit(event, parsed_);
    ++events_;
  } catch (const BadInput& e) {
    refuse(e.what());
  }
  return true;
}

void append_history_line(std::string& text, const Event& event, const Names& names, bool timed) {
  fmt::format_to(std::back_inserter(text), "{{\"index\":{}", event.index);
  if (timed) fmt::format_to(std::back_inserter(text), ",\"time\":{}", event.time_ns);
  LineText out{text};
  switch (event.actor) {
    case Actor::client:
      append_client(out, event, names);
      break;
    case Actor::nemesis:
      append_nemesis(out, event);
      break;
    case Actor::resource:
      append_accepted(out, event, names);
      break;
    case Actor::observer:
      append_observed(out, event, names);
      break;
    case Actor::assertion:
      append_evaluated(out, event);
      break;
  }
  text += "}\n";
}

HistoryWriter::HistoryWriter(const std::string& path, const HistoryHeader& header)
    : path_(path), out_(nullptr, std::fclose), foreign_(header.foreign) {
  Descriptor file = open_plain_file(path, FileUse::write);
  out_.reset(::fdopen(file.get(), "wb"));
  if (!out_) throw HarnessError(path + ": cannot be created: " + system_text(errno));
  file.take();
  if (!header.foreign) put(history_header_line(header) + "\n");
}

void HistoryWriter::write(const Event& event, const Names& names) {
  text_.clear();
  append_history_line(text_, event, names);
  put(text_);
  ++events_;
}

void HistoryWriter::put(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), out_.get()) != text.size()) fail();
}

void HistoryWriter::fail() const {
  throw HarnessError(path_ + ": cannot be written: " + system_text(errno));
}

void HistoryWriter::finish() {
  if (!foreign_) put(history_end_line(events_) + "\n");
  if (std::fclose(out_.release()) != 0) fail();
}

void check_whole(const InputFile& file) {
  if (!is_of_a_run(file)) return;
  const std::string why =
      file.path() +
      ": the history was cut off: the record that ends a run's history is missing; remedy: run the trial again";
  try {
    if (!parse_history_end(last_line(file))) throw BadInput(why);
  } catch (const BadInput&) {
    throw BadInput(why);
  }
}

}  // namespace holdfast
