// The standard error of a program, kept in a file of bounded size: a library that logs without end fills no disk.
//
//   BoundedLog log(open_plain_file("adapter-0.log", FileUse::append));
//   start_child_with_standard_error(log.child_end());
//   log.child_has_its_end();
//   log.last_lines();                  // {"line 1", "line 2"}, whether there is a file or not
//
// The program writes into a pipe, and a thread of this object copies it: the file's first kBeginOfLog bytes as
// they come, then, when the object ends, how many bytes were left out and the last kEndOfLogKept of them. A program
// that its client outlives has its end in the file; one that dies with a killed client only its beginning. Without a
// file it keeps the last lines alone. A file that cannot be written costs what should have stood there, and nothing
// else.
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
  explicit BoundedLog(Descriptor file);  // none: there is no file. Throws HarnessError.
  ~BoundedLog();
  BoundedLog(const BoundedLog&) = delete;
  BoundedLog& operator=(const BoundedLog&) = delete;

  int child_end() const { return child_end_.get(); }
  void child_has_its_end() { child_end_ = Descriptor(); }
  std::vector<std::string> last_lines();  // of all that was written by now

 private:
  void copy_all();
  bool drain();  // false: the program has closed its end
  void keep(std::string_view bytes);
  void put(std::string_view bytes);
  void finish();

  Descriptor file_;
  Descriptor child_end_;
  Descriptor own_end_;  // of the pipe; does not block
  Descriptor stop_;
  std::mutex mutex_;
  std::vector<char> piece_;
  std::string tail_;
  std::uint64_t in_file_ = 0;   // bytes, what another program wrote before included
  std::uint64_t left_out_ = 0;  // the tail included
  std::thread thread_;
};

}  // namespace holdfast
