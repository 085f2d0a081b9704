// Journals as one history: merged in the order of time, named, and refused where they are broken.
#include "history/journal_source.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "artifact/error.hpp"
#include "history/journal.hpp"
#include "history/open_history.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

void write(const std::string& path, std::uint32_t client, std::int64_t from_ns, int turns) {
  JournalWriter out(path, client);
  Event event;
  event.process = client;
  for (int turn = 0; turn < turns; ++turn) {
    for (const EventType type : {EventType::invoke, EventType::ok}) {
      event.op = turn % 2 == 0 ? Op::acquire : Op::release;
      event.type = type;
      event.time_ns = from_ns += 10;
      out.event(event);
    }
  }
}

TEST(JournalSource, MergesAFolderByTime) {
  const TemporaryFolder folder;
  write(folder.file("client-0.journal"), 0, 0, 6000);  // more than a chunk
  write(folder.file("client-1.journal"), 1, 5, 3);
  const auto in = open_history(folder.path());
  Event event;
  std::int64_t last_ns = 0;
  std::uint64_t events = 0;
  for (; in->next(event); ++events) {
    EXPECT_GE(event.time_ns, last_ns);
    EXPECT_EQ(event.index, events);
    last_ns = event.time_ns;
  }
  EXPECT_EQ(events, 12006u);
  EXPECT_EQ(in->names().processes.all(), (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(in->names().keys, (std::vector<std::string>{"k0"}));
}

TEST(JournalSource, ObserverEventIsNotAnAnswer) {
  const TemporaryFolder folder;
  write(folder.file("client-0.journal"), 0, 0, 1);  // it asks at 10 and is answered at 20
  {
    JournalWriter out(folder.file("client-0.observer.journal"), 0);
    Event seen;
    seen.actor = Actor::observer;
    seen.type = EventType::ok;
    for (seen.time_ns = 5; seen.time_ns < 30; seen.time_ns += 10) out.event(seen);
  }
  JournalSource in(folder.path());
  std::string actors;
  for (Event event; in.next(event);) actors += event.actor == Actor::observer ? 'o' : 'c';
  EXPECT_EQ(actors, "ococo");
}

TEST(JournalSource, RefusesABrokenRecordNamingTheByte) {
  const TemporaryFolder folder;
  const std::string path = folder.file("client-0.journal");
  write(path, 0, 0, 2);
  std::FILE* file = std::fopen(path.c_str(), "r+");
  ASSERT_NE(file, nullptr);
  const auto size = std::filesystem::file_size(path);
  std::fseek(file, static_cast<long>(size / 4 * 2), SEEK_SET);
  std::fputc(0x33, file);  // an impossible length of a record
  std::fclose(file);
  const std::string why = refusal([&] {
    JournalSource in(path);
    for (Event event; in.next(event);) {
    }
  });
  EXPECT_NE(why.find("is broken at byte " + std::to_string(size / 4 * 2)), std::string::npos) << why;
}

TEST(JournalSource, RefusesAnInvalidClient) {
  const TemporaryFolder folder;
  const std::string path = folder.file("client-0.journal");
  write(path, ~0U, 0, 2);
  const std::string why = refusal([&] {
    JournalSource in(path);
    for (Event event; in.next(event);) {
    }
  });
  EXPECT_NE(why.find("event 0: " + path + ": client 4294967295 is not the number of a client"), std::string::npos)
      << why;
}

TEST(JournalSource, RefusesAFolderWithoutJournals) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("empty"));
  EXPECT_NE(refusal([&] { JournalSource in(folder.file("empty")); }).find("no journal"), std::string::npos);
}

}  // namespace
}  // namespace holdfast
