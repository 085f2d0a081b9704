// Programs whose clocks the tests of the vDSO's set wrong. Each is a process group of its own, answers a line for each
// line that it is asked, and is killed with all its group at the end.
//
//   AskedProgram python(program_at(file));     // executes a program
//   AskedProgram victim([](int in, int out) { clock_victim(in, out); });   // a fork of the test
//   victim.ask("clocks")
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "artifact/error.hpp"
#include "artifact/units.hpp"
#include "lab/vdso_clock.hpp"

namespace holdfast {

class AskedProgram {
 public:
  explicit AskedProgram(const std::vector<std::string>& argv) {
    begin([argv](int in, int out) {
      std::vector<char*> words;
      for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
      words.push_back(nullptr);
      ::dup2(in, STDIN_FILENO);
      ::dup2(out, STDOUT_FILENO);
      ::execv(words[0], words.data());
    });
  }
  explicit AskedProgram(const std::function<void(int in, int out)>& body) { begin(body); }
  ~AskedProgram() {
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    std::fclose(from_);
    ::close(to_);
  }
  AskedProgram(const AskedProgram&) = delete;
  AskedProgram& operator=(const AskedProgram&) = delete;

  pid_t pid() const { return pid_; }  // its group's too
  void tell(const std::string& line) const {
    const std::string whole = line + "\n";
    EXPECT_EQ(::write(to_, whole.data(), whole.size()), static_cast<ssize_t>(whole.size())) << line;
  }
  // Ends with the program's death: the pipe closes.
  std::string answer() const {
    char line[4096] = "";
    EXPECT_NE(std::fgets(line, sizeof line, from_), nullptr) << "the program has ended";
    return std::string(line).substr(0, std::string(line).find('\n'));
  }
  std::string ask(const std::string& line) const {
    tell(line);
    return answer();
  }
  bool runs() const { return ::waitpid(pid_, nullptr, WNOHANG) == 0; }

 private:
  void begin(const std::function<void(int in, int out)>& body) {
    int asked[2];
    int told[2];
    if (::pipe2(asked, O_CLOEXEC) != 0 || ::pipe2(told, O_CLOEXEC) != 0) throw HarnessError("pipe2");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::setpgid(0, 0);
      ::signal(SIGPIPE, SIG_DFL);
      ::alarm(300);
      ::close(asked[1]);
      ::close(told[0]);
      body(asked[0], told[1]);
      ::_exit(127);
    }
    ::setpgid(pid_, pid_);
    ::close(asked[0]);
    ::close(told[1]);
    to_ = asked[1];
    from_ = ::fdopen(told[0], "r");
  }

  pid_t pid_ = -1;
  int to_ = -1;
  std::FILE* from_ = nullptr;
};

// Reads the clock by a system call, which is never set wrong.
inline std::int64_t true_ns(clockid_t clock) {
  timespec now{};
  ::syscall(SYS_clock_gettime, clock, &now);
  return now.tv_sec * kSecond_ns + now.tv_nsec;
}

// "wall=12 monotonic=34"
inline std::map<std::string, std::int64_t> numbers_in(const std::string& line) {
  std::map<std::string, std::int64_t> out;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    if (equals != std::string::npos) out[word.substr(0, equals)] = std::atoll(word.c_str() + equals + 1);
  }
  return out;
}

// The coarseness of each clock that a program names: it may be so far behind.
inline std::int64_t grain_ns(const std::string& name) {
  if (name.rfind("second", 0) == 0) return kSecond_ns + 20 * kMillisecond_ns;  // the coarse clock
  if (name.rfind("coarse", 0) == 0) return 20 * kMillisecond_ns;
  if (name.rfind("milli", 0) == 0) return kMillisecond_ns;
  return 1'000;
}

inline constexpr std::int64_t kSlept_ns = 50 * kMillisecond_ns;

// All its wall clocks are ahead by exactly this: they were read between two readings of ours, shifted. Those that are
// named "monotonic..." are right, and "slept" is how long it slept when it was to sleep for kSlept_ns.
inline void expect_ahead(const AskedProgram& program, std::int64_t offset_ns, const std::string& question = "clocks") {
  const std::int64_t before_ns = true_ns(CLOCK_REALTIME) + offset_ns;
  const std::int64_t tai_ns = true_ns(CLOCK_TAI) - true_ns(CLOCK_REALTIME);
  const std::int64_t since_ns = true_ns(CLOCK_MONOTONIC);
  const auto seen = numbers_in(program.ask(question));
  const std::int64_t until_ns = true_ns(CLOCK_MONOTONIC);
  const std::int64_t after_ns = true_ns(CLOCK_REALTIME) + offset_ns;
  EXPECT_GE(seen.size(), 2U) << "it named no clocks";
  for (const auto& [name, ns] : seen) {
    if (name.rfind("slept", 0) == 0) {
      EXPECT_GE(ns, kSlept_ns - 5 * kMillisecond_ns) << name << " at " << offset_ns;
      EXPECT_LE(ns, 10 * kSecond_ns) << name << " at " << offset_ns;
      continue;
    }
    const bool steady = name.rfind("monotonic", 0) == 0;
    const std::int64_t more_ns = name.rfind("tai", 0) == 0 ? tai_ns / kMillisecond_ns * kMillisecond_ns : 0;
    const std::int64_t early_ns = (steady ? since_ns : before_ns) + more_ns - grain_ns(name);
    EXPECT_GE(ns, early_ns) << name << " at " << offset_ns;
    EXPECT_LE(ns, (steady ? until_ns : after_ns) + more_ns + (more_ns != 0 ? kMillisecond_ns : 0))
        << name << " at " << offset_ns;
  }
}

inline constexpr std::int64_t kOffsets_ns[] = {
    3 * kSecond_ns, -3 * kSecond_ns, 700'000'001, -700'000'001, 86'400 * kSecond_ns, -1, 0};

// Forward, back, and by parts of a second, with the pages read back each time.
inline void expect_it_follows(const AskedProgram& program, VdsoClock& clock) {
  for (const std::int64_t offset_ns : kOffsets_ns) {
    clock.set_offset(offset_ns);
    expect_ahead(program, offset_ns);
    EXPECT_EQ(clock.read_back().wrong, "");
  }
}

}  // namespace holdfast
