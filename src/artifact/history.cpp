#include "artifact/history.hpp"

#include "artifact/error.hpp"
#include "artifact/history_line.hpp"

namespace holdfast {
namespace {

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

void drop_byte_order_mark(std::string& line) {
  if (line.compare(0, 3, "\xEF\xBB\xBF") == 0) line.erase(0, 3);
}

std::string article(EventType type) {
  return std::string(type == EventType::fail ? "a " : "an ") + to_text(type);
}

}  // namespace

HistoryReader::HistoryReader(const std::string& path)
    : path_(path), in_(path, std::ios::binary), parsed_(std::make_unique<HistoryLine>()) {
  if (!in_) throw BadInput(path + ": cannot be read");
  if (!read_line()) {
    throw BadInput(path + (in_.bad() ? ": cannot be read" : ": is empty: a history has one event a line"));
  }
  try {
    pending_ = !parse_history_header(line_, header_);
  } catch (const BadInput& e) {
    refuse(e.what());
  }
}

HistoryReader::~HistoryReader() = default;

void HistoryReader::refuse(const std::string& why) const {
  throw BadInput(path_ + ":" + std::to_string(line_number_) + ": " + why);
}

// The next line that is not blank.
bool HistoryReader::read_line() {
  while (std::getline(in_, line_)) {
    if (++line_number_ == 1) drop_byte_order_mark(line_);
    if (!is_blank(line_)) return true;
  }
  return false;
}

bool HistoryReader::next(Event& event) {
  if (!pending_ && !read_line()) {
    if (in_.bad()) throw BadInput(path_ + ": cannot be read to its end");
    return false;
  }
  pending_ = false;
  try {
    parse_history_line(line_, event, *parsed_);
  } catch (const BadInput& e) {
    refuse(e.what());
  }
  order(event, *parsed_);
  name(event, *parsed_);
  if (event.actor == Actor::client) pair(event, *parsed_);
  ++events_;
  return true;
}

void HistoryReader::order(Event& event, const HistoryLine& line) {
  if (events_ == 0) timed_ = line.has_time;
  if (line.has_time != timed_)
    refuse(timed_ ? "time: is missing, but earlier lines have it" : "time: earlier lines have none");
  if (!timed_) event.time_ns = static_cast<std::int64_t>(events_);
  if (!line.has_index) event.index = events_ == 0 ? 0 : last_index_ + 1;
  if (events_ > 0 && event.index == last_index_) refuse("index: " + std::to_string(event.index) + " occurs twice");
  if (events_ > 0 && event.index < last_index_) {
    refuse("index: goes backwards, from " + std::to_string(last_index_) + " to " + std::to_string(event.index));
  }
  if (events_ > 0 && event.time_ns < last_time_ns_) {
    refuse("time: goes backwards, from " + std::to_string(last_time_ns_) + " to " + std::to_string(event.time_ns));
  }
  last_index_ = event.index;
  last_time_ns_ = event.time_ns;
}

std::uint32_t HistoryReader::key_id(const HistoryLine& line) {
  static const std::string kOnlyLock;  // no key: the history is about one lock
  const std::string& key = line.has_key ? line.key : kOnlyLock;
  const auto [at, added] = key_ids_.try_emplace(key, static_cast<std::uint32_t>(names_.keys.size()));
  if (added) names_.keys.push_back(key);
  return at->second;
}

void HistoryReader::name(Event& event, const HistoryLine& line) {
  if (event.actor == Actor::nemesis) return;
  if (event.actor == Actor::resource) {
    event.key = key_id(line);
    return;
  }
  const auto [at, added] = process_ids_.try_emplace(line.process, static_cast<std::uint32_t>(names_.processes.size()));
  if (added) {
    names_.processes.push_back(line.process);
    open_.emplace_back();
    background_.emplace_back();
  }
  event.process = at->second;
  if (!line.has_client) event.client = event.process;
  // A completion or a leave without a key means that of the process's last invocation.
  const Open& open = open_of(event);
  event.key = line.has_key || event.type == EventType::invoke || !open.keyed ? key_id(line) : open.key;
}

void HistoryReader::pair(Event& event, const HistoryLine& line) {
  if (event.op == Op::leave) return;  // a single line: it says something, and asks for nothing
  Open& open = open_of(event);
  const std::string process = "process " + names_.processes[event.process].substr(0, 64);
  if (event.type == EventType::invoke) {
    if (open.open) refuse(process + " invokes " + to_text(event.op) + " while its " + to_text(open.op) + " is open");
    open = {true, true, event.op, event.key};
    return;
  }
  if (!open.open || open.op != event.op) {
    refuse(article(event.type) + " of " + to_text(event.op) + " by " + process + " that it did not invoke");
  }
  if (line.has_key && event.key != open.key) {
    refuse(process + " invoked " + to_text(event.op) + " on key '" + names_.keys[open.key].substr(0, 64) +
           "', its completion names another key");
  }
  open.open = false;
}

}  // namespace holdfast
