// Progress of a run on standard error: on a terminal one line updated each second (show_status), with an estimate of
// the time that is left; elsewhere (in a build server's log) a line every 15 seconds, even if no trial ends, so that
// the run does not look hung.
//
//   ProgressLine line(quiet);
//   line.start(70, seed, 12, folder);
//   line.show(3, 70, "insert_lease/pause caught");   // after each trial
//   line.end();
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace holdfast {

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine() { end(); }
  // Without a known number of trials.
  void start(std::size_t trials, std::uint64_t seed, int jobs, const std::string& folder);
  void show(int done, int trials, const std::string& last);
  void end();  // removes the line from the terminal

 private:
  void keep_alive();
  void print();  // with the mutex held, as the next one
  void print_safely() noexcept;

  bool quiet_;
  bool terminal_;
  bool shown_ = false;
  bool ended_ = false;
  std::size_t trials_ = 0;
  std::size_t done_ = 0;
  std::string last_;  // "insert_lease/pause caught"
  std::chrono::steady_clock::time_point begin_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace holdfast
