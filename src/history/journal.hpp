// A journal: one client's raw record, kept in a mapped file so that an event costs no system call and survives kill -9.
//
// The file is a row of chunks; each is allocated before it is mapped, because writing to a hole of a full disk would
// end the process (SIGBUS). A record counts once its length word is stored, which is done last; a zero length ends the
// journal. Records never cross a chunk's end. Native byte order: a journal is read on the machine that wrote it, by the
// runner.
//
//   JournalWriter out(path, client);
//   out.event(event);                       // an invocation or a completion, the event's statements with it
//   JournalReader in(path);
//   while (in.next(event)) ...
//
// What it does not do: it has no index and no merged order; the runner merges journals into a history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "history/event.hpp"

namespace holdfast {

struct EventRecord;

inline constexpr std::size_t kJournalChunk = 256UL * 1024;

class JournalWriter {
 public:
  JournalWriter(const std::string& path, std::uint32_t client);  // HarnessError when the disk is full
  ~JournalWriter();                                              // cuts the unused rest of the last chunk off
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // event.process, key, op, type, reason, number, grant, token, lease_ns, background and time_ns are kept, and
  // event.statements.
  void event(const Event& event);

  // One statement of an operation that is still open: kept even if the client dies before the completion.
  void statement(const Statement& statement);

 private:
  char* reserve(std::size_t bytes);
  void next_chunk();

  std::string path_;
  int descriptor_ = -1;
  char* chunk_ = nullptr;
  std::size_t used_ = 0;  // in this chunk
  std::size_t chunks_ = 0;
  std::uint32_t client_;
};

class JournalReader {
 public:
  explicit JournalReader(const std::string& path);  // BadInput when it cannot be read
  ~JournalReader();
  JournalReader(const JournalReader&) = delete;
  JournalReader& operator=(const JournalReader&) = delete;

  // The next event; statements recorded since the event before are with it. False at the end, and where the journal is
  // broken.
  bool next(Event& event);

  // The same in two steps, for those that merge: the record of the next event, and the event of a record, with the
  // statements that came before the record read last.
  bool next_record(EventRecord& record);
  void fill(const EventRecord& record, Event& event);

  // After the end: statements of an operation that has no completion.
  const std::vector<Statement>& unfinished() const { return statements_; }
  // After the end: where a record begins that is no record, in bytes; nothing when the journal is whole.
  std::optional<std::uint64_t> broken_at() const { return broken_at_; }

 private:
  const char* record(std::size_t& length);
  bool next_chunk();

  std::string path_;
  int descriptor_ = -1;
  std::vector<char> chunk_;
  std::size_t size_ = 0;  // of what was read of this chunk
  std::size_t at_ = 0;
  std::uint64_t chunks_ = 0;
  std::optional<std::uint64_t> broken_at_;
  std::vector<Statement> statements_;
};

}  // namespace holdfast
