// The history file: what the reader takes, and that what is written is read back.
#include "artifact/history.hpp"

#include <gtest/gtest.h>
#include "artifact/error.hpp"
#include "tests/artifact/text_on_disk.hpp"

namespace holdfast {
namespace {

struct Read {
  std::vector<Event> events;
  Names names;
  HistoryHeader header;
  bool timed = false;
};

Read read(const std::string& text) {
  const TextOnDisk file(text);
  HistoryReader reader(file.path);
  Read out;
  for (Event event; reader.next(event);) out.events.push_back(event);
  out.names = reader.names();
  out.header = reader.header();
  out.timed = reader.timed();
  return out;
}

const std::string kAsk = R"({"index":1,"time":10,"process":1,"type":"invoke","f":"acquire","key":"a"})"
                         "\n";
const std::string kGot = R"({"index":2,"time":20,"process":1,"type":"ok","f":"acquire","key":"a"})"
                         "\n";

TEST(HistoryReader, TakesABareHistory) {
  const Read in = read(kAsk + kGot);
  ASSERT_EQ(in.events.size(), 2u);
  EXPECT_TRUE(in.header.bare);
  EXPECT_TRUE(in.timed);
  EXPECT_EQ(in.events[1].index, 2u);
  EXPECT_EQ(in.events[1].time_ns, 20);
  EXPECT_EQ(in.events[1].type, EventType::ok);
  EXPECT_EQ(in.names.keys, std::vector<std::string>{"a"});
  EXPECT_EQ(in.names.processes, std::vector<std::string>{"1"});
}

TEST(HistoryReader, NeedsNoMoreThanProcessTypeAndF) {
  const Read in = read(
      "{\"process\":\"x\",\"type\":\"invoke\",\"f\":\"acquire\"}\n{\"process\":\"x\",\"type\":\"ok\",\"f\":"
      "\"acquire\"}");
  ASSERT_EQ(in.events.size(), 2u);
  EXPECT_FALSE(in.timed);
  EXPECT_EQ(in.events[0].time_ns, 0);
  EXPECT_EQ(in.events[1].time_ns, 1) << "line order is event order";
  EXPECT_EQ(in.events[1].index, 1u);
  EXPECT_EQ(in.names.keys, std::vector<std::string>{""}) << "no key: one lock";
}

TEST(HistoryReader, ACompletionOrALeaveMayLeaveItsKeyOut) {
  const Read in = read(kAsk + R"({"time":20,"process":1,"type":"ok","f":"acquire"})"
                              "\n"
                              R"({"time":30,"process":1,"type":"info","f":"leave"})");
  EXPECT_EQ(in.events[1].key, 0u);
  EXPECT_EQ(in.events[2].key, 0u);
  EXPECT_EQ(in.names.keys, std::vector<std::string>{"a"});
}

TEST(HistoryReader, TakesCrlfBlankLinesAByteOrderMarkAndUnknownFields) {
  const Read in = read(
      "\xEF\xBB\xBF"
      R"({"process":1,"type":"invoke","f":"acquire","colour":{"a":[1]}})"
      "\r\n\r\n\n  \n");
  EXPECT_EQ(in.events.size(), 1u);
}

TEST(HistoryReader, TakesTokensOf64BitsAsNumbersOrDigits) {
  const auto token = [](const std::string& json) {
    return read(R"({"process":1,"type":"invoke","f":"acquire","token":)" + json + "}").events.at(0).token;
  };
  EXPECT_EQ(token("18446744073709551615"), 18446744073709551615u);
  EXPECT_EQ(token("\"18446744073709551615\""), 18446744073709551615u);
  EXPECT_EQ(token("null"), std::nullopt);
}

TEST(HistoryReader, ForeignReasonsAreOther) {
  const Read in = read(kAsk + R"({"time":20,"process":1,"type":"fail","f":"acquire","reason":"no luck"})");
  EXPECT_EQ(in.events[1].reason, Reason::other);
}

TEST(HistoryReader, AClientMayBeCalledNemesisOrResource) {
  const Read in = read(R"({"process":"nemesis","type":"invoke","f":"acquire"})"
                       "\n"
                       R"({"process":"resource","type":"invoke","f":"acquire"})");
  EXPECT_EQ(in.events[0].actor, Actor::client);
  EXPECT_EQ(in.events[1].actor, Actor::client);
}

TEST(HistoryReader, RefusesAFileThatIsNotThereOrAFolder) {
  EXPECT_THROW(HistoryReader("/nonexistent/history.jsonl"), BadInput);
  EXPECT_THROW(HistoryReader("/tmp"), BadInput);
}

TEST(HistoryWriter, SaysWhenItCannotWrite) {
  EXPECT_THROW(HistoryWriter("/nonexistent/history.jsonl", {}), HarnessError);
  HistoryWriter full("/dev/full", {});
  full.write(read(kAsk).events[0], read(kAsk).names);
  EXPECT_THROW(full.finish(), HarnessError);
}

HistoryHeader sample_header() {
  HistoryHeader header;
  header.bare = false;
  header.model = "fenced";
  header.lock = "fenced_lease+found_rows";
  header.scenario = "pause \"quoted\"";
  header.seed = 18446744073709551615u;
  header.clients = 5;
  header.lease_ns = 2'000'000'000;
  header.progress_bound_ns = 7;
  header.faults_planned = header.fenced_resource = true;
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
  got.statements = {{"take", 2, 3, 1, 0}, {"back\\slash \xC3\xA9", 4, 5, -1, 1205}};
  Event fault;
  fault.index = 2;
  fault.time_ns = 11;
  fault.actor = Actor::nemesis;
  fault.type = EventType::info;
  fault.fault = "pause";
  fault.step = FaultStep::end;
  fault.cause = "client_skew";
  fault.clients = {1, 3};
  fault.detail = "stopped for 4.5 s\n";
  Event write;
  write.index = 3;
  write.time_ns = 12;
  write.actor = Actor::resource;
  write.type = EventType::ok;
  write.op = Op::write;
  write.client = 3;
  write.number = 10;
  write.grant = 9;
  write.token = 7;
  write.accepted = {1, -2, 30};
  return {ask, got, fault, write};
}

bool same(const Statement& a, const Statement& b) {
  return a.name == b.name && a.call_ns == b.call_ns && a.return_ns == b.return_ns && a.rows == b.rows &&
         a.error == b.error;
}

bool same(const Event& a, const Event& b) {
  const auto fields = [](const Event& e) {
    return std::tuple(e.index, e.time_ns, e.actor, e.type, e.op, e.reason, e.process, e.client, e.key, e.number,
                      e.grant, e.token, e.lease_ns, e.fault, e.step, e.cause, e.clients, e.detail, e.accepted.sequence,
                      e.accepted.base, e.accepted.value);
  };
  if (fields(a) != fields(b) || a.statements.size() != b.statements.size()) return false;
  for (std::size_t i = 0; i < a.statements.size(); ++i) {
    if (!same(a.statements[i], b.statements[i])) return false;
  }
  return true;
}

TEST(HistoryWriter, WhatIsWrittenIsReadBack) {
  const TextOnDisk file("");
  const Names names{{"03"}, {"orders"}};
  HistoryWriter out(file.path, sample_header());
  for (const Event& event : sample_events()) out.write(event, names);
  out.finish();
  HistoryReader in(file.path);
  const HistoryHeader expected = sample_header();
  const HistoryHeader& header = in.header();
  EXPECT_EQ(
      std::tie(header.bare, header.model, header.lock, header.scenario, header.seed, header.clients, header.lease_ns),
      std::tie(expected.bare, expected.model, expected.lock, expected.scenario, expected.seed, expected.clients,
               expected.lease_ns));
  EXPECT_EQ(header.progress_bound_ns, 7);
  EXPECT_TRUE(header.faults_planned && header.fenced_resource);
  EXPECT_EQ(header.promises, expected.promises);
  EXPECT_EQ(header.minima.grants, 3);
  EXPECT_EQ(header.minima.attempts_in_hold, 4);
  Event event;
  for (const Event& written : sample_events()) {
    ASSERT_TRUE(in.next(event));
    EXPECT_TRUE(same(event, written)) << "event " << written.index;
  }
  EXPECT_FALSE(in.next(event));
  EXPECT_EQ(in.names().processes, names.processes);
  EXPECT_EQ(in.names().keys, names.keys);
}

}  // namespace
}  // namespace holdfast
