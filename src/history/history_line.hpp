// One line of a history file as text <-> one Event, and its fields, typed and bounded.
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "artifact/error.hpp"
#include "history/event.hpp"
#include "history/history_source.hpp"
#include "history/time_form.hpp"

namespace holdfast {

constexpr std::int64_t kMaxLeaseMs = kMaxTimeNs / 1'000'000;

// Typed, bounded fields of one parsed JSON object of a history. Absent fields leave `out` unchanged and return false; a
// wrong type or a number out of bounds throws BadInput with the field's name.
class HistoryFields {
 public:
  explicit HistoryFields(const nlohmann::json& object) : object_(object) {}

  const nlohmann::json* find(const char* name) const {
    const auto at = object_.find(name);
    return at == object_.end() ? nullptr : &*at;
  }
  template <typename Int>
  bool integer(const char* name, Int& out, std::int64_t least, std::int64_t most) const {
    const nlohmann::json* value = find(name);
    if (!value) return false;
    if (value->is_number_float()) throw BadInput(std::string(name) + ": expected an integer of at most 64 bits");
    if (!value->is_number_integer()) throw BadInput(std::string(name) + ": expected an integer");
    const bool huge = value->is_number_unsigned() && value->get<std::uint64_t>() > std::uint64_t(most);
    if (huge || value->get<std::int64_t>() < least) {
      throw BadInput(std::string(name) + ": must be from " + std::to_string(least) + " to " + std::to_string(most));
    }
    out = static_cast<Int>(value->get<std::int64_t>());
    return true;
  }
  // 64 bits without a sign, as a number or (since many JSON writers hold only 53 bits) as a string of digits.
  bool unsigned64(const char* name, std::uint64_t& out) const {
    const nlohmann::json* value = find(name);
    if (!value || value->is_null()) return false;
    if (value->is_number_unsigned()) {
      out = value->get<std::uint64_t>();
      return true;
    }
    const std::string digits = value->is_string() ? value->get<std::string>() : "";
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) {
      throw BadInput(std::string(name) +
                     ": expected a number from 0 to 18446744073709551615, or a string of its digits");
    }
    return true;
  }
  bool text(const char* name, std::string& out) const {
    const nlohmann::json* value = find(name);
    if (!value) return false;
    if (!value->is_string()) throw BadInput(std::string(name) + ": expected a string");
    out = value->get_ref<const std::string&>();
    return true;
  }
  bool boolean(const char* name, bool& out) const {
    const nlohmann::json* value = find(name);
    if (!value) return false;
    if (!value->is_boolean()) throw BadInput(std::string(name) + ": expected true or false");
    out = value->get<bool>();
    return true;
  }
  // A name may be written as a string or as a number.
  template <typename Name>
  bool name(const char* field, Name& out) const {
    const nlohmann::json* value = find(field);
    if (!value) return false;
    if (value->is_string()) {
      out = value->get_ref<const std::string&>();
    } else if (value->is_number_unsigned()) {
      out = std::to_string(value->get<std::uint64_t>());
    } else {
      throw BadInput(std::string(field) + ": expected a string or a number of at least 0");
    }
    return true;
  }
  template <typename Enum>
  bool word(const char* name, Enum& out, const char* allowed) const {
    std::string word;
    if (!text(name, word)) return false;
    if (!from_text(word, out)) {
      throw BadInput("unknown " + std::string(name) + " '" + word.substr(0, 64) + "'; known: " + allowed);
    }
    return true;
  }

 private:
  const nlohmann::json& object_;
};

constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMinInteger = std::numeric_limits<std::int64_t>::min();

// Converts one line of a history file to one Event and back. It checks only the line's own form; HistoryReader checks
// what depends on earlier lines (names, order, invocations).
//
//   HistoryLine line;
//   parse_history_line(R"({"process":1,"type":"invoke","f":"acquire","key":"orders"})", event, line);
//
// Throws BadInput with the bare reason ("unknown f 'lock' ..."); the reader adds file and line. Numbers are bounded so
// that the sum of a time and a lease cannot overflow.

// A name as written in a line. If it refers to the line's text, it is valid until the next line, without a copy.
class LineName {
 public:
  LineName& operator=(std::string text) {
    own_ = std::move(text);
    owned_ = true;
    number_ = kNoNumber;
    return *this;
  }
  void refer(std::string_view text) {
    there_ = text;
    owned_ = false;
    number_ = kNoNumber;
  }
  // The name is written as a number in its canonical form.
  void refer(std::string_view text, std::uint32_t number) {
    refer(text);
    number_ = number;
  }
  // Copies the name, so that it outlives the line.
  void keep() {
    if (!owned_) own_ = there_;
    owned_ = true;
  }
  std::string_view text() const { return owned_ ? std::string_view(own_) : there_; }
  bool is_number() const { return number_ != kNoNumber; }
  std::uint32_t number() const { return number_; }

 private:
  static constexpr std::uint32_t kNoNumber = ProcessNames::kMost;
  std::string own_;
  std::string_view there_;
  bool owned_ = true;
  std::uint32_t number_ = kNoNumber;
};

// Names and omissions of a line; the reader converts them to the event's dense ids.
struct HistoryLine {
  bool has_index = false;
  bool has_time = false;
  bool has_key = false;
  bool has_client = false;
  TimeForm time_form = TimeForm::nanoseconds;  // if it has a time
  LineName process;
  LineName key;
};

void parse_history_line(std::string_view text, Event& event, HistoryLine& line);
// Without `timed` no time is written: the source had none, and its events are numbered instead.
void append_history_line(std::string& text, const Event& event, const Names& names, bool timed = true);

// The header line. `parse_history_header` returns false if the line is not a header (a foreign history).
bool parse_history_header(std::string_view text, HistoryHeader& header);
std::string history_header_line(const HistoryHeader& header);

// The end record of a run's history with its number of events; empty: another line.
std::string history_end_line(std::uint64_t events);
std::optional<std::uint64_t> parse_history_end(std::string_view text);

}  // namespace holdfast
