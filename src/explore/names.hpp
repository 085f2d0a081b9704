// The names of a schedule: "orders", "A1". During the search they end with a number, equal for all schedules, which the
// store replaces by a fresh one for each use of its server: rows deleted by an earlier schedule would otherwise
// interfere. Schedules for people have plain names, on new tables. Every find is repeated in that form; one that does
// not occur again depends on hidden state (hidden_state.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace holdfast {

inline const std::string kNumberOfNames = "-1000000000";

class ScheduleNames {
 public:
  void begin(bool plain) { suffix_ = plain ? "" : kNumberOfNames; }
  std::string key() const { return "orders" + suffix_; }
  std::string owner(const std::string& client, const std::string& grant) const {
    const std::string name = client + grant;
    return suffix_.empty() ? name : key() + "-" + name;
  }

 private:
  std::string suffix_;
};

// The number that the real store sees instead: a new one for each schedule, or with `keep` always the same.
class FreshNames {
 public:
  explicit FreshNames(int world) : number_(kNamesOfAWorld * static_cast<std::uint64_t>(world + 1)) {}
  void keep(bool wanted) { keep_ = wanted; }
  bool kept() const { return keep_; }
  void next() { ++number_; }
  std::string real(std::string text) const { return keep_ ? text : replaced(std::move(text), kNumberOfNames, own()); }
  std::string known(std::string text) const { return keep_ ? text : replaced(std::move(text), own(), kNumberOfNames); }

 private:
  static constexpr std::uint64_t kNamesOfAWorld = 1'000'000'000;
  std::string own() const { return "-" + std::to_string(number_); }
  static std::string replaced(std::string text, const std::string& old, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) {
      text.replace(at, old.size(), by);
    }
    return text;
  }
  std::uint64_t number_;
  bool keep_ = false;
};

}  // namespace holdfast
