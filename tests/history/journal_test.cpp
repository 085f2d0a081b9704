// Journals: what was recorded is read, whatever happened to the writer.
#include "history/journal.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <tuple>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {

// For RapidCheck's and GoogleTest's comparisons.
inline bool operator==(const Statement& a, const Statement& b) {
  return std::tie(a.name, a.call_ns, a.return_ns, a.rows, a.error, a.values) ==
         std::tie(b.name, b.call_ns, b.return_ns, b.rows, b.error, b.values);
}
inline bool operator==(const Event& a, const Event& b) {
  return std::tie(a.time_ns, a.type, a.op, a.reason, a.process, a.client, a.key, a.number, a.grant, a.token, a.lease_ns,
                  a.background, a.statements) == std::tie(b.time_ns, b.type, b.op, b.reason, b.process, b.client, b.key,
                                                          b.number, b.grant, b.token, b.lease_ns, b.background,
                                                          b.statements);
}

namespace {

TEST(Journal, ObserverEventsNameTheLeader) {
  const TemporaryFolder folder;
  {
    JournalWriter out(folder.file("j"), 3);
    Event seen;
    seen.actor = Actor::observer;
    seen.type = EventType::ok;
    seen.time_ns = 5;
    seen.holder = 0;
    out.event(seen);
    seen.holder.reset();
    out.event(seen);
    out.event(Event{});
  }
  JournalReader in(folder.file("j"));
  Event read;
  ASSERT_TRUE(in.next(read));
  EXPECT_TRUE(read.actor == Actor::observer && read.holder == 0U && read.grant == 0 && read.client == 3);
  ASSERT_TRUE(in.next(read));
  EXPECT_TRUE(read.actor == Actor::observer && !read.holder);
  ASSERT_TRUE(in.next(read));
  EXPECT_TRUE(read.actor == Actor::client && !read.holder);
}

TEST(Journal, AssertionsKeepTheirTexts) {
  const TemporaryFolder folder;
  {
    JournalWriter out(folder.file("j"), 3);
    Event seen;
    seen.actor = Actor::assertion;
    seen.type = EventType::fail;
    seen.time_ns = 5;
    seen.evaluated = {AssertionKind::sometimes, "a \"name\"", 7, "line\nend"};
    out.event(seen);
    seen.type = EventType::info;
    seen.evaluated = {AssertionKind::reached, "b", 0, ""};
    out.event(seen);
    out.event(Event{});
  }
  JournalReader in(folder.file("j"));
  Event read;
  ASSERT_TRUE(in.next(read));
  EXPECT_TRUE(read.actor == Actor::assertion && read.type == EventType::fail && read.client == 3 && read.time_ns == 5);
  EXPECT_EQ(read.evaluated.kind, AssertionKind::sometimes);
  EXPECT_EQ(read.evaluated.name, "a \"name\"");
  EXPECT_EQ(read.evaluated.count, 7);
  EXPECT_EQ(read.evaluated.why, "line\nend");
  ASSERT_TRUE(in.next(read));
  EXPECT_TRUE(read.actor == Actor::assertion && read.type == EventType::info && read.evaluated.name == "b");
  EXPECT_TRUE(read.evaluated.why.empty());
  ASSERT_TRUE(in.next(read));
  EXPECT_TRUE(read.actor == Actor::client && read.evaluated.name.empty() && read.statements.empty());
}

constexpr std::uint32_t kJournalClient = 7;

Event event_of_client(std::uint64_t number) {
  Event event;
  event.number = number;
  event.client = kJournalClient;
  event.time_ns = static_cast<std::int64_t>(number * 10);
  return event;
}

std::vector<Event> read_all(const std::string& path) {
  JournalReader in(path);
  std::vector<Event> events;
  for (Event event; in.next(event);) events.push_back(event);
  return events;
}

std::uint64_t any_number() {
  return *rc::gen::arbitrary<std::uint64_t>() >> 1;
}

std::int64_t any_time() {
  return *rc::gen::inRange<std::int64_t>(0, kMaxTimeNs + 1);
}

Event any_event() {
  Event event = event_of_client(any_number());
  event.time_ns = any_time();
  event.type = static_cast<EventType>(*rc::gen::inRange(0, 4));
  event.op = static_cast<Op>(*rc::gen::inRange(0, 5));
  event.reason = static_cast<Reason>(*rc::gen::inRange(0, 9));
  event.process = *rc::gen::arbitrary<std::uint32_t>();
  event.key = *rc::gen::arbitrary<std::uint32_t>();
  event.grant = any_number();
  event.background = event.op == Op::renew && *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) event.token = *rc::gen::arbitrary<std::uint64_t>();
  if (*rc::gen::arbitrary<bool>()) event.lease_ns = any_time();
  for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
    event.statements.push_back({*rc::gen::container<std::string>(rc::gen::arbitrary<char>()), any_time(), any_time(),
                                *rc::gen::inRange<std::int64_t>(-1, kMaxTimeNs),
                                *rc::gen::inRange(0, std::numeric_limits<int>::max()),
                                *rc::gen::element<std::string>("", "{}", R"({"owner":"6f1c","ttl":2000})")});
  }
  return event;
}

RC_GTEST_PROP(JournalProperty, RoundTrip, ()) {
  const TemporaryFolder folder;
  std::vector<Event> events;
  for (int n = *rc::gen::inRange(0, 60); n > 0; --n) events.push_back(any_event());
  {
    JournalWriter out(folder.file("j"), kJournalClient);
    for (const auto& event : events) out.event(event);
  }
  RC_ASSERT(read_all(folder.file("j")) == events);
}

// Values are written into a line of a history as they are.
TEST(Journal, ValuesThatWouldBreakALineAreLeftOut) {
  using namespace std::string_literals;
  const TemporaryFolder folder;
  const auto values_read = [&](const std::string& values) {
    Event event = event_of_client(1);
    event.statements = {{"select", 0, 1, 0, 0, values}};
    { JournalWriter(folder.file("j"), kJournalClient).event(event); }
    return read_all(folder.file("j")).at(0).statements.at(0).values;
  };
  EXPECT_EQ(values_read(R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(values_read("{}\0\0"s), "");
  EXPECT_EQ(values_read("{}\0{\"a\":1"s), "");
  EXPECT_EQ(values_read("{\n}"), "");
  EXPECT_EQ(values_read("{\"a\":\"\xFF\"}"), "");
}

// Events for which a line of a history would be refused.
TEST(Journal, ImpossibleEventIsRefused) {
  const TemporaryFolder folder;
  const auto broken = [&](const std::function<void(Event&)>& change) {
    Event event = event_of_client(1);
    change(event);
    { JournalWriter(folder.file("j"), kJournalClient).event(event); }
    JournalReader in(folder.file("j"));
    return !in.next(event) && in.broken_at() == std::optional<std::uint64_t>(0);
  };
  EXPECT_FALSE(broken([](Event& e) { e.time_ns = kMaxTimeNs; }));
  EXPECT_FALSE(broken([](Event& e) { e.lease_ns = kMaxTimeNs; }));
  EXPECT_TRUE(broken([](Event& e) { e.time_ns = kMaxTimeNs + 1; }));
  EXPECT_TRUE(broken([](Event& e) { e.time_ns = -1; }));
  EXPECT_TRUE(broken([](Event& e) { e.lease_ns = kMaxTimeNs + 1; }));
  EXPECT_TRUE(broken([](Event& e) { e.lease_ns = -1; }));
  EXPECT_TRUE(broken([](Event& e) { e.number = 1ULL << 63; }));
  EXPECT_TRUE(broken([](Event& e) { e.grant = 1ULL << 63; }));
  EXPECT_TRUE(broken([](Event& e) { e.background = true; })) << "only a renewal can have this key";
  EXPECT_TRUE(broken([](Event& e) { e.actor = Actor::observer; })) << "an observer asks for nothing";
  EXPECT_FALSE(broken([](Event& e) { e.actor = Actor::observer, e.type = EventType::ok; }));
  EXPECT_FALSE(broken([](Event& e) { e.statements = {{"select", 0, kMaxTimeNs, -1, 0}}; }));
  EXPECT_TRUE(broken([](Event& e) { e.statements = {{"select", -1, 0, 0, 0}}; }));
  EXPECT_TRUE(broken([](Event& e) { e.statements = {{"select", 0, kMaxTimeNs + 1, 0, 0}}; }));
  EXPECT_TRUE(broken([](Event& e) { e.statements = {{"select", 0, 0, -2, 0}}; }));
  EXPECT_TRUE(broken([](Event& e) { e.statements = {{"select", 0, 0, 0, -1}}; }));
}

TEST(Journal, RecordsGoOnInTheNextChunk) {
  const TemporaryFolder folder;
  constexpr std::uint64_t kMany = 5'000;  // about five chunks
  JournalWriter out(folder.file("j"), kJournalClient);
  for (std::uint64_t n = 0; n < kMany; ++n) {
    out.statement({std::string(n % 256, 's'), 1, 2, 3, 4});  // lengths that meet a chunk's end in every way
    out.event(event_of_client(n));
  }
  const auto events = read_all(folder.file("j"));  // the writer is still alive: its file has an unused rest
  ASSERT_EQ(events.size(), kMany);
  for (std::uint64_t n = 0; n < kMany; ++n) {
    ASSERT_EQ(events[n].number, n);
    ASSERT_EQ(events[n].statements.at(0).name.size(), n % 256);
  }
  EXPECT_GT(read_text_file(folder.file("j")).size(), 3 * kJournalChunk);
}

TEST(Journal, AStatementWithoutACompletionIsKept) {
  const TemporaryFolder folder;
  JournalWriter out(folder.file("j"), kJournalClient);
  out.event(event_of_client(1));
  out.statement({"insert", 5, 6, 1, 0, R"({"owner":"a","ttl":2})"});
  JournalReader in(folder.file("j"));
  Event event;
  EXPECT_TRUE(in.next(event));
  EXPECT_FALSE(in.next(event));
  ASSERT_EQ(in.unfinished().size(), 1u);
  EXPECT_EQ(in.unfinished()[0].name, "insert");
  EXPECT_EQ(in.unfinished()[0].values, R"({"owner":"a","ttl":2})");
}

// They are written into histories as they stand, so nothing else may pass for them.
TEST(Journal, ValuesMustBeAJsonObject) {
  for (const std::string broken : {"{\"a\":1", "[1]", "7", "{}}", "\"a\""}) {
    const TemporaryFolder folder;
    JournalWriter out(folder.file("j"), kJournalClient);
    out.statement({"insert", 5, 6, 1, 0, broken});
    JournalReader in(folder.file("j"));
    Event event;
    EXPECT_FALSE(in.next(event));
    ASSERT_EQ(in.unfinished().size(), 1u);
    EXPECT_EQ(in.unfinished()[0].values, "") << broken;
  }
}

// The length word is stored last, so a record that was being written has none.
TEST(Journal, ARecordWithoutItsLengthIsNotRead) {
  const TemporaryFolder folder;
  const std::string path = folder.file("j");
  { JournalWriter(path, kJournalClient).event(event_of_client(1)); }
  const std::string one = read_text_file(path);
  std::string half = one;
  std::memset(half.data(), 0, 4);
  EXPECT_EQ(read_all(folder.write("j", one + half)).size(), 1u);
  EXPECT_EQ(read_all(folder.write("j", one + one)).size(), 2u);
  EXPECT_EQ(read_all(folder.write("j", one + one.substr(0, one.size() - 1))).size(), 1u) << "cut short";
  EXPECT_EQ(read_all(folder.write("j", "")).size(), 0u);
}

TEST(Journal, CannotBeMadeOrRead) {
  EXPECT_THROW(JournalWriter("/nonexistent/j", kJournalClient), HarnessError);
  EXPECT_THROW(JournalReader("/nonexistent/j"), BadInput);
}

}  // namespace
}  // namespace holdfast
