// A journal: one client's raw record, kept in a mapped file so that an event costs no system call and survives kill -9.
//
// The file is a row of chunks; each is allocated before it is mapped, because writing to a hole of a full disk would
// end the process (SIGBUS). A record counts once its length word is stored, which is done last; a zero length ends the
// journal. Records never cross a chunk's end. Native byte order: a journal is read on the machine that wrote it, by the
// runner.
//
//   JournalWriter out(path, client);
//   out.event(event);                       // an invocation or a completion, the event's statements with it
//
// It is read by JournalReader (journal_reader.hpp). What it does not do: it has no index and no merged order; the
// runner merges journals into a history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "history/event.hpp"

namespace holdfast {

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

}  // namespace holdfast
