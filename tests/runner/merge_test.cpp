// Journals, faults and the resource's log become one history, in the order of time; ties are read as overlapping.
#include "runner/merge.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "artifact/error.hpp"
#include "history/journal.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

Event client_event(std::int64_t time_ns, EventType type, std::uint64_t number, std::uint32_t process = 0) {
  Event event;
  event.time_ns = time_ns;
  event.type = type;
  event.number = number;
  event.process = process;
  return event;
}

Event fault_event(std::int64_t time_ns, FaultStep step, std::vector<std::uint32_t> clients) {
  Event event;
  event.actor = Actor::nemesis;
  event.type = EventType::info;
  event.time_ns = time_ns;
  event.fault = "pause";
  event.step = step;
  event.clients = std::move(clients);
  return event;
}

class Merge : public testing::Test {
 protected:
  void journal(std::uint32_t client, const std::vector<Event>& events, const std::vector<Statement>& open = {}) {
    JournalWriter out(folder.file("client-" + std::to_string(client) + ".journal"), client);
    for (const auto& event : events) out.event(event);
    for (const auto& statement : open) out.statement(statement);
    input.clients = std::max(input.clients, client + 1);
  }
  std::vector<Event> merged() {
    input.folder = folder.path();
    HistoryHeader header;
    header.foreign = false;
    header.clients = input.clients;
    merge_history(input, header, folder.file("history.jsonl"));
    HistoryReader in(folder.file("history.jsonl"));
    std::vector<Event> events;
    for (Event event; in.next(event);) events.push_back(event);
    names = in.names();
    return events;
  }

  TemporaryFolder folder;
  MergeInput input{"", 0, 1, {"k0"}, {}, {}};
  Names names;
};

TEST_F(Merge, TakesTheJournalsOfAllThreads) {
  journal(0, {client_event(10, EventType::invoke, 1), client_event(40, EventType::ok, 1)});
  {
    JournalWriter other(folder.file("client-0.thread-1.journal"), 0);
    other.event(client_event(20, EventType::invoke, 2, 516));
    other.event(client_event(30, EventType::ok, 2, 516));
  }
  EXPECT_EQ(merged().size(), 2U) << "of one thread";
  input.threads = 2;
  const auto events = merged();
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[1].client, 0U);
  EXPECT_NE(events[1].process, events[0].process);
}

TEST_F(Merge, KeepsKeyNames) {
  input.keys = {"order "};
  journal(0, {client_event(10, EventType::invoke, 1)});
  merged();
  EXPECT_EQ(names.keys, std::vector<std::string>{"order "});
}

TEST_F(Merge, OrdersByTimeAndCounts) {
  journal(0, {client_event(10, EventType::invoke, 1), client_event(40, EventType::ok, 1)});
  journal(1, {client_event(20, EventType::invoke, 1, 1), client_event(30, EventType::fail, 1, 1)});
  input.nemesis = {fault_event(35, FaultStep::end, {1}), fault_event(15, FaultStep::begin, {1})};
  const auto events = merged();
  ASSERT_EQ(events.size(), 6u);
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].index, i);
    times.push_back(events[i].time_ns);
  }
  EXPECT_EQ(times, (std::vector<std::int64_t>{10, 15, 20, 30, 35, 40}));
  EXPECT_EQ(events[2].client, 1u);
}

// A watchdog has a journal of its own; with its client it dies, and what it had on its way may have taken effect.
TEST_F(Merge, AWatchdogsRenewalsAreTheClientsOwn) {
  Event renewal = client_event(15, EventType::invoke, 2);
  renewal.op = Op::renew;
  renewal.background = true;
  {
    JournalWriter out(folder.file("client-0.background.journal"), 0);
    out.event(renewal);
  }
  journal(0, {client_event(10, EventType::invoke, 1), client_event(20, EventType::ok, 1)});
  input.nemesis = {fault_event(30, FaultStep::kill, {0})};
  const auto events = merged();
  ASSERT_EQ(events.size(), 5u);
  EXPECT_TRUE(events[1].background);
  EXPECT_EQ(events[1].process, events[0].process);
  EXPECT_FALSE(events[2].background);
  EXPECT_EQ(events[3].type, EventType::info);
  EXPECT_TRUE(events[3].background);
  EXPECT_EQ(events[3].op, Op::renew);
}

// Equal times are concurrent: what begins comes first, then what ends, then what the nemesis did.
TEST_F(Merge, TiesAreInvocationsThenCompletionsThenFaults) {
  journal(0, {client_event(5, EventType::invoke, 1), client_event(9, EventType::ok, 1)});
  journal(1, {client_event(9, EventType::invoke, 1, 1), client_event(12, EventType::ok, 1, 1)});
  input.nemesis = {fault_event(9, FaultStep::begin, {0})};
  const auto events = merged();
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[1].type, EventType::invoke);
  EXPECT_EQ(events[1].client, 1u);
  EXPECT_EQ(events[2].type, EventType::ok);
  EXPECT_EQ(events[3].actor, Actor::nemesis);
}

// A client's own order stands, even where its two events have one time.
TEST_F(Merge, AnOperationOfNoLengthStaysInOrder) {
  journal(0, {client_event(9, EventType::invoke, 1), client_event(9, EventType::ok, 1),
              client_event(9, EventType::invoke, 2), client_event(9, EventType::ok, 2)});
  const auto events = merged();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].number, 1u);
  EXPECT_EQ(events[1].type, EventType::ok);
  EXPECT_EQ(events[2].number, 2u);
}

TEST_F(Merge, AKilledClientsOpenOperationMayHaveTakenEffect) {
  journal(0, {client_event(10, EventType::invoke, 1)}, {{"insert", 11, 12, 1, 0}});
  input.nemesis = {fault_event(30, FaultStep::kill, {0})};
  const auto events = merged();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].type, EventType::info);
  EXPECT_EQ(events[1].reason, Reason::killed);
  EXPECT_EQ(events[1].time_ns, 30);
  ASSERT_EQ(events[1].statements.size(), 1u) << "what it had executed is evidence";
  EXPECT_EQ(events[1].statements[0].name, "insert");
  EXPECT_EQ(events[2].step, FaultStep::kill);
}

TEST_F(Merge, OnlyTheKilledClientsOpenOperationIsCompleted) {
  journal(0, {client_event(10, EventType::invoke, 1)});
  journal(1, {client_event(11, EventType::invoke, 1, 1), client_event(12, EventType::ok, 1, 1)});
  input.nemesis = {fault_event(30, FaultStep::kill, {1})};
  const auto events = merged();
  ASSERT_EQ(events.size(), 4u);
  for (const auto& event : events) EXPECT_NE(event.reason, Reason::killed);
}

TEST_F(Merge, IdentitiesBecomeDenseAndKeepTheirNames) {
  journal(0, {client_event(10, EventType::invoke, 1, 0), client_event(11, EventType::info, 1, 0),
              client_event(12, EventType::invoke, 2, 256), client_event(13, EventType::ok, 2, 256)});
  const auto events = merged();
  EXPECT_EQ(events[2].process, 1u);
  EXPECT_EQ(names.processes.all(), (std::vector<std::string>{"0", "256"}));
}

TEST_F(Merge, ResourceLogComesLastInItsOrder) {
  journal(0, {client_event(10, EventType::invoke, 1), client_event(50, EventType::ok, 1)});
  for (const std::uint64_t sequence : {7, 8}) {
    Event write;
    write.actor = Actor::resource;
    write.type = EventType::ok;
    write.op = Op::write;
    write.time_ns = 40;  // read before the last completion was stamped
    write.accepted = {sequence, 1, 2};
    input.resource.push_back(write);
  }
  const auto events = merged();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[2].accepted.sequence, 7u);
  EXPECT_EQ(events[3].accepted.sequence, 8u);
  EXPECT_EQ(events[3].time_ns, 50) << "time never goes back";
}

TEST_F(Merge, AMissingJournalOrAFullDiskIsAnError) {
  input.clients = 1;
  EXPECT_TRUE(contains(refusal([this] { merged(); }), "client-0.journal: cannot be read"));
  journal(0, {client_event(10, EventType::invoke, 1)});
  input.folder = folder.path();
  EXPECT_THROW(merge_history(input, {}, "/dev/full"), HarnessError);
}

RC_GTEST_FIXTURE_PROP(Merge, AnyJournalsGiveAReadableHistory, ()) {
  std::size_t written = 0;
  const auto clients = *rc::gen::inRange<std::uint32_t>(1, 5);
  for (std::uint32_t c = 0; c < clients; ++c) {
    std::vector<Event> events;
    std::int64_t time_ns = 0;
    const auto operations = *rc::gen::inRange<std::uint64_t>(0, 20);
    for (std::uint64_t n = 1; n <= operations; ++n) {
      events.push_back(client_event(time_ns += *rc::gen::inRange(0, 4), EventType::invoke, n, c));
      events.push_back(client_event(time_ns += *rc::gen::inRange(0, 4), EventType::ok, n, c));
    }
    written += events.size();
    journal(c, events);
  }
  input.nemesis = {fault_event(*rc::gen::inRange(0, 50), FaultStep::begin, {0})};
  const auto events = merged();  // the reader refuses disorder and operations that do not pair
  RC_ASSERT(events.size() == written + 1);
}

}  // namespace
}  // namespace holdfast
