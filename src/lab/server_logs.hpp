// Limits the size of logs that a trial's programs, mainly servers, write into its folder by themselves.
//
//   ServerLogs logs(folder);
//   logs.look();     // repeatedly during the trial
//   logs.finish();   // after its processes have ended
//
// Keeps the first kBeginOfLog bytes of each log and, at the trial's end, the last kEndOfLogKept, with a notice between
// them, as in an adapter's log (adapter/bounded_log.hpp). A server opens its log itself in append mode: each look
// truncates the excess, and the server continues at the new end. Between two looks a log can grow without limit.
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
    std::uint64_t beyond = 0;  // bytes written after the kept beginning
    std::uint64_t own = 0;     // size of the remaining part after that beginning
  };

  void look_at_all();
  void cut(const std::string& name, std::uint64_t size);

  std::string folder_;
  std::map<std::string, Cut> cuts_;  // by the log's name; only logs that were too long
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace holdfast
