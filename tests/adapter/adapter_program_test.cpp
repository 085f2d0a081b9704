// The conversation with real programs: answers go to their askers, and each mistake is one error that stays.
#include "adapter/adapter_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

#include "adapter/running_time.hpp"
#include "artifact/poll_until.hpp"
#include "tests/adapter/python_adapter.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

using tests::PythonAdapter;

constexpr AdapterLimits kPatient{20'000, 20'000, 5'000};

std::unique_ptr<AdapterProgram> started_with(const PythonAdapter& python, const std::string& mistake,
                                             AdapterLimits limits = kPatient, AdapterProgram::Hear hear = {}) {
  return AdapterProgram::start("files", python.command(mistake), python.hello(0), limits, std::move(hear));
}

AdapterMessage acquire_of(const std::string& key, std::int64_t wait_ms = 0) {
  return {.name = MessageName::acquire, .lease_ms = 1'000, .wait_ms = wait_ms, .lock = key};
}

AdapterMessage pulse_request() {
  return {.name = MessageName::pulse};
}

template <typename Call>
std::string adapter_error(const Call& call) {
  try {
    call();
  } catch (const AdapterError& wrong) {
    return wrong.what();
  }
  return "no error";
}

TEST(AdapterPrograms, AnswerAndEnd) {
  const PythonAdapter python;
  const auto program = started_with(python, "sound");
  EXPECT_EQ(program->ready().adapter, "files");
  EXPECT_TRUE(program->can("wait"));
  EXPECT_FALSE(program->can("leader"));
  const std::int64_t before = monotonic_ns();
  const AdapterSaid answer = program->ask(acquire_of("a"));
  EXPECT_EQ(answer.message.name, MessageName::ok);
  EXPECT_EQ(answer.message.token, 1U);
  EXPECT_LE(before, answer.sent_ns);
  EXPECT_LE(answer.sent_ns, answer.read_ns);
  EXPECT_LE(answer.read_ns, monotonic_ns());
  const AdapterFarewell farewell = program->end();
  EXPECT_TRUE(farewell.by_itself && farewell.end.clean());
  EXPECT_FALSE(program->error());
}

TEST(AdapterPrograms, SlowRequestIsCancelledAfterItsWait) {
  const PythonAdapter python;
  const auto program = started_with(python, "sound");
  program->ask(acquire_of("a"));
  AdapterMessage other = acquire_of("a", 10'000);
  other.thread = 2;
  const std::int64_t n = program->send(other);
  EXPECT_FALSE(program->wait_for(n, 0)) << "returns at once";
  const std::int64_t before_ns = monotonic_ns();
  EXPECT_FALSE(program->wait_for(n, 100));
  EXPECT_GE(monotonic_ns() - before_ns, 100'000'000);
  EXPECT_EQ(program->ask({.name = MessageName::cancel, .of = n}).message.name, MessageName::ok);
  const auto said = program->wait_for(n, 10'000);
  ASSERT_TRUE(said);
  EXPECT_EQ(said->message.name, MessageName::busy);
}

TEST(AdapterPrograms, StoppedTimeDoesNotCountAsWait) {
  const PythonAdapter python;
  const auto program = started_with(python, "sound");
  program->signal(SIGSTOP);
  const std::int64_t n = program->send(pulse_request());
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    program->signal(SIGCONT);
  });
  EXPECT_TRUE(program->wait_for(n, 300)) << "it was stopped for all the time that it took";
  later.join();
}

TEST(AdapterPrograms, AnswerManyThreads) {
  const PythonAdapter python;
  const auto program = started_with(python, "sound");
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      const std::string key = "key" + std::to_string(number);
      for (int round = 0; round < 20; ++round) {
        if (program->ask(acquire_of(key)).message.name == MessageName::ok) ++right;
        if (program->ask({.name = MessageName::release, .lock = key}).message.name == MessageName::ok) ++right;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 160);
}

TEST(AdapterPrograms, UnaskedMessagesAreHandedOn) {
  const PythonAdapter python;
  std::mutex mutex;
  std::vector<AdapterSaid> heard;
  const auto program = started_with(python, "sound", kPatient, [&](const AdapterSaid& said) {
    const std::lock_guard lock(mutex);
    heard.push_back(said);
  });
  const AdapterSaid answer = program->ask(acquire_of("a"));
  for (int i = 0; i < 500; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::lock_guard lock(mutex);
    if (!heard.empty()) break;
  }
  const std::lock_guard lock(mutex);
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(heard[0].message.name, MessageName::lost);
  EXPECT_EQ(heard[0].message.lock, "a");
  EXPECT_GT(heard[0].read_ns, answer.read_ns);
}

// Each mistake, and what is said of it.
struct Mistake {
  const char* name;
  const char* said;
};

TEST(AdapterPrograms, ProtocolMistakeIsFinal) {
  const std::vector<Mistake> mistakes{
      {"junk", "not a message: not JSON"},
      {"dies",
       "the program exited with code 3 without a request to exit; its last lines on standard error: out of luck"},
      {"half_a_line", "in the middle of a line; the line: {\"n\":"},
      {"stranger", "which was not requested"},
      {"wrong_word", "'busy' is not an answer to pulse"},
      {"twice", "twice; the line: {\"is\":\"ok\""},
      {"endless_line", ""}};
  for (const Mistake& mistake : mistakes) {
    const PythonAdapter python;
    const auto program = started_with(python, mistake.name);
    const auto ask = [&] {
      program->ask(pulse_request());
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      program->ask(acquire_of("a"));
    };
    if (*mistake.said == '\0') {  // a line without an end is not one yet
      EXPECT_FALSE(program->error());
      continue;
    }
    const std::string first = adapter_error(ask);
    EXPECT_TRUE(contains(first, mistake.said)) << mistake.name << ": " << first;
    EXPECT_TRUE(first.starts_with("adapter files: ")) << first;
    EXPECT_EQ(adapter_error(ask), first) << "every later call says the same";
    ASSERT_TRUE(program->error());
  }
}

TEST(AdapterPrograms, MissingAnswerIsAnError) {
  const PythonAdapter python;
  const auto program = started_with(python, "never_answers", {20'000, 300, 1'000});
  const std::int64_t before = monotonic_ns();
  const std::string error = adapter_error([&] { program->ask(pulse_request()); });
  EXPECT_TRUE(contains(error, "no answer to pulse, n 1, for 300 ms in which it was able to run")) << error;
  EXPECT_GE(monotonic_ns() - before, 300'000'000);
}

// A program that a fault has stopped is late by no fault of its own.
// A call has no time limit of its own in a trial, so only the mistake itself can end the wait.
TEST(AdapterPrograms, ProtocolMistakeEndsAnUnlimitedCall) {
  const std::vector<Mistake> mistakes{
      {"endless_line_for_an_answer", "not a message: longer than 65536 bytes"},
      {"dies_and_leaves_a_child",
       "the program exited with code 0 without a request to exit, and a process that it started"},
  };
  const PythonAdapter python;
  for (const auto& mistake : mistakes) {
    const auto program = started_with(python, mistake.name, {20'000, 20'000, 5'000, false});
    const std::int64_t n = program->send(acquire_of("a"));
    const std::string error = adapter_error([&] { program->wait_for(n, 10'000); });
    EXPECT_NE(error.find(mistake.said), std::string::npos) << mistake.name << ": " << error;
  }
}

TEST(AdapterPrograms, StoppedProgramIsNotTooLate) {
  const PythonAdapter python;
  const auto program = started_with(python, "sound", {20'000, 2'000, 5'000});
  ASSERT_TRUE(program->signal(SIGSTOP));
  const std::int64_t n = program->send(pulse_request());
  std::thread wakes([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3'000));
    program->signal(SIGCONT);
  });
  EXPECT_EQ(adapter_error([&] { program->wait(n); }), "no error");
  wakes.join();
}

// Without a fault nothing lets it go on.
TEST(AdapterPrograms, StoppedProgramFailsWithoutAFault) {
  const PythonAdapter python;
  AdapterLimits limits{20'000, 20'000, 5'000};
  limits.stopped_ms = 400;
  const auto program = started_with(python, "stops_itself", limits);
  const std::string error = adapter_error([&] { program->ask(pulse_request()); });
  EXPECT_TRUE(contains(error, "has been stopped (SIGSTOP) for more than 400 ms")) << error;
  EXPECT_TRUE(contains(error, "do not stop processes in the adapter")) << error;
  limits.stopped_ms = 15'000;
  const auto woken = started_with(python, "stops_itself", limits);
  std::thread wakes([&] {
    EXPECT_TRUE(poll_until([&] { return is_stopped(process_state(woken->pid())); }, 5, after_ms(10'000)));
    woken->signal(SIGCONT);
  });
  EXPECT_EQ(adapter_error([&] { woken->ask(pulse_request()); }), "no error") << "it was stopped for a shorter time";
  wakes.join();
}

TEST(AdapterPrograms, RequestsMayBeAnsweredInTurn) {
  const PythonAdapter python;
  auto command = python.command("sequential");
  const auto program = AdapterProgram::start("files", command, python.hello(0), {20'000, 20'000, 1'000});
  ASSERT_EQ(program->ask(acquire_of("a")).message.name, MessageName::ok);
  AdapterMessage other = acquire_of("a", 300);
  other.thread = 1;
  const std::int64_t waiting = program->send(other);
  const AdapterSaid pulse = program->ask(pulse_request());
  EXPECT_GE(pulse.read_ns, program->wait(waiting).read_ns);
}

TEST(AdapterPrograms, FailedStartIsAnError) {
  const PythonAdapter python;
  const auto begin = [&](const std::string& mistake, AdapterLimits limits) {
    return adapter_error([&] { started_with(python, mistake, limits); });
  };
  EXPECT_TRUE(contains(begin("not_ready", {500, 500, 500}), "no answer to hello, n 0, for 500 ms"));
  EXPECT_TRUE(contains(begin("cannot_begin", kPatient), "it cannot start: no such server"));
  EXPECT_TRUE(contains(begin("version_2", kPatient),
                       "it speaks version 2 of the protocol; its standard error is empty; remedy: speak version 1"));
  const std::string exits = adapter_error([&] {
    const auto command = tests::shell_adapter(python.folder(), "echo broken >&2; exit 7");
    AdapterProgram::start("sh", command, python.hello(0), kPatient);
  });
  EXPECT_TRUE(contains(exits, "exited with code 7")) << exits;
  EXPECT_TRUE(contains(exits, "broken")) << exits;
}

// As a client that dies ends it: the pipe is closed, and nothing else said.
TEST(AdapterPrograms, MayEndWithoutBye) {
  const TemporaryFolder folder;
  const auto said_at_the_end = [&](bool says_bye) {
    const std::string ready = R"({"is":"ready","n":0,"v":1,"name":"sh","version":"","can":[]})";
    const auto command = tests::shell_adapter(folder, "read hello; echo '" + ready + "'; cat >" + folder.file("said"));
    const PythonAdapter python;
    const auto program = AdapterProgram::start("sh", command, python.hello(0), kPatient);
    EXPECT_TRUE(program->end(says_bye).by_itself);
    EXPECT_FALSE(program->error());
    std::ifstream in(folder.file("said"));
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(said_at_the_end(true), "{\"do\":\"bye\"}\n");
  EXPECT_EQ(said_at_the_end(false), "");
}

TEST(AdapterPrograms, AreKilledWhenTheyDoNotEnd) {
  const PythonAdapter python;
  const auto program = started_with(python, "ignores_end", {20'000, 20'000, 300});
  const pid_t pid = program->pid();
  const AdapterFarewell farewell = program->end();
  EXPECT_FALSE(farewell.by_itself);
  EXPECT_EQ(farewell.end.signal, SIGKILL);
  EXPECT_EQ(process_state(pid), 'Z') << "kept, so that its number is no other's";
  const auto bad = started_with(python, "bad_exit");
  EXPECT_EQ(bad->end().end.code, 4);
  const auto talks = started_with(python, "talks_at_the_end");
  talks->end();
  ASSERT_TRUE(talks->error());
  EXPECT_TRUE(contains(talks->error()->what(), "the line: bye")) << talks->error()->what();
}

}  // namespace
}  // namespace holdfast
