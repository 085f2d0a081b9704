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

}  // namespace

void EventRules::admit(Event& event, const HistoryLine& line) {
  order(event, line);
  if (event.actor == Actor::client) {
    name_client(event, line);
    pair(event, line.has_key);
  } else {
    name(event, line);
  }
  ++events_;
}

std::uint32_t EventRules::look_up_key(std::string_view name) {
  auto known = keys_.find(name);
  if (known == keys_.end()) {
    known = keys_.emplace(std::string(name), static_cast<std::uint32_t>(names_.keys.size())).first;
    names_.keys.emplace_back(name);
  }
  return guesses_[guess_of(name)] = known->second;
}

// Handles the first line, lines without times, and errors.
void EventRules::order_unusual(Event& event, const HistoryLine& line) {
  if (events_ == 0) timed_ = line.has_time;
  if (line.has_time != timed_)
    refuse(timed_ ? "time: is missing, but earlier lines have it" : "time: earlier lines have none");
  if (!timed_) event.time_ns = static_cast<std::int64_t>(event.index);
  if (events_ > 0 && event.index == last_index_) refuse("index: " + std::to_string(event.index) + " occurs twice");
  if (events_ > 0 && event.index < last_index_) {
    refuse("index: goes backwards, from " + std::to_string(last_index_) + " to " + std::to_string(event.index));
  }
  if (events_ > 0 && event.time_ns < last_time_ns_) refuse_time(event);
}

std::uint32_t EventRules::key_id(const HistoryLine& line) {
  return key_id(line.has_key ? line.key.text() : std::string_view());  // no key: the history is about one lock
}

void EventRules::name(Event& event, const HistoryLine& line) {
  if (event.actor == Actor::nemesis) return name_struck(event);
  if (event.actor == Actor::assertion) return;  // it concerns no key
  event.key = key_id(line);
  const bool names_a_holder = event.actor == Actor::observer && event.holder && !clients_named_;
  if (names_a_holder) event.holder = process_id(*event.holder);
}

void EventRules::name_client(Event& event, const HistoryLine& line) {
  const LineName& process = line.process;
  event.process = process.is_number() ? process_id(process.number()) : process_id(process.text());
  if (!line.has_client) event.client = event.process;
  clients_named_ = clients_named_ || line.has_client;
  // A completion or leave without a key refers to the key of the process's last invocation.
  const Open& open = open_of(event);
  event.key = line.has_key || event.type == EventType::invoke || !open.keyed ? key_id(line) : open.key;
}

// If no line gives the client of a process, a client's number is the name of its process, which may be struck, or
// reported as leader, before its first event.
void EventRules::name_struck(Event& event) {
  if (clients_named_) return;
  for (std::uint32_t& client : event.clients) client = process_id(client);
}

void EventRules::refuse_time(const Event& event) const {
  refuse("time: goes backwards, from " + std::to_string(last_time_ns_) + " to " + std::to_string(event.time_ns));
}

void EventRules::refuse_second(const Event& event, const Open& open) const {
  refuse(process_of(event) + " invokes " + to_text(event.op) + " while its " + to_text(open.op) + " is open");
}

void EventRules::refuse_completion(const Event& event, const Open& open) const {
  if (!open.open || open.op != event.op) {
    refuse(article(event.type) + " of " + to_text(event.op) + " by " + process_of(event) + " that it did not invoke");
  }
  if (event.key != open.key) {
    refuse(process_of(event) + " invoked " + to_text(event.op) + " on key '" + names_.keys[open.key].substr(0, 64) +
           "', its completion names another key");
  }
  refuse("mode: is given when " + process_of(event) + " invokes, but the invocation had none or a different one");
}

}  // namespace holdfast
