// Replay files: what is written is read again, and what is wrong is named with file and line.
#include "explore/replay_file.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

TEST(ReplayFile, RoundTrip) {
  ReplayFile replay;
  replay.settings.lock = "upsert_lease+found_rows";
  replay.settings.clients = 3;
  replay.settings.reenter = true;
  replay.settings.value = "with_own_id";
  replay.words = parse_words("A +2s B!lost A");
  replay.about = "two_holders: both";
  const std::string text = to_text(replay);
  const ReplayFile again = parse_replay(text, "x.replay");
  EXPECT_EQ(to_text(ReplayFile{again.settings, again.words, replay.about}), text);
  EXPECT_EQ(text.find("rounds"), std::string::npos) << "defaults are not written";
}

TEST(ReplayFile, AScheduleMayHaveSeveralLines) {
  const ReplayFile replay = parse_replay("lock ip_lease\r\n\nschedule A B\n# then\nschedule +2s A\n", "x");
  EXPECT_EQ(to_text(replay.words), "A B +2s A");
}

TEST(ReplayFile, ErrorsNameFileAndLine) {
  const auto told = [](const std::string& text) -> std::string {
    try {
      parse_replay(text, "x.replay");
    } catch (const BadInput& refused) {
      return refused.what();
    }
    return "accepted";
  };
  EXPECT_EQ(told("lock ip_lease\nschedule A Q!x\n").rfind("x.replay:2: 'Q!x' is not a word", 0), 0U);
  EXPECT_EQ(told("lock ip_leese\n").rfind("x.replay:1: unknown lock 'ip_leese'", 0), 0U) << told("lock ip_leese\n");
  EXPECT_EQ(told("lock ip_lease\nclint 3\n").rfind("x.replay:2: unknown key 'clint'", 0), 0U);
  EXPECT_EQ(told("lock ip_lease\nclients -3\n").rfind("x.replay:2: clients: '-3'", 0), 0U);
  EXPECT_EQ(told("lock ip_lease\nreenter 3\n").rfind("x.replay:2: reenter: '3'", 0), 0U);
  EXPECT_EQ(told("lock ip_lease\n"), "x.replay: no schedule; remedy: add a line 'schedule A B A'");
  EXPECT_EQ(told("schedule A\n"), "x.replay: no lock; remedy: add a line 'lock NAME'");
  EXPECT_EQ(told("lock ip_lease\nclients 0\nschedule A\n"), "x.replay: clients: must be from 1 to 6");
}

}  // namespace
}  // namespace holdfast
