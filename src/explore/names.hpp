// The names of a schedule: "orders", "A1". While the search runs they end in a number, the same for all schedules,
// which the store replaces by a fresh one whenever it asks its server: rows that an earlier schedule deleted would be
// in the way. A schedule that is shown to people has plain names, on new tables. That a find comes out again so is
// asked of each; one that does not depends on something hidden (hidden_state.hpp).
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

// The number that the real store sees in the place of that one: another for each schedule, or, with `keep`, the
// same all the time: that one.
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
