// Keeps the logs that a trial's programs write into its folder by themselves, servers' above all, from filling the
// disk.
//
//   ServerLogs logs(folder);
//   logs.look();     // again and again while the trial runs
//   logs.finish();   // when its processes have ended
//
// The first kBeginOfLog bytes of each log are kept, and the last kEndOfLogKept at the trial's end, with a notice
// between them, as in an adapter's (adapter/bounded_log.hpp). A server opens its log itself and appends to it: each
// look cuts off what is too much, and the server goes on at the new end. Between two looks a log can grow without a
// bound.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace holdfast {

class ServerLogs {
 public:
  explicit ServerLogs(std::string folder) : folder_(std::move(folder)) {}
  void look();
  void finish();

 private:
  struct Cut {
    std::uint64_t beyond = 0;  // bytes that the server wrote beyond what is kept of the beginning
    std::uint64_t own = 0;     // bytes in the file behind that beginning, as it was left here
  };

  void look_at_all();
  void cut(const std::string& name, std::uint64_t size);

  std::string folder_;
  std::map<std::string, Cut> cuts_;  // by the log's name; only of those that were too long
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace holdfast
