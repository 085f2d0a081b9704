// The baseline for the client process: the same statements of insert_lease and of the resource, sent by a loop over the
// bare client library, with no session, journal, control page or lock between.
//
//   PlainLoop loop("10.77.0.2", "10.77.0.3");
//   std::int64_t rounds = loop.run(until_ns);   // rounds of acquire, read, write, release
//
// Errors end the program: it is a benchmark.
#pragma once

#include <cstdint>
#include <string>

struct st_mysql;

namespace holdfast {

class PlainLoop {
 public:
  PlainLoop(const std::string& lock_host, const std::string& resource_host);
  ~PlainLoop();
  PlainLoop(const PlainLoop&) = delete;
  PlainLoop& operator=(const PlainLoop&) = delete;
  std::int64_t run(std::int64_t until_ns);  // on CLOCK_MONOTONIC

 private:
  void round();
  st_mysql* lock_;
  st_mysql* resource_;
  std::int64_t number_ = 0;
};

}  // namespace holdfast
