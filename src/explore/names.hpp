// The names of a schedule: "orders", "A1". While the search runs they end in a number, the same for all schedules,
// which the store replaces by a fresh one whenever it asks its server: rows that an earlier schedule deleted would be
// in the way. A schedule that is shown to people has plain names.
#pragma once

#include <string>

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

}  // namespace holdfast
