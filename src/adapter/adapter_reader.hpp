// A thread that reads an adapter's output, splits it into lines and delivers each with its reading time. Beliefs begin
// and end at that time, so the reader must not be delayed, and no other clock is needed.
//
//   AdapterReader reader(process.output(), [](AdapterLine line) { ... }, [](const std::string& rest) { ... });
//
// A line longer than a message may be is delivered as soon as it exceeds that length, cut off, and its rest is dropped.
// It is therefore refused even if it never ends, and uses bounded memory. The last call is `ended`, with the text after
// the last line's end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <thread>

namespace holdfast {

struct AdapterLine {
  std::string text;          // without its end
  std::int64_t read_ns = 0;  // CLOCK_MONOTONIC
};

class AdapterReader {
 public:
  using Line = std::function<void(const AdapterLine&)>;
  using Ended = std::function<void(const std::string& rest)>;

  // The callbacks may not throw. `output` stays owned by the caller and outlives the reader. Throws HarnessError.
  AdapterReader(int output, Line line, Ended ended);
  ~AdapterReader();  // stops reading; `ended` is not called any more
  AdapterReader(const AdapterReader&) = delete;
  AdapterReader& operator=(const AdapterReader&) = delete;

 private:
  void read_all();
  void split(const char* bytes, std::size_t size, std::int64_t read_ns);

  int output_;
  int stop_;  // an eventfd
  Line line_;
  Ended ended_;
  std::string begun_;
  std::thread thread_;
};

}  // namespace holdfast
