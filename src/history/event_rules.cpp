#include "history/event_rules.hpp"

#include "artifact/error.hpp"

namespace holdfast {
namespace {

std::string article(EventType type) {
  return std::string(type == EventType::fail ? "a " : "an ") + to_text(type);
}

[[noreturn]] void refuse(const std::string& why) {
  throw BadInput(why);
}

template <typename Ids>
std::uint32_t id_of(Ids& ids, std::vector<std::string>& names, const std::string& name) {
  std::uint32_t& guess = ids.guesses[name.empty() ? 0 : static_cast<unsigned char>(name.back()) % ids.guesses.size()];
  if (guess < names.size() && names[guess] == name) return guess;
  const auto [at, added] = ids.of.try_emplace(name, static_cast<std::uint32_t>(names.size()));
  if (added) names.push_back(name);
  return guess = at->second;
}

constexpr std::uint32_t kNobody = ~0U;  // no client's number, and not nobody in particular

}  // namespace

void EventRules::admit(Event& event, const HistoryLine& line) {
  order(event, line);
  name(event, line);
  if (event.actor == Actor::client) pair(event, line.has_key);
  ++events_;
}

void EventRules::admit(Event& event) {
  event.index = events_;
  if (event.time_ns < last_time_ns_) {
    refuse("time: goes backwards, from " + std::to_string(last_time_ns_) + " to " + std::to_string(event.time_ns));
  }
  last_time_ns_ = event.time_ns;
  pair(event, true);
  ++events_;
}

std::uint32_t EventRules::process_id(const std::string& name) {
  const std::uint32_t id = id_of(processes_, names_.processes, name);
  if (id == open_.size()) {
    open_.emplace_back();
    background_.emplace_back();
  }
  return id;
}

std::uint32_t EventRules::key_id(const std::string& name) {
  return id_of(keys_, names_.keys, name);
}

void EventRules::order(Event& event, const HistoryLine& line) {
  if (events_ == 0) timed_ = line.has_time;
  if (line.has_time != timed_)
    refuse(timed_ ? "time: is missing, but earlier lines have it" : "time: earlier lines have none");
  if (!line.has_index) event.index = events_ == 0 ? 0 : last_index_ + 1;
  if (!timed_) event.time_ns = static_cast<std::int64_t>(event.index);
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

std::uint32_t EventRules::key_id(const HistoryLine& line) {
  static const std::string kOnlyLock;  // no key: the history is about one lock
  return key_id(line.has_key ? line.key : kOnlyLock);
}

void EventRules::name(Event& event, const HistoryLine& line) {
  if (event.actor == Actor::nemesis) return name_struck(event);
  if (event.actor == Actor::resource) {
    event.key = key_id(line);
    return;
  }
  event.process = process_id(line.process);
  if (!line.has_client) event.client = event.process;
  clients_named_ = clients_named_ || line.has_client;
  // A completion or a leave without a key means that of the process's last invocation.
  const Open& open = open_of(event);
  event.key = line.has_key || event.type == EventType::invoke || !open.keyed ? key_id(line) : open.key;
}

// Where no line says which client a process belongs to, a client's number is the name of its process.
void EventRules::name_struck(Event& event) {
  if (clients_named_) return;
  std::vector<std::uint32_t> struck;
  for (const std::uint32_t number : event.clients) {
    const auto process = processes_.of.find(std::to_string(number));
    struck.push_back(process == processes_.of.end() ? kNobody : process->second);
  }
  event.clients = std::move(struck);
}

void EventRules::pair(const Event& event, bool has_key) {
  if (event.op == Op::leave) return;  // a single line: it says something, and asks for nothing
  Open& open = open_of(event);
  const auto process = [&] { return "process " + names_.processes[event.process].substr(0, 64); };
  if (event.type == EventType::invoke) {
    if (open.open) refuse(process() + " invokes " + to_text(event.op) + " while its " + to_text(open.op) + " is open");
    open = {true, true, event.op, event.key, event.shared};
    return;
  }
  if (!open.open || open.op != event.op) {
    refuse(article(event.type) + " of " + to_text(event.op) + " by " + process() + " that it did not invoke");
  }
  if (has_key && event.key != open.key) {
    refuse(process() + " invoked " + to_text(event.op) + " on key '" + names_.keys[open.key].substr(0, 64) +
           "', its completion names another key");
  }
  if (event.shared && !open.shared)
    refuse("mode: is said when " + process() + " invokes, and it said none, or another");
  open.open = false;
}

}  // namespace holdfast
