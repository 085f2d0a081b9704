// Two threads of one client are two holders, and their grants need not be answered in the order of their numbers.
#include <gtest/gtest.h>

#include <algorithm>

#include "checker/check.hpp"
#include "checker/late_writes.hpp"
#include "tests/checker/said.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

const char* const kHeader = R"({"holdfast_history":3,"clients":1,"lease_ns":0,"promises":["mutual_exclusion"],)"
                            R"("minima":{"grants":0,"attempts_in_hold":0}})";

TrialVerdict of_two_threads(std::int64_t second_asks_ns) {
  const TemporaryFolder folder;
  const auto line = [](std::int64_t time_ns, const char* process, const char* type, const char* f) {
    return "\n{\"time\":" + std::to_string(time_ns) + ",\"process\":\"" + process + "\",\"client\":0,\"type\":\"" +
           type + "\",\"f\":\"" + f + "\"}";
  };
  std::string text = kHeader;
  text += line(0, "0", "invoke", "acquire") + line(10, "0", "ok", "acquire");
  if (second_asks_ns > 50) text += line(50, "0", "invoke", "release") + line(60, "0", "ok", "release");
  text += line(second_asks_ns, "516", "invoke", "acquire") + line(second_asks_ns + 5, "516", "ok", "acquire");
  if (second_asks_ns < 50) text += line(50, "0", "invoke", "release") + line(60, "0", "ok", "release");
  const auto events = std::count(text.begin(), text.end(), '\n');
  text += "\n{\"type\":\"end\",\"events\":" + std::to_string(events) + "}\n";
  return check_history(folder.write("h.jsonl", text));
}

TEST(Threads, HoldsOfOneClientsThreadsOverlap) {
  const TrialVerdict v = of_two_threads(20);
  EXPECT_EQ(said(v, "mutual_exclusion"), "violated:algorithm");
}

TEST(Threads, HoldsInTurnHold) {
  EXPECT_EQ(said(of_two_threads(70), "mutual_exclusion"), "holds");
}

TEST(Threads, GrantsAreFoundInAnyOrder) {
  GrantRegister grants;
  for (const std::uint64_t number : {5U, 3U, 9U, 4U}) {
    Hold hold;
    hold.client = 1;
    hold.number = number;
    hold.granted_ns = static_cast<std::int64_t>(number) * 10;
    grants.add(hold);
  }
  for (const std::uint64_t number : {3U, 4U, 5U, 9U}) {
    ASSERT_NE(grants.find(1, number), nullptr) << number;
    EXPECT_EQ(grants.find(1, number)->granted_ns, static_cast<std::int64_t>(number) * 10);
  }
  EXPECT_EQ(grants.find(1, 6), nullptr);
}

}  // namespace
}  // namespace holdfast
