// A program's standard error in a file of bounded size, so that endless logging cannot fill the disk.
//
//   BoundedLog log(open_plain_file("adapter-0.log", FileUse::append));
//   start_child_with_standard_error(log.child_end());
//   log.child_has_its_end();
//   log.last_lines();                  // {"line 1", "line 2"}, with or without a file
//
// The program writes into a pipe, and a thread of this object copies it: the first kBeginOfLog bytes immediately, and
// when the object ends, the number of bytes left out and the last kEndOfLogKept bytes. If the client is killed, the
// file has only the beginning. Without a file only the last lines are kept. A file that cannot be written loses its
// text and causes no other error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "artifact/descriptor.hpp"
#include "artifact/log_bounds.hpp"

namespace holdfast {

class BoundedLog {
 public:
  explicit BoundedLog(Descriptor file);  // empty descriptor: no file. Throws HarnessError.
  ~BoundedLog();
  BoundedLog(const BoundedLog&) = delete;
  BoundedLog& operator=(const BoundedLog&) = delete;

  int child_end() const { return child_end_.get(); }
  void child_has_its_end() { child_end_ = Descriptor(); }
  std::vector<std::string> last_lines();  // of everything written so far

 private:
  void copy_all();
  bool drain();  // false: the program has closed its end
  void keep(std::string_view bytes);
  void put(std::string_view bytes);
  void finish();

  Descriptor file_;
  Descriptor child_end_;
  Descriptor own_end_;  // non-blocking end of the pipe
  Descriptor stop_;
  std::mutex mutex_;
  std::vector<char> piece_;
  std::string tail_;
  std::uint64_t in_file_ = 0;   // bytes, including those written by earlier programs
  std::uint64_t left_out_ = 0;  // including the kept tail
  std::thread thread_;
};

}  // namespace holdfast
