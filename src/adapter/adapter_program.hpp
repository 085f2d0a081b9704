// The conversation with one adapter: concurrent requests from several threads, each answer delivered to its caller, and
// unasked messages to a handler.
//
//   auto adapter = AdapterProgram::start("redis_py", command, hello, limits, [](const AdapterSaid& said) { ... });
//   AdapterMessage acquire{.name = MessageName::acquire, .wait_ms = 0, .lease_ms = 1000, .lock = "orders"};
//   const AdapterSaid answer = adapter->ask(acquire);     // sets `n`
//   const AdapterEnd end = adapter->end();                // bye, end of file, finally kill -9
//
// Errors are AdapterError and permanent: every later call throws the same. Limits count only time in which the program
// was able to run (running_time.hpp), so a program stopped by a fault is late but not wrong. An adapter without
// `threads` may answer requests one by one, so the limit of a request begins when it is the oldest open one.
//
// Unasked messages are delivered by the reader's thread in reading order, possibly before the caller of an earlier
// answer wakes up: `read_ns` gives the true order.
//
// Threads: all functions except start and end may be called from any thread at any time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "adapter/adapter_error.hpp"
#include "adapter/adapter_message.hpp"
#include "adapter/adapter_process.hpp"
#include "adapter/adapter_reader.hpp"
#include "adapter/running_time.hpp"

namespace holdfast {

struct AdapterLimits {
  std::int64_t start_ms = 30'000;   // from the start to `ready`
  std::int64_t answer_ms = 30'000;  // in addition to the request's own wait_ms and ms
  std::int64_t end_ms = 5'000;      // from `bye` and the end of its input to its exit
  bool of_calls = true;             // false: acquire, renew and release have no limit; the caller ends the program
  std::int64_t stopped_ms = 0;      // maximum time stopped during a request; 0: unlimited, for faults
};

struct AdapterSaid {
  AdapterMessage message;
  std::int64_t read_ns = 0;  // CLOCK_MONOTONIC, as all times here
  std::int64_t sent_ns = 0;  // only of an answer: just before its request was written
};

struct AdapterFarewell {
  bool by_itself = false;  // false: it was killed
  AdapterEnd end;
  bool starved = false;  // killed after hardly getting a processor
};

class AdapterProgram {
 public:
  using Hear = std::function<void(const AdapterSaid&)>;

  // Returns when the adapter is ready. Sets `n` and `v` of the hello. Throws AdapterError, HarnessError, Unavailable.
  static std::unique_ptr<AdapterProgram> start(const std::string& name, const AdapterCommand& command,
                                               AdapterMessage hello, const AdapterLimits& limits, Hear hear = {});
  ~AdapterProgram();
  AdapterProgram(const AdapterProgram&) = delete;
  AdapterProgram& operator=(const AdapterProgram&) = delete;

  const AdapterMessage& ready() const { return ready_; }
  bool can(const std::string& word) const;
  pid_t pid() const { return process_.pid(); }  // and its group's number
  bool signal(int number) const { return process_.signal_group(number); }
  std::vector<std::string> last_lines() const { return process_.last_lines(); }  // on standard error
  const AdapterLimits& limits() const { return limits_; }

  AdapterSaid ask(const AdapterMessage& request) { return wait(send(request)); }

  // Sends without waiting, for callers that need `n` of an open request, for example to cancel it. Every sent `n` must
  // be waited for.
  std::int64_t send(AdapterMessage request);
  AdapterSaid wait(std::int64_t n);
  // Returns nothing if there is no answer within that much time in which the program was able to run; `n` must then
  // still be waited for. 0: does not wait.
  std::optional<AdapterSaid> wait_for(std::int64_t n, std::int64_t within_ms);
  // The same without waiting and without a limit, for callers that know that no more answers can come.
  std::optional<AdapterSaid> take_answer(std::int64_t n);

  // Returns the program's error, if it has one by now.
  std::optional<AdapterError> error() const;
  void refuse_broken() const;  // throws it

  // Sends bye (if requested and there is no error), closes its input, waits, and kills the rest of its group. No other
  // call may be active, and only error() may follow.
  AdapterFarewell end(bool says_bye = true);

 private:
  struct Open {
    MessageName request = MessageName::hello;
    std::int64_t limit_ms = -1;  // none
    std::int64_t sent_ns = 0;
    std::optional<AdapterSaid> answer;
  };

  AdapterProgram(std::string name, const AdapterCommand& command, const AdapterLimits& limits, Hear hear);
  void greet(AdapterMessage hello);
  std::optional<AdapterSaid> await(std::int64_t n, std::optional<std::int64_t> within_ms);
  std::int64_t limit_of(const AdapterMessage& request) const;
  void hear_line(const AdapterLine& line);
  void hear_answer(const AdapterSaid& said);
  void hear_end(const std::string& rest);
  void fail(const std::string& what, const std::string& remedy = "");  // the first failure is kept
  void fail_locked(AdapterFailure failure);
  void fail_ended();
  std::string start_remedy() const;
  std::int64_t oldest_open() const;
  [[noreturn]] void too_late(std::int64_t n, const Open& open, bool starved);
  [[noreturn]] void stays_stopped();
  [[noreturn]] void left_its_output();

  const std::string name_;
  const AdapterLimits limits_;
  const Hear hear_;
  const AdapterCommand command_;
  AdapterProcess process_;
  AdapterMessage ready_;
  bool threads_ = false;

  std::mutex writing_;  // one line at a time; taken before mutex_
  mutable std::mutex mutex_;
  std::condition_variable heard_;
  std::map<std::int64_t, Open> open_;  // by n
  std::int64_t last_n_ = -1;
  bool ending_ = false;
  bool output_ended_ = false;
  std::optional<AdapterError> error_;

  std::unique_ptr<AdapterReader> reader_;  // last: it uses all the others
};

}  // namespace holdfast
