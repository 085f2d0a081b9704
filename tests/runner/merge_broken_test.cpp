// A damaged journal is incomplete: events after the damage are lost, and the rest is not a history of the trial.
#include <gtest/gtest.h>

#include <fstream>

#include "artifact/error.hpp"
#include "history/journal.hpp"
#include "runner/merge.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

TEST(MergeBroken, BrokenJournalIsAnError) {
  const TemporaryFolder folder;
  const std::string path = folder.file("client-0.journal");
  {
    JournalWriter out(path, 0);
    Event event;
    event.type = EventType::invoke;
    out.event(event);
    event.type = EventType::ok;
    out.event(event);
  }
  HistoryHeader header;
  header.foreign = false;
  header.clients = 1;
  const MergeInput input{folder.path(), 1, 1, {"k0"}, {}, {}};
  merge_history(input, header, folder.file("history.jsonl"));
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.write("\7\0\0\0", 4);  // a length that no record has
  file.close();
  try {
    merge_history(input, header, folder.file("history.jsonl"));
    FAIL() << "taken for a whole one";
  } catch (const HarnessError& broken) {
    EXPECT_TRUE(contains(broken.what(), "client-0.journal is broken at byte 0")) << broken.what();
  }
}

}  // namespace
}  // namespace holdfast
