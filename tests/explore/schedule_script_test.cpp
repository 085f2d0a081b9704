#include "explore/schedule_script.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kBegin_us = 1'893'499'200'400'000;

TraceStep request(const char* word, const char* statement, std::vector<std::string> arguments, const char* answer) {
  TraceStep out{word, std::string(1, *word), kBegin_us, "release", statement, answer, "", {}};
  out.arguments = std::move(arguments);
  return out;
}

ExploreFind find_of(Trace steps) {
  ExploreFind out;
  out.invariant = "foreign_release";
  out.text = "A released B's lock";
  out.replay = "A +2.5s B A";
  out.steps = std::move(steps);
  return out;
}

std::string functions() {
  return "functions\n";
}

const ScriptedLock kByWords{"my_lock", {"sh", "options", functions, true}};
const ScriptedLock kByStatements{"my_lock", {"bash", "options", functions}, "CREATE TABLE my_lock (k INT)"};
const TraceStep kDel = request("A", "DEL orders", {"DEL", "it's\nmine"}, "1 change");
const TraceStep kTime{"+2.5s", "", kBegin_us + 2'500'000, "", "", "", "", {}};

// The lines behind the functions.
std::string lines_of(const ExploreFind& find, const ScriptedLock& lock, const char* last_of_head) {
  const std::string text = schedule_script(find, lock);
  const std::size_t at = text.find(last_of_head);
  EXPECT_NE(at, std::string::npos) << text;
  return text.substr(at + std::string(last_of_head).size());
}

TraceStep later(TraceStep step, std::int64_t us) {
  step.time_us += us;
  return step;
}

TEST(ScheduleScript, SendsRedisCommandsInTheirOrder) {
  const std::string text = lines_of(find_of({kDel, kTime, later(kDel, 2'500'000)}), kByWords, "functions\n");
  const std::string del = "send A DEL 'it'\\''s\nmine'  # explore saw: 1 change\n";
  EXPECT_EQ(text.rfind(del + "echo 'time passes: 2.5 s'\nsleep 2.5\n" + del + "finish\n", 0), 0U) << text;
  EXPECT_NE(text.find("echo 'explore saw: A released B'\\''s lock'\n"), std::string::npos) << text;
}

TEST(ScheduleScript, TimeThatPassesWithoutAWordIsSlept) {
  const std::string text =
      lines_of(find_of({kDel, later(kDel, 2'000'000), later(kDel, 2'000'001)}), kByWords, "functions\n");
  EXPECT_NE(text.find("1 change\necho 'time passes: 2 s'\nsleep 2\nsend"), std::string::npos) << text;
  EXPECT_EQ(text.find("sleep 2", text.find("sleep 2") + 1), std::string::npos) << "one microsecond later: " << text;
}

TEST(ScheduleScript, LateRequestIsSentWhenItArrivesInASessionOfItsOwn) {
  const TraceStep late = request("A!late", "DEL orders", {"DEL", "orders"}, "no answer: it is still in flight");
  const TraceStep arrives = request("A!arrives", "DEL orders", {"DEL", "orders"}, "1 change");
  const std::string text = lines_of(find_of({late, arrives}), kByWords, "functions\n");
  EXPECT_EQ(text.rfind("echo 'A   sends, but it has not arrived: DEL orders'\nsend late_A DEL orders", 0), 0U) << text;
  EXPECT_NE(text.find("\nclose_session late_A\n"), std::string::npos) << text;
}

TEST(ScheduleScript, CommandThatWaitsDoesNotHoldTheOthersUp) {
  const TraceStep pops = request("B", "BLPOP q 5", {"BLPOP", "q", "5"}, "no answer yet");
  const std::string text = lines_of(find_of({pops}), kByWords, "functions\n");
  EXPECT_EQ(text.rfind("wait_for B BLPOP q 5 &  # explore saw: no answer yet\nwaiting+=($!)\n", 0), 0U) << text;
}

TEST(ScheduleScript, ClientThatIsGoneSendsNothing) {
  const TraceStep update = request("A", "UPDATE my_lock SET k = 1", {}, "1 change");
  const TraceStep cut{"A!cut", "A", kBegin_us, "", "", "loses its connection", "", {}};
  const TraceStep dies{"A!crash", "A", kBegin_us, "", "", "crashes", "", {}};
  const TraceStep gone = request("A", "DELETE FROM my_lock", {}, "the connection is gone");
  const std::string begin = "send schema 'CREATE TABLE my_lock (k INT)'\n";
  const std::string sent = "send A 'UPDATE my_lock SET k = 1'  # explore saw: 1 change\n";
  EXPECT_EQ(lines_of(find_of({update, dies}), kByStatements, begin.c_str())
                .rfind(sent + "echo 'A   dies'\nclose_session A\nclose_session a\nfinish\n", 0),
            0U);
  EXPECT_EQ(lines_of(find_of({update, cut, gone}), kByStatements, begin.c_str())
                .rfind(sent + "echo 'A   loses its connection'\nclose_session A\n"
                              "echo 'A   cannot send: DELETE FROM my_lock'\nfinish\n",
                       0),
            0U);
}

TEST(ScheduleScript, LostReplyEndsTheSession) {
  const TraceStep lost = request("A!lost", "UPDATE my_lock SET k = 1", {}, "1 change; the reply is lost");
  const std::string text = schedule_script(find_of({lost}), kByStatements);
  EXPECT_NE(text.find("# explore saw: 1 change; the reply is lost\nclose_session A\n"), std::string::npos) << text;
}

TEST(ScheduleScript, TextsOfTheLockStayInTheirComment) {
  ExploreFind find = find_of({request("A", "GET orders", {"GET", "orders"}, "a\nrm -rf /")});
  find.text = "two\nrm -rf /";
  find.cause = "one\nrm -rf /";
  const std::string text = schedule_script(find, kByWords);
  EXPECT_EQ(text.find("\nrm"), std::string::npos) << text;
}

TEST(ScheduleScript, IsRefusedWhereAPlainServerCannotRepeatIt) {
  const auto refused = [](const TraceStep& step, const ScriptedLock& lock) {
    try {
      schedule_script(find_of({step}), lock);
    } catch (const BadInput& why) {
      return std::string(why.what());
    }
    return std::string("not refused");
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_EQ(refused(kDel, kByWords), "not refused");
  EXPECT_TRUE(has(refused(kDel, {"my_lock", {}}), "the kind of server that my_lock uses has no scripts"));
  EXPECT_TRUE(has(refused(request("A", "GET orders", {}, ""), kByWords), "only a summary is known of the request GET"));
  EXPECT_TRUE(has(refused(request("A", "EVALSHA 0", {"EVALSHA", "0"}, ""), kByWords), "stored script"));
  for (const char* time : {"1893499200400", "at 1893499500", "1893502800123456", "2030-01-01 15:00:00"}) {
    EXPECT_TRUE(has(refused(request("A", "SET", {"SET", time}, ""), kByWords), "simulated clock")) << time;
  }
  EXPECT_EQ(refused(request("A", "SET", {"SET", "1693499200400", "189349920"}, ""), kByWords), "not refused");
  EXPECT_TRUE(has(refused(request("A", "MULTI", {"MULTI"}, ""), kByWords), "a connection of its own"));
  ExploreFind waits = find_of({kDel});
  waits.row_lock_waits = true;
  EXPECT_THROW(schedule_script(waits, kByWords), BadInput);
  ExploreFind holds = find_of({kDel});
  holds.invariant = "";
  EXPECT_THROW(schedule_script(holds, kByWords), BadInput);
  EXPECT_TRUE(has(refused(request("A", "SET k '2030-01-01 12:00:00'", {}, ""), kByStatements), "simulated clock"));
  EXPECT_TRUE(has(refused(request("A", "DEL k at server 1", {"DEL", "k"}, ""), kByWords), "several servers"));
  EXPECT_TRUE(has(refused(request("A!ahead", "DEL k", {"DEL", "k"}, ""), kByWords), "clock is wrong"));
}

}  // namespace
}  // namespace holdfast
