// Histories that the reader accepts, and their events. Refusals: history_refusal_test.cpp.
#include "history/history.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "artifact/error.hpp"
#include "history/open_history.hpp"
#include "tests/history/text_on_disk.hpp"

namespace holdfast {
namespace {

struct Read {
  std::vector<Event> events;
  Names names;
  HistoryHeader header;
  bool timed = false;
};

Read read_history(const std::string& text) {
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

TEST(HistoryReader, TakesAForeignHistory) {
  const Read in = read_history(kAsk + kGot);
  ASSERT_EQ(in.events.size(), 2u);
  EXPECT_TRUE(in.header.foreign);
  EXPECT_TRUE(in.timed);
  EXPECT_EQ(in.events[1].index, 2u);
  EXPECT_EQ(in.events[1].time_ns, 20);
  EXPECT_EQ(in.events[1].type, EventType::ok);
  EXPECT_EQ(in.names.keys, std::vector<std::string>{"a"});
  EXPECT_EQ(in.names.processes.all(), std::vector<std::string>{"1"});
}

// If clients have numbers, an observer means them, also in lines before the first of a client.
TEST(HistoryReader, ObserverNamesMatchLaterClientNames) {
  const std::string seen =
      R"({"time":1,"process":"observer","type":"info","f":"leader","key":"a","client":2,"holder":7})";
  const auto asks = [](const char* more) {
    return R"({"time":2,"process":7,"type":"invoke","f":"acquire","key":"a")" + std::string(more) + "}";
  };
  for (const auto& [begin, between, end] : {std::tuple("", "\n", "\n"), std::tuple("[", ",", "]")}) {
    const auto read = [&, opening = begin, comma = between, closing = end](const char* more) {
      const TextOnDisk file(opening + seen + comma + asks(more) + closing);
      const auto source = open_history(file.path);
      std::pair<Event, Event> out;
      EXPECT_TRUE(source->next(out.first) && source->next(out.second)) << opening;
      return out;
    };
    const auto numbered = read(R"(,"client":5)");
    EXPECT_EQ(numbered.first.holder, 7U) << begin;
    EXPECT_EQ(numbered.second.client, 5U) << begin;
    const auto named = read("");
    EXPECT_EQ(named.first.holder, named.second.client) << "a process" << begin;
  }
}

TEST(HistoryReader, NeedsNoMoreThanProcessTypeAndF) {
  const Read in = read_history(
      "{\"process\":\"x\",\"type\":\"invoke\",\"f\":\"acquire\"}\n{\"process\":\"x\",\"type\":\"ok\",\"f\":"
      "\"acquire\"}");
  ASSERT_EQ(in.events.size(), 2u);
  EXPECT_FALSE(in.timed);
  EXPECT_EQ(in.events[0].time_ns, 0);
  EXPECT_EQ(in.events[1].time_ns, 1) << "line order is event order";
  EXPECT_EQ(in.events[1].index, 1u);
  EXPECT_EQ(in.names.keys, std::vector<std::string>{""}) << "no key: one lock";
}

TEST(HistoryReader, AWatchdogsRenewalIsOpenBesideAnotherOperation) {
  const std::string renew = R"("process":1,"f":"renew","background":true)";
  const Read in =
      read_history(kAsk + R"({"time":11,"type":"invoke","key":"b",)" + renew + "}\n" + R"({"time":12,"type":"ok",)" +
                   renew + "}\n" + R"({"time":20,"process":1,"type":"ok","f":"acquire"})");
  ASSERT_EQ(in.events.size(), 4u);
  EXPECT_FALSE(in.events[0].background);
  EXPECT_TRUE(in.events[1].background);
  EXPECT_TRUE(in.events[2].background);
  EXPECT_EQ(in.events[2].key, 1u) << "a completion's key is that of its own invocation";
  EXPECT_EQ(in.events[3].key, 0u);
}

TEST(HistoryReader, AClientMayBeStruckBeforeItSpeaks) {
  const std::string struck = R"({"process":"nemesis","type":"info","f":"pause","step":"begin","clients":[2,1]})";
  const Read in = read_history(struck + "\n" + R"({"process":1,"type":"invoke","f":"acquire"})");
  ASSERT_EQ(in.events.size(), 2u);
  EXPECT_EQ(in.events[0].clients, (std::vector<std::uint32_t>{0, 1})) << "by the name of its process";
  EXPECT_EQ(in.events[1].client, 1u);
  const Read numbered = read_history(R"({"process":7,"type":"invoke","f":"acquire","client":1})"
                                     "\n" +
                                     struck);
  EXPECT_EQ(numbered.events[1].clients, (std::vector<std::uint32_t>{2, 1})) << "clients have numbers of their own";
}

TEST(HistoryReader, SharedAcquireIsReadAndWritten) {
  const Read in = read_history(R"({"process":1,"type":"invoke","f":"acquire","mode":"shared"})"
                               "\n"
                               R"({"process":2,"type":"invoke","f":"acquire","mode":"exclusive"})");
  ASSERT_EQ(in.events.size(), 2u);
  EXPECT_TRUE(in.events[0].shared);
  EXPECT_FALSE(in.events[1].shared);
  std::string text;
  append_history_line(text, in.events[0], in.names);
  EXPECT_NE(text.find(R"("mode":"shared")"), std::string::npos) << text;
}

TEST(HistoryReader, ACompletionOrALeaveMayLeaveItsKeyOut) {
  const Read in = read_history(kAsk + R"({"time":20,"process":1,"type":"ok","f":"acquire"})"
                                      "\n"
                                      R"({"time":30,"process":1,"type":"info","f":"leave"})");
  EXPECT_EQ(in.events[1].key, 0u);
  EXPECT_EQ(in.events[2].key, 0u);
  EXPECT_EQ(in.names.keys, std::vector<std::string>{"a"});
}

TEST(HistoryReader, TakesCrlfBlankLinesAByteOrderMarkAndUnknownFields) {
  const Read in = read_history(
      "\xEF\xBB\xBF"
      R"({"process":1,"type":"invoke","f":"acquire","colour":{"a":[1]}})"
      "\r\n\r\n\n  \n");
  EXPECT_EQ(in.events.size(), 1u);
}

TEST(HistoryReader, TakesTokensOf64BitsAsNumbersOrDigits) {
  const auto token = [](const std::string& json) {
    return read_history(R"({"process":1,"type":"invoke","f":"acquire","token":)" + json + "}").events.at(0).token;
  };
  EXPECT_EQ(token("18446744073709551615"), 18446744073709551615u);
  EXPECT_EQ(token("\"18446744073709551615\""), 18446744073709551615u);
  EXPECT_EQ(token("null"), std::nullopt);
}

TEST(HistoryReader, ForeignReasonsAreOther) {
  const Read in = read_history(kAsk + R"({"time":20,"process":1,"type":"fail","f":"acquire","reason":"no luck"})");
  EXPECT_EQ(in.events[1].reason, Reason::other);
}

TEST(HistoryReader, AClientMayBeCalledNemesisOrResource) {
  const Read in = read_history(R"({"process":"nemesis","type":"invoke","f":"acquire"})"
                               "\n"
                               R"({"process":"resource","type":"invoke","f":"acquire"})");
  EXPECT_EQ(in.events[0].actor, Actor::client);
  EXPECT_EQ(in.events[1].actor, Actor::client);
}

TEST(HistoryReader, RefusesAMissingFileOrAFolder) {
  EXPECT_THROW(HistoryReader("/nonexistent/history.jsonl"), BadInput);
  EXPECT_THROW(HistoryReader("/tmp"), BadInput);
}

}  // namespace
}  // namespace holdfast
