// The names of one schedule. While the search runs, each schedule has a key and owners of its own, because rows that an
// earlier schedule deleted would be in the way; a schedule that is shown to people has plain names: "orders", "A1".
// `plain` takes from an answer what differs only by the schedule's number, so that states can be compared.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "store/session.hpp"

namespace holdfast {

class ScheduleNames {
 public:
  void begin(std::uint64_t schedule) {  // 0: plain names
    suffix_ = schedule == 0 ? "" : "-" + std::to_string(1'000'000'000 + schedule);
    numbers_.clear();
  }
  std::string key() const { return "orders" + suffix_; }
  std::string owner(const std::string& client, const std::string& grant) const {
    const std::string name = client + grant;
    return suffix_.empty() ? name : key() + "-" + name;
  }

  // A number that a lock sends may be made of a name (a hash of it); it is known again by who sent it when.
  void sends(const Param& param, std::uint64_t history) {
    const auto* number = std::get_if<std::int64_t>(&param.value);
    if (number != nullptr && *number >= 100'000) {
      numbers_.emplace(std::to_string(*number), std::string(param.name) + std::to_string(history));
    }
  }
  std::string plain(const std::string& text) const {
    if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
    std::string out = text;
    for (std::size_t at = 0; !suffix_.empty() && (at = out.find(suffix_, at)) != std::string::npos;) {
      out.erase(at, suffix_.size());
    }
    return out;
  }

 private:
  std::string suffix_;
  std::map<std::string, std::string> numbers_;
};

}  // namespace holdfast
