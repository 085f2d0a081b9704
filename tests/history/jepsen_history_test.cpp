// Jepsen's history.edn as a history: what is taken, what is skipped, what is refused by line; and back again.
#include "history/jepsen_history.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "history/history_export.hpp"
#include "history/open_history.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

const char* const kTwo =
    "{:type :invoke, :f :acquire, :value nil, :process 0, :time 10, :index 0}\n"
    "{:type :info, :f :start, :process :nemesis, :time 15, :index 1}\n"
    "{:type :ok, :f :acquire, :value nil, :process 0, :time 20, :index 2}\n"
    "{:type :invoke, :f :unlock, :process 0, :time 30, :index 3} ; the rest of the line\n"
    "{:type :fail, :f :unlock, :process 0, :time 40, :index 4, :error [:not-held \"x\"]}\n";

std::vector<Event> read_jepsen(const std::string& text) {
  const TemporaryFolder folder;
  write_text_file(folder.file("history.edn"), text);
  JepsenHistory in(folder.file("history.edn"));
  std::vector<Event> events;
  for (Event event; in.next(event);) events.push_back(event);
  return events;
}

std::string refused(const std::string& text) {
  return refusal([&] { read_jepsen(text); });
}

TEST(JepsenHistory, TakesClientsAndSkipsTheNemesis) {
  const auto events = read_jepsen(kTwo);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].type, EventType::invoke);
  EXPECT_EQ(events[1].index, 2u);
  EXPECT_EQ(events[1].time_ns, 20);
  EXPECT_EQ(events[3].op, Op::release);
  EXPECT_EQ(events[3].reason, Reason::not_held);
}

TEST(JepsenHistory, TakesAVectorTagsAndIndependentKeys) {
  const auto events = read_jepsen(
      "[#jepsen.history.Op{:index 0, :time 1, :type :invoke, :process 3, :f :lock, :value [\"a\" nil]}\n"
      " #_ {:a 1}\n"
      " {:index 1 :time 2 :type :ok :process 3 :f :lock :value [\"a\" nil] :fence 7N}]\n");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].token, 7u);
}

TEST(JepsenHistory, TakesModesAndWritesThemAgain) {
  const auto events = read_jepsen(
      "{:type :invoke, :f :acquire, :process 0, :mode :read}\n{:type :invoke, :f :acquire, :process 1, :mode "
      ":write}\n");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_TRUE(events[0].shared);
  EXPECT_FALSE(events[1].shared);
  const Names names{{"0", "1"}, {""}};
  for (const Event& event : events) {
    std::string line;
    append_edn_line(line, event, names);
    EXPECT_EQ(read_jepsen(line).at(0).shared, event.shared) << line;
  }
  EXPECT_NE(refused("{:type :invoke, :f :acquire, :process 0, :mode :some}").find(":1: unknown mode 'some'"),
            std::string::npos);
}

std::string exported_process(const std::vector<std::string>& names, std::uint32_t process) {
  Event event;
  event.process = process;
  Names all{{}, {""}};
  for (const std::string& name : names) all.processes.id_of(name);
  std::string line;
  append_edn_line(line, event, all);
  const auto at = line.find(":process ") + 9;
  return line.substr(at, line.find(',', at) - at);
}

TEST(JepsenHistory, KeepsTheNumbersOfProcesses) {
  EXPECT_EQ(exported_process({"7", "3"}, 0), "7");
  EXPECT_EQ(exported_process({"7", "3"}, 1), "3");
  EXPECT_EQ(exported_process({"anna", "0"}, 0), "0");
  EXPECT_EQ(exported_process({"anna", "0"}, 1), "1");
  for (const char* other : {"anna", "07", "-1", "", "7 ", "99999999999999999999"}) {
    EXPECT_EQ(exported_process({"7", other}, 1), "1000000001") << other;
  }
}

TEST(JepsenHistory, RefusesNamingTheLine) {
  EXPECT_NE(refused("{:type :invoke, :f :acquire, :process 0}\n{:type :ok, :f :acquire\n").find(":3: not EDN: it ends"),
            std::string::npos);
  EXPECT_NE(refused("{:type :ok, :f :acquire, :process 0}").find(":1: an ok of acquire by process 0"),
            std::string::npos);
  EXPECT_NE(refused("\n{:type :done, :f :acquire, :process 0}").find(":2: unknown type 'done'"), std::string::npos);
  EXPECT_NE(refused("{:type :invoke, :f :acquire, :process -1}").find("process: must be"), std::string::npos);
  EXPECT_NE(refused("{:a}").find("a key without a value"), std::string::npos);
  EXPECT_NE(refused("[{:type :invoke, :f :acquire, :process 0}").find("not closed"), std::string::npos);
  EXPECT_NE(refused(std::string(1000, '[')).find("nested too deeply"), std::string::npos);
  EXPECT_NE(refused("; nothing\n").find("is empty"), std::string::npos);
}

std::string line_of(const char* type, const char* f, int process, int time, const char* more = "") {
  return std::string("{:type :") + type + ", :f :" + f + ", :process " + std::to_string(process) + ", :time " +
         std::to_string(time) + more + "}\n";
}

std::vector<std::string> warnings(const std::string& text, NotHeld not_held = NotHeld::said_by_lock) {
  const TemporaryFolder folder;
  write_text_file(folder.file("history.edn"), text);
  JepsenHistory in(folder.file("history.edn"), not_held);
  for (Event event; in.next(event);) continue;
  return in.warnings(true);
}

TEST(JepsenHistory, SkipsOtherOperationsAndWarnsOnce) {
  const std::string text = line_of("invoke", "read", 1, 5, ", :value nil") +
                           line_of("ok", "read", 1, 6, ", :value [1 2 3]") + line_of("invoke", "acquire", 0, 10) +
                           line_of("invoke", "txn", 1, 11) + line_of("ok", "acquire", 0, 20);
  EXPECT_EQ(read_jepsen(text).size(), 2u);
  ASSERT_EQ(warnings(text).size(), 1u);
  EXPECT_EQ(warnings(text)[0],
            "operations that do not belong to a lock are skipped (read, txn; lines: 3, first in line 1)");
  EXPECT_TRUE(warnings(kTwo).empty() || warnings(kTwo)[0].find("do not belong to a lock") == std::string::npos);
}

TEST(JepsenHistory, RefusesARegisterInWords) {
  const std::string text = line_of("invoke", "write", 0, 1, ", :value 3") + line_of("ok", "write", 0, 2, ", :value 3") +
                           line_of("invoke", "cas", 1, 3, ", :value [3 4]") + line_of("fail", "cas", 1, 4);
  const std::string said = refused(text);
  EXPECT_NE(said.find("has no acquire or release; its operations are cas, write, those of a register"),
            std::string::npos)
      << said;
  EXPECT_NE(refused(line_of("invoke", "enqueue", 0, 1)).find("its operations are enqueue; holdfast judges only"),
            std::string::npos);
}

TEST(JepsenHistory, TakesTheOrderOfTheLinesWhereATimeGoesBackALittle) {
  const std::string text = line_of("invoke", "acquire", 0, 2'000'000) + line_of("invoke", "acquire", 1, 1'500'000) +
                           line_of("ok", "acquire", 1, 3'000'000, ", :lease-ms 2") +
                           line_of("invoke", "release", 1, 4'000'000);
  const auto events = read_jepsen(text);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[1].time_ns, 2'000'000);
  // It is counted from when it was called: 2 ms after 1.5 ms are 1.5 ms after 2 ms.
  EXPECT_EQ(events[2].lease_ns, 1'500'000);
  ASSERT_EQ(warnings(text).size(), 1u);
  EXPECT_EQ(warnings(text)[0],
            "times go backwards (lines: 1, by up to 500000 ns, first in line 2): the order of the lines is used");
  EXPECT_NE(refused(line_of("invoke", "acquire", 0, 2'000'000'000) + line_of("ok", "acquire", 0, 5))
                .find("time: goes backwards"),
            std::string::npos);
}

TEST(JepsenHistory, TakesNotHeldInEitherMeaning) {
  const std::string text = line_of("invoke", "acquire", 0, 1) + line_of("ok", "acquire", 0, 2) +
                           line_of("invoke", "release", 0, 3) + line_of("fail", "release", 0, 4, ", :error :not-held");
  const TemporaryFolder folder;
  write_text_file(folder.file("h.edn"), text);
  const auto reason = [&](NotHeld not_held) {
    const auto in = open_history(folder.file("h.edn"), not_held);
    Event event;
    while (in->next(event)) continue;
    return event.reason;
  };
  EXPECT_EQ(reason(NotHeld::said_by_lock), Reason::not_held);
  EXPECT_EQ(reason(NotHeld::said_by_client), Reason::deadline);
  ASSERT_EQ(warnings(text).size(), 1u);
  EXPECT_NE(warnings(text)[0].find("--not-held client"), std::string::npos);
  EXPECT_NE(warnings(text, NotHeld::said_by_client)[0].find("--not-held lock"), std::string::npos);
  const std::string nothing_held =
      line_of("invoke", "release", 0, 3) + line_of("fail", "release", 0, 4, ", :error :not-held");
  EXPECT_TRUE(warnings(nothing_held).empty());
}

TEST(JepsenHistory, TakesTheTokenForTheOwner) {
  const std::string text = line_of("invoke", "acquire", 0, 1) + line_of("ok", "acquire", 0, 2, ", :value {:token 7}") +
                           line_of("invoke", "release", 1, 3, ", :value {:token 7}") + line_of("ok", "release", 1, 4) +
                           line_of("invoke", "acquire", 0, 5) + line_of("ok", "acquire", 0, 6, ", :value {:token 8}") +
                           line_of("invoke", "acquire", 0, 7) + line_of("fail", "acquire", 0, 8, ", :error :busy");
  const auto events = read_jepsen(text);
  ASSERT_EQ(events.size(), 8u);
  EXPECT_EQ(events[2].process, events[0].process);
  EXPECT_EQ(events[3].process, events[0].process);
  EXPECT_EQ(events[4].process, events[0].process);  // it had given back what it had
  EXPECT_NE(events[6].process, events[0].process);  // and now it has something
  EXPECT_EQ(events[7].process, events[6].process);
}

TEST(JepsenHistory, TakesValuesThatAreVectors) {
  const auto events = read_jepsen(line_of("invoke", "acquire", 0, 1, ", :value [:a {:fence 3}]") +
                                  line_of("ok", "acquire", 0, 2, ", :value [:a {:fence 3}]") +
                                  line_of("invoke", "acquire", 1, 3, ", :value [[1 2] nil]") +
                                  line_of("ok", "acquire", 1, 4, ", :value [1 2 3]") +
                                  line_of("invoke", "acquire", 2, 5, ", :value []"));
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[1].token, 3u);
  EXPECT_NE(events[0].key, events[2].key);
  EXPECT_EQ(events[2].key, events[4].key);
}

TEST(JepsenHistory, RoundTrip) {
  const TemporaryFolder folder;
  write_text_file(folder.file("h.edn"), kTwo);
  for (const ExportForm form : {ExportForm::edn, ExportForm::jsonl}) {
    std::FILE* out = std::fopen(folder.file("again").c_str(), "w");
    ASSERT_NE(out, nullptr);
    export_history(*open_history(folder.file("h.edn")), form, out);
    std::fclose(out);
    const auto again = open_history(folder.file("again"));
    Event event;
    std::vector<Event> events;
    while (again->next(event)) events.push_back(event);
    ASSERT_EQ(events.size(), 4u);
    EXPECT_EQ(events[1].index, 2u);
    EXPECT_EQ(events[3].reason, Reason::not_held);
    EXPECT_EQ(events[3].time_ns, 40);
  }
}

}  // namespace
}  // namespace holdfast
