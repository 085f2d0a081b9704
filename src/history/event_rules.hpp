// Rules for every source of events: names become dense ids, time and index increase, and each completion matches an
// open invocation of the same process and key.
//
//   EventRules rules;
//   rules.admit(event, line);        // fills event.process, client, key, index and time; throws BadInput("index: ...")
//
// Without times, an event's time is its position. Throws BadInput with the bare reason; the source adds the location.
// It neither reads input nor interprets answers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "history/history_line.hpp"
#include "history/history_source.hpp"
#include "history/same_text.hpp"

namespace holdfast {

class EventRules {
 public:
  void admit(Event& event, const HistoryLine& line);

  // For sources with numbers instead of names: ids of these names, and events that have ids and times.
  std::uint32_t process_id(std::string_view name) { return room_for(names_.processes.id_of(name)); }
  std::uint32_t process_id(std::uint32_t number) { return room_for(names_.processes.id_of(number)); }
  std::uint32_t key_id(std::string_view name) {
    const std::uint32_t guess = guesses_[guess_of(name)];
    return guess < names_.keys.size() && same_text(names_.keys[guess], name) ? guess : look_up_key(name);
  }
  void admit(Event& event) {
    event.index = events_;
    if (event.time_ns < last_time_ns_) refuse_time(event);
    last_time_ns_ = event.time_ns;
    if (event.actor == Actor::client) pair(event, true);
    ++events_;
  }

  // Declares that client numbers are given explicitly and are not process names, as in histories of runs.
  void clients_are_numbered() { clients_named_ = true; }

  const Names& names() const { return names_; }
  bool timed() const { return timed_; }
  std::uint64_t events() const { return events_; }

 private:
  // Eight bytes, so that it is indexed by a shift and written in one store.
  struct Open {
    bool open = false;
    bool keyed = false;  // `key` is set by an invocation
    Op op = Op::acquire;
    bool shared = false;
    std::uint32_t key = 0;
  };
  // Hashes texts for look-ups without a copy.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  // Most lines use a name of one of the last lines, which is tried first, by the name's end.
  static constexpr std::size_t kGuesses = 1024;
  static std::size_t guess_of(std::string_view name) {
    std::uint32_t end = 0;
    if (name.size() >= sizeof end) {
      std::memcpy(&end, name.data() + name.size() - sizeof end, sizeof end);
    } else {
      for (const char c : name) end = end << 8 | static_cast<unsigned char>(c);
    }
    return ((end + static_cast<std::uint32_t>(name.size())) * 2654435769U) >> 22;
  }
  std::uint32_t room_for(std::uint32_t process) {
    if (process >= open_.size()) open_.resize(process + 1);
    return process;
  }
  void order(Event& event, const HistoryLine& line) {
    const bool usual = events_ > 0 && timed_ && line.has_time && event.time_ns >= last_time_ns_;
    if (!line.has_index) event.index = events_ == 0 ? 0 : last_index_ + 1;
    if (!usual || event.index <= last_index_) order_unusual(event, line);
    last_index_ = event.index;
    last_time_ns_ = event.time_ns;
  }
  void order_unusual(Event& event, const HistoryLine& line);
  void name(Event& event, const HistoryLine& line);
  void name_client(Event& event, const HistoryLine& line);
  void name_struck(Event& event);
  Open& open_of(const Event& event) { return event.background ? background(event.process) : open_[event.process]; }
  Open& background(std::uint32_t process) {
    if (process >= background_.size()) background_.resize(process + 1);
    return background_[process];
  }
  std::uint32_t key_id(const HistoryLine& line);
  std::uint32_t look_up_key(std::string_view name);
  void pair(const Event& event, bool has_key) {
    if (event.op == Op::leave) return;  // a single line without an invocation
    Open& open = open_of(event);
    if (event.type == EventType::invoke) {
      if (open.open) refuse_second(event, open);
      open = {true, true, event.op, event.shared, event.key};
      return;
    }
    const bool same = open.open && open.op == event.op && (event.key == open.key || !has_key);
    if (!same || (event.shared && !open.shared)) refuse_completion(event, open);
    open.open = false;
  }
  [[noreturn]] void refuse_time(const Event& event) const;
  [[noreturn]] void refuse_second(const Event& event, const Open& open) const;
  [[noreturn]] void refuse_completion(const Event& event, const Open& open) const;
  std::string process_of(const Event& event) const {
    return "process " + names_.processes.at(event.process).substr(0, 64);
  }

  bool timed_ = true;
  std::uint64_t events_ = 0;
  std::uint64_t last_index_ = 0;
  std::int64_t last_time_ns_ = 0;
  Names names_;
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> keys_;
  std::array<std::uint32_t, kGuesses> guesses_{};
  bool clients_named_ = false;    // a line has given the client of its process
  std::vector<Open> open_;        // by process
  std::vector<Open> background_;  // by process: its watchdog's operations
};

}  // namespace holdfast
