// A small program in C++ with threads that do nothing but read clocks, for the tests of the vDSO's clock. It answers:
//   clocks    every clock of its first thread, and the wall clock of each of the others
//   torn      how many readings of the others were off by none of the offsets that the test sets
//   fork      its child, which answers from now on until it is told "end"; then the parent does again
//   vfork     says so when its child, which only sleeps for a second, has ended
//   execute   it becomes sleep, and answers no more
//   stand     a thread stands inside the first bytes of gettimeofday, "go on" lets it go
#pragma once

#include <sys/time.h>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "lab/process_memory.hpp"
#include "lab/vdso_code.hpp"
#include "lab/vdso_image.hpp"
#include "tests/lab/vdso_victim.hpp"

namespace holdfast {

// Half of one and half of another would be off by something else.
inline constexpr std::int64_t kOneOffset_ns = 3'600 * kSecond_ns + 100'000'000;
inline constexpr std::int64_t kOtherOffset_ns = -7'200 * kSecond_ns + 900'000'000;

class ClockReaders {
 public:
  explicit ClockReaders(std::size_t threads) {
    for (std::size_t number = 0; number < threads; ++number) std::thread([this, number] { read(number); }).detach();
  }
  // The value of a reading that began after this call.
  std::int64_t wall_ns(std::size_t thread) const {
    const std::uint64_t begun = count_.at(thread).load();
    while (count_.at(thread).load() < begun + 2) std::this_thread::yield();
    return wall_.at(thread).load();
  }
  std::uint64_t torn() const { return torn_.load(); }

 private:
  static bool is_off_by(std::int64_t offset_ns, std::int64_t before_ns, std::int64_t seen_ns, std::int64_t after_ns) {
    return seen_ns >= before_ns + offset_ns - 1'000 && seen_ns <= after_ns + offset_ns;
  }
  void read(std::size_t number) {
    while (true) {
      const std::int64_t before_ns = true_ns(CLOCK_REALTIME);
      timespec now{};
      ::clock_gettime(CLOCK_REALTIME, &now);
      const std::int64_t seen_ns = now.tv_sec * kSecond_ns + now.tv_nsec;
      const std::int64_t after_ns = true_ns(CLOCK_REALTIME);
      bool known = false;
      for (const std::int64_t offset_ns : {std::int64_t{0}, kOneOffset_ns, kOtherOffset_ns}) {
        known = known || is_off_by(offset_ns, before_ns, seen_ns, after_ns);
      }
      if (!known) ++torn_;
      timeval day{};
      for (int more = 0; more < 20; ++more) ::gettimeofday(&day, nullptr);  // most of the time it is in the vDSO
      for (int more = 0; more < 20; ++more) ::clock_gettime(CLOCK_REALTIME, &now);
      wall_.at(number).store(seen_ns);
      ++count_.at(number);
    }
  }

  std::array<std::atomic<std::uint64_t>, 16> count_{};
  std::array<std::atomic<std::int64_t>, 16> wall_{};
  std::atomic<std::uint64_t> torn_{0};
};

inline std::string all_clocks(const ClockReaders& readers, std::size_t threads) {
  std::string out;
  const auto say = [&out](const std::string& name, std::int64_t ns) { out += name + "=" + std::to_string(ns) + " "; };
  const auto clock_ns = [](clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return now.tv_sec * kSecond_ns + now.tv_nsec;
  };
  timeval day{};
  ::gettimeofday(&day, nullptr);
  time_t stored = 0;
  const time_t second = ::time(&stored);
  say("wall", clock_ns(CLOCK_REALTIME));
  say("coarse", clock_ns(CLOCK_REALTIME_COARSE));
  say("tai", clock_ns(CLOCK_TAI));
  say("day", day.tv_sec * kSecond_ns + day.tv_usec * 1'000);
  say("second", second * kSecond_ns);
  say("second_stored", stored * kSecond_ns);
  say("monotonic", clock_ns(CLOCK_MONOTONIC));
  for (std::size_t number = 0; number < threads; ++number) {
    say("thread_" + std::to_string(number), readers.wall_ns(number));
  }
  return out;
}

// One thread stands on the second byte of gettimeofday, in a loop of two bytes, until it is let go: for good, since
// the jump will be written over it.
class Stander {
 public:
  void stand() {
    const ProcessMemory memory(::getpid());
    const auto range = memory.range("[vdso]").value();
    const VdsoImage image = read_vdso_image(memory.read(range.begin, range.size).value(), vdso_code().bytes.size());
    for (const VdsoEntry& entry : image.entries) {
      if (entry.name == "gettimeofday") at_ = range.begin + entry.jump;
    }
    memory.write(at_, "\x90\xeb\xfe");  // nop; here: jmp here
    thread_ = std::thread([at = at_] { reinterpret_cast<void (*)()>(at)(); });
  }
  void go_on() {
    ProcessMemory(::getpid()).write(at_ + 1, "\xc3");  // ret
    thread_.join();
  }

 private:
  std::uint64_t at_ = 0;
  std::thread thread_;
};

inline void clock_victim(int in, int out, std::size_t threads) {
  ::dup2(in, STDIN_FILENO);
  const ClockReaders readers(threads);
  Stander stander;
  const auto say = [out](const std::string& text) {
    static_cast<void>(::write(out, (text + "\n").c_str(), text.size() + 1));
  };
  bool is_child = false;
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "clocks") say(all_clocks(readers, is_child ? 0 : threads));
    if (line == "torn") say("torn=" + std::to_string(readers.torn()));
    if (line == "end") ::_exit(0);
    if (line == "execute") ::execl("/bin/sleep", "sleep", "60", nullptr);
    if (line == "vfork") {
      const timespec second{1, 0};
      if (::vfork() == 0) {
        ::syscall(SYS_nanosleep, &second, nullptr);
        ::_exit(0);
      }
      say("its child has ended");
    }
    if (line == "stand") stander.stand();
    if (line == "go on") stander.go_on();
    if (line == "stand" || line == "go on") say("done");
    if (line != "fork") continue;
    const pid_t child = ::fork();
    is_child = child == 0;
    if (is_child) say("pid=" + std::to_string(::getpid()));
    if (!is_child) ::waitpid(child, nullptr, 0);
  }
}

inline std::function<void(int, int)> clock_victim(std::size_t threads) {
  return [threads](int in, int out) { clock_victim(in, out, threads); };
}

}  // namespace holdfast
