#include "adapter/adapter_program.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

#include "adapter/message_rows.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kDies_ms = 1'000;      // from the end of its output to the end of the process
constexpr std::int64_t kStopped_ms = 60'000;  // maximum time a program may be stopped while it ends
constexpr std::int64_t kNs = 1'000'000;       // in a millisecond

// An exception in a library's timer or thread would end any program that uses it; the adapter must not hide that.
constexpr const char* kOfThrown =
    "if a call of the library throws, answer info and continue; a throw in a timer or thread of the library ends "
    "programs that use it, so this is a finding: catch it only if your application does, and note "
    "that in lock.md";
constexpr const char* kOfStart = "correct the error that its standard error shows";

std::string how_it_ended(const AdapterProcess& process) {
  const auto end = process.wait(kDies_ms);
  return end ? "the program " + end->text() : "its output has ended, but the program still runs";
}

}  // namespace

AdapterProgram::AdapterProgram(std::string name, const AdapterCommand& command, const AdapterLimits& limits, Hear hear)
    : name_(std::move(name)), limits_(limits), hear_(std::move(hear)), command_(command), process_(command) {
  reader_ = std::make_unique<AdapterReader>(
      process_.output(), [this](const AdapterLine& line) { hear_line(line); },
      [this](const std::string& rest) { hear_end(rest); });
}

AdapterProgram::~AdapterProgram() {
  reader_.reset();
}

std::unique_ptr<AdapterProgram> AdapterProgram::start(const std::string& name, const AdapterCommand& command,
                                                      AdapterMessage hello, const AdapterLimits& limits, Hear hear) {
  std::unique_ptr<AdapterProgram> program(new AdapterProgram(name, command, limits, std::move(hear)));
  program->greet(std::move(hello));
  return program;
}

void AdapterProgram::greet(AdapterMessage hello) {
  hello.name = MessageName::hello;
  hello.v = kAdapterProtocol;
  hello.adapter = name_;
  const AdapterMessage answer = ask(hello).message;
  if (answer.name == MessageName::fail) {
    fail("it cannot start: " + answer.why.value_or("it gives no reason"), start_remedy());
  }
  if (answer.name == MessageName::ready && *answer.v != kAdapterProtocol) {
    fail("it speaks version " + std::to_string(*answer.v) + " of the protocol",
         "speak version " + std::to_string(kAdapterProtocol));
  }
  refuse_broken();
  ready_ = answer;
  threads_ = can("threads");
}

bool AdapterProgram::can(const std::string& word) const {
  return ready_.can && std::find(ready_.can->begin(), ready_.can->end(), word) != ready_.can->end();
}

std::int64_t AdapterProgram::limit_of(const AdapterMessage& request) const {
  if (request.name == MessageName::hello) return limits_.start_ms;
  const bool is_call = request.name == MessageName::acquire || request.name == MessageName::renew ||
                       request.name == MessageName::release;
  if (is_call && !limits_.of_calls) return -1;
  if (request.name == MessageName::acquire) return request.wait_ms ? limits_.answer_ms + *request.wait_ms : -1;
  return limits_.answer_ms + request.ms.value_or(0);
}

std::int64_t AdapterProgram::send(AdapterMessage request) {
  const std::lock_guard writing(writing_);
  {
    const std::lock_guard lock(mutex_);
    if (error_) throw AdapterError(*error_);
    request.n = last_n_ + 1;
  }
  const std::string line = to_line(request) + "\n";
  if (line.size() > kLongestMessage)
    throw HarnessError("a request is longer than the protocol allows; remedy: use fewer keys");
  {
    const std::lock_guard lock(mutex_);
    last_n_ = *request.n;
    open_[last_n_] = {request.name, limit_of(request), monotonic_ns(), std::nullopt};
  }
  const auto written = process_.write(line, limits_.answer_ms);
  if (written == AdapterProcess::Written::too_slow) {
    fail("it has not read any request for " + std::to_string(limits_.answer_ms) + " ms");
  }
  if (written == AdapterProcess::Written::closed) {
    const bool ended = process_.wait(kDies_ms).has_value();
    if (ended) fail_ended();
    fail("it has closed its input; " + how_it_ended(process_));  // the first failure is kept
  }
  return *request.n;
}

std::string AdapterProgram::start_remedy() const {
  if (command_.install.empty()) return kOfStart;
  return command_.install + " (the install command of lock.json); if it is already installed, " + kOfStart;
}

// The program ended, or closed its output, between two lines and without `bye`.
void AdapterProgram::fail_ended() {
  bool greeted = false;
  {
    const std::lock_guard lock(mutex_);
    greeted = last_n_ > 0;
  }
  const std::string how = how_it_ended(process_);
  if (greeted) return fail(how + " without a request to exit", kOfThrown);
  std::string words;
  for (const std::string& word : command_.words) words += " " + word;
  fail(how + " before it was ready; its command:" + words, start_remedy());
}

std::int64_t AdapterProgram::oldest_open() const {
  for (const auto& [n, open] : open_) {
    if (!open.answer) return n;
  }
  return -1;
}

AdapterSaid AdapterProgram::wait(std::int64_t n) {
  return *await(n, std::nullopt);
}

std::optional<AdapterSaid> AdapterProgram::wait_for(std::int64_t n, std::int64_t within_ms) {
  return await(n, within_ms);
}

std::optional<AdapterSaid> AdapterProgram::take_answer(std::int64_t n) {
  const std::lock_guard lock(mutex_);
  if (error_) throw AdapterError(*error_);
  const auto found = open_.find(n);
  if (found == open_.end() || !found->second.answer) return std::nullopt;
  AdapterSaid said = *std::move(found->second.answer);
  open_.erase(found);
  return said;
}

std::optional<AdapterSaid> AdapterProgram::await(std::int64_t n, std::optional<std::int64_t> within_ms) {
  const std::int64_t turn_ms = std::min(kSample_ms, within_ms.value_or(kSample_ms));
  FairTime time(process_.pid());  // counts towards its limit
  RunningTime patience;           // of the waiting caller
  std::optional<std::int64_t> ended_ns;
  std::unique_lock lock(mutex_);
  Open& mine = open_.at(n);
  const auto sample = [&] { patience.sample(monotonic_ns(), process_state(process_.pid())); };
  sample();
  while (true) {
    heard_.wait_for(lock, std::chrono::milliseconds(turn_ms), [&] { return mine.answer || error_; });
    if (error_) throw AdapterError(*error_);
    if (mine.answer) {
      AdapterSaid said = *std::move(mine.answer);
      open_.erase(n);
      return said;
    }
    sample();
    if (limits_.stopped_ms > 0 && patience.stopped_ns() > limits_.stopped_ms * kNs) stays_stopped();
    if (!ended_ns && process_.wait(0)) ended_ns = monotonic_ns();
    if (ended_ns && monotonic_ns() - *ended_ns > kDies_ms * kNs) left_its_output();
    if (within_ms && patience.ran_ns() >= *within_ms * kNs) return std::nullopt;
    if (mine.limit_ms < 0) continue;
    if (!threads_ && oldest_open() != n) {
      time = FairTime(process_.pid());
      continue;
    }
    time.sample(monotonic_ns());
    if (time.ran_ns() > mine.limit_ms * kNs) too_late(n, mine, time.starved());
  }
}

// Called with the mutex held.
void AdapterProgram::too_late(std::int64_t n, const Open& open, bool starved) {
  const std::string what = std::string("no answer to ") + to_text(open.request) + ", n " + std::to_string(n) +
                           ", for " + std::to_string(open.limit_ms) + " ms in which it was able to run";
  const bool starts = open.request == MessageName::hello;
  fail_locked({what, {}, starts ? "answer hello with ready, or increase start_ms in lock.json" : "", starved});
  throw AdapterError(*error_);
}

// Called with the mutex held.
void AdapterProgram::stays_stopped() {
  fail_locked({"it has an open request, but has been stopped (SIGSTOP) for more than " +
                   std::to_string(limits_.stopped_ms) + " ms",
               {},
               "do not stop processes in the adapter"});
  throw AdapterError(*error_);
}

// Called with the mutex held. Output does not end while a child process of the program has it open.
void AdapterProgram::left_its_output() {
  fail_locked({how_it_ended(process_) + " without a request to exit, and a process that it started keeps its output "
                                        "open",
               process_.last_lines(), kOfThrown});
  throw AdapterError(*error_);
}

void AdapterProgram::hear_line(const AdapterLine& line) {
  try {
    const AdapterSaid said{read_adapter_line(line.text), line.read_ns, 0};
    if (row_of(said.message.name).direction == Direction::answer) {
      hear_answer(said);
    } else if (hear_) {
      hear_(said);
    }
  } catch (const std::exception& wrong) {
    fail(wrong.what());
  }
}

void AdapterProgram::hear_answer(const AdapterSaid& said) {
  const std::int64_t n = said.message.n.value_or(0);  // only `ready` may omit it
  const std::string line = "; the line: " + shown_line(to_line(said.message));
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(n);
  if (n > last_n_) return fail_locked({"it answers n " + std::to_string(n) + ", which was not requested" + line});
  if (found == open_.end() || found->second.answer) {
    return fail_locked({"it answers n " + std::to_string(n) + " twice" + line});
  }
  if (!may_answer(found->second.request, said.message.name)) {
    return fail_locked({std::string("'") + to_text(said.message.name) + "' is not an answer to " +
                        to_text(found->second.request) + line});
  }
  found->second.answer = said;
  found->second.answer->sent_ns = found->second.sent_ns;
  heard_.notify_all();
}

void AdapterProgram::hear_end(const std::string& rest) {
  bool expected = false;
  {
    const std::lock_guard lock(mutex_);
    expected = ending_ && rest.empty();
  }
  if (!expected && rest.empty()) fail_ended();
  if (!rest.empty()) {
    fail(how_it_ended(process_) + " in the middle of a line; the line: " + shown_line(rest), "end each line");
  }
  const std::lock_guard lock(mutex_);
  output_ended_ = true;
  heard_.notify_all();
}

void AdapterProgram::fail(const std::string& what, const std::string& remedy) {
  const std::lock_guard lock(mutex_);
  fail_locked({what, {}, remedy});
}

void AdapterProgram::fail_locked(AdapterFailure failure) {
  if (error_) return;
  failure.said = process_.last_lines();
  error_ = AdapterError(name_, std::move(failure));
  heard_.notify_all();
}

std::optional<AdapterError> AdapterProgram::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void AdapterProgram::refuse_broken() const {
  const std::lock_guard lock(mutex_);
  if (error_) throw AdapterError(*error_);
}

AdapterFarewell AdapterProgram::end(bool says_bye) {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    says_bye = says_bye && !error_;
  }
  if (says_bye) process_.write(to_line(AdapterMessage{.name = MessageName::bye}) + "\n", limits_.end_ms);
  process_.close_input();
  bool starved = false;
  const std::int64_t stopped_ms = limits_.stopped_ms > 0 ? limits_.stopped_ms : kStopped_ms;
  const auto by_itself = process_.wait(limits_.end_ms, stopped_ms, &starved);
  process_.kill_group();
  const auto end = by_itself ? by_itself : process_.wait(limits_.end_ms);
  // messages up to the end count; a process that left the group may keep the output open
  std::unique_lock lock(mutex_);
  heard_.wait_for(lock, std::chrono::milliseconds(kDies_ms), [&] { return output_ended_; });
  return {by_itself.has_value(), end.value_or(AdapterEnd{0, SIGKILL}), starved};
}

}  // namespace holdfast
