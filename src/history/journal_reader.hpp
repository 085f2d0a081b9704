// Reads a journal (journal.hpp) event by event, a chunk at a time.
//
//   JournalReader in(path);
//   while (in.next(event)) ...
//   if (in.broken_at()) ...
//
// Most records are whole events, and a history has millions: they are read where they lie. Everything else, and every
// doubt, is next_record_of_any's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "history/event.hpp"
#include "history/journal_record.hpp"

namespace holdfast {

class JournalReader {
 public:
  explicit JournalReader(const std::string& path);  // BadInput when it cannot be read
  ~JournalReader();
  JournalReader(const JournalReader&) = delete;
  JournalReader& operator=(const JournalReader&) = delete;

  // The next event; statements recorded since the event before are with it. False at the end, and where the journal is
  // broken.
  bool next(Event& event);

  // The same in two steps, for those that merge: the record of the next event, which stays until the next call (null
  // as false above), and the event of that record, with the statements that came before it.
  const EventRecord* next_record() {
    const EventRecord* const plain = next_plain_record();
    return plain != nullptr ? plain : next_record_of_any();
  }
  void fill(const EventRecord& record, Event& event);

  // After the end: statements of an operation that has no completion.
  const std::vector<Statement>& unfinished() const { return statements_; }
  // After the end: where a record begins that is no record, in bytes; nothing when the journal is whole.
  std::optional<std::uint64_t> broken_at() const { return broken_at_; }

 private:
  const EventRecord* next_plain_record();
  const EventRecord* next_record_of_any();
  void break_at(std::size_t at);
  const char* record(std::size_t& length);
  bool next_chunk();

  std::string path_;
  int descriptor_ = -1;
  std::vector<char> chunk_;
  std::size_t size_ = 0;  // of what was read of this chunk; 0 where the journal is broken
  std::size_t at_ = 0;
  std::uint64_t chunks_ = 0;
  std::optional<std::uint64_t> broken_at_;
  std::vector<Statement> statements_;
};

// Records begin at multiples of 8 in a chunk, so they may be looked at in place.
inline const EventRecord* JournalReader::next_plain_record() {
  if (size_ - at_ < sizeof(EventRecord)) return nullptr;
  const auto* found = reinterpret_cast<const EventRecord*>(chunk_.data() + at_);
  const bool plain = found->head.kind == RecordKind::event && found->head.length == sizeof(EventRecord);
  if (!plain || !sensible(*found)) return nullptr;
  at_ += sizeof(EventRecord);
  return found;
}

inline void JournalReader::fill(const EventRecord& in, Event& event) {
  if (event.actor != Actor::client) clear(event);  // what a client did has nothing of a fault's to forget
  event.index = 0;
  event.shared = false;
  event.time_ns = in.time_ns;
  event.type = in.type;
  event.op = in.op;
  event.reason = in.reason;
  event.process = in.process;
  event.client = in.client;
  event.key = in.key;
  event.number = in.number;
  event.grant = in.grant;
  event.token = (in.present & kHasToken) != 0 ? std::optional(in.token) : std::nullopt;
  event.lease_ns = (in.present & kHasLease) != 0 ? std::optional(in.lease_ns) : std::nullopt;
  event.background = (in.present & kInBackground) != 0;
  if (!event.statements.empty()) event.statements.clear();
  if (!statements_.empty()) event.statements.swap(statements_);
}

}  // namespace holdfast
