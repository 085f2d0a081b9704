// Written histories are read back, and a full disk is reported as full.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <tuple>

#include "artifact/error.hpp"
#include "history/history.hpp"
#include "tests/history/text_on_disk.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

// In a child: the limit is the process's. Exit 0: the error came.
int write_beyond_limit(const std::string& path) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{16, 16};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  try {
    HistoryWriter full(path, {});
    full.write({}, {{"1"}, {"a"}});
    full.finish();
  } catch (const HarnessError&) {
    return 0;
  }
  return 1;
}

TEST(HistoryWriter, FailedWriteIsAnError) {
  EXPECT_THROW(HistoryWriter("/nonexistent/history.jsonl", {}), HarnessError);
  EXPECT_THROW(HistoryWriter("/dev/full", {}), HarnessError) << "a trial's history is a plain file";
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(write_beyond_limit(folder.file("history.jsonl")));
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

HistoryHeader sample_header() {
  HistoryHeader header;
  header.foreign = false;
  header.model = "fenced";
  header.lock = "fenced_lease+found_rows";
  header.scenario = "pause \"quoted\"";
  header.seed = 18446744073709551615u;
  header.clients = 5;
  header.lease_ns = 2'000'000'000;
  header.progress_bound_ns = 7;
  header.faults_planned = header.fenced_resource = true;
  header.stall_bound_ns = 100'000'000;
  header.promises = {"fencing", "progress"};
  header.minima = {3, 4};
  return header;
}

std::vector<Event> sample_events() {
  Event ask;
  ask.client = 3;
  ask.number = 9;
  Event got = ask;
  got.index = 1;
  got.time_ns = 10;
  got.type = EventType::fail;
  got.reason = Reason::busy;
  got.token = 18446744073709551615u;
  got.lease_ns = 2'000'000'000;
  got.statements = {{"take", 2, 3, 1, 0}, {"back\\slash \xC3\xA9", 4, 5, -1, 1205, R"({"owner":"6f1c","ttl":2})"}};
  Event fault;
  fault.index = 2;
  fault.time_ns = 11;
  fault.actor = Actor::nemesis;
  fault.type = EventType::info;
  fault.fault = "pause";
  fault.step = FaultStep::end;
  fault.cause = "client_skew";
  fault.clients = {1, 3};
  fault.aim = FaultAim::reply;
  fault.stops = true;
  fault.detail = "stopped for 4.5 s\n";
  Event stall = fault;
  stall.index = 3;
  stall.step = FaultStep::stall;
  stall.until_ns = 4'000'000'000;
  stall.waited_ns = 3'900'000'000;
  Event write;
  write.index = 4;
  write.time_ns = 12;
  write.actor = Actor::resource;
  write.type = EventType::ok;
  write.op = Op::write;
  write.client = 3;
  write.number = 10;
  write.grant = 9;
  write.token = 7;
  write.accepted = {1, -2, 30};
  return {ask, got, fault, stall, write};
}

bool same(const Statement& a, const Statement& b) {
  return a.name == b.name && a.call_ns == b.call_ns && a.return_ns == b.return_ns && a.rows == b.rows &&
         a.error == b.error && a.values == b.values;
}

bool same(const Event& a, const Event& b) {
  const auto fields = [](const Event& e) {
    return std::tuple(e.index, e.time_ns, e.actor, e.type, e.op, e.reason, e.process, e.client, e.key, e.number,
                      e.grant, e.token, e.lease_ns, e.fault, e.step, e.cause, e.clients, e.aim, e.stops, e.detail,
                      e.until_ns, e.waited_ns, e.accepted.sequence, e.accepted.base, e.accepted.value);
  };
  if (fields(a) != fields(b) || a.statements.size() != b.statements.size()) return false;
  for (std::size_t i = 0; i < a.statements.size(); ++i) {
    if (!same(a.statements[i], b.statements[i])) return false;
  }
  return true;
}

TEST(HistoryWriter, RoundTrip) {
  const TextOnDisk file("");
  const Names names{{"03"}, {"orders"}};
  HistoryWriter out(file.path, sample_header());
  for (const Event& event : sample_events()) out.write(event, names);
  out.finish();
  HistoryReader in(file.path);
  const HistoryHeader expected = sample_header();
  const HistoryHeader& header = in.header();
  EXPECT_EQ(std::tie(header.foreign, header.model, header.lock, header.scenario, header.seed, header.clients,
                     header.lease_ns),
            std::tie(expected.foreign, expected.model, expected.lock, expected.scenario, expected.seed,
                     expected.clients, expected.lease_ns));
  EXPECT_EQ(header.progress_bound_ns, 7);
  EXPECT_TRUE(header.faults_planned && header.fenced_resource);
  EXPECT_EQ(header.stall_bound_ns, 100'000'000);
  EXPECT_EQ(header.promises, expected.promises);
  EXPECT_EQ(header.minima.grants, 3);
  EXPECT_EQ(header.minima.attempts_in_hold, 4);
  Event event;
  for (const Event& written : sample_events()) {
    ASSERT_TRUE(in.next(event));
    EXPECT_TRUE(same(event, written)) << "event " << written.index;
  }
  EXPECT_FALSE(in.next(event));
  EXPECT_FALSE(in.next(event)) << "and stays at its end";
  EXPECT_EQ(in.names().processes.all(), names.processes.all());
  EXPECT_EQ(in.names().keys, names.keys);
}

}  // namespace
}  // namespace holdfast
