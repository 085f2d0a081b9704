// A journal: one client's raw record in a mapped file, so that an event costs no system call and survives kill -9.
//
// The file is a sequence of chunks; each is allocated before it is mapped, because writing to a hole on a full disk
// would end the process (SIGBUS). A record counts once its length word is stored, which happens last; a zero length
// ends the journal. Records never cross a chunk's end. Native byte order: the runner reads a journal on the machine
// that wrote it.
//
//   JournalWriter out(path, client);
//   out.event(event);                       // an invocation or a completion, with the event's statements
//
// JournalReader reads it. It has no index and no merged order; the runner merges journals into a history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artifact/enumeration.hpp"
#include "artifact/input_file.hpp"
#include "history/event.hpp"

namespace holdfast {

inline constexpr std::size_t kJournalChunk = 256UL * 1024;

class JournalWriter {
 public:
  JournalWriter(const std::string& path, std::uint32_t client);  // HarnessError when the disk is full
  ~JournalWriter();                                              // truncates the unused rest of the last chunk
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // Stores event.process, key, op, type, reason, number, grant, token, lease_ns, background and time_ns, and
  // event.statements; for an observer key, holder and time_ns; for an assertion type, evaluated and time_ns.
  void event(const Event& event);

  // One statement of an open operation: kept even if the client dies before the completion.
  void statement(const Statement& statement);

 private:
  char* reserve(std::size_t bytes);
  void next_chunk();

  std::string path_;
  Descriptor file_;
  char* chunk_ = nullptr;
  std::size_t used_ = 0;  // in this chunk
  std::size_t chunks_ = 0;
  std::uint32_t client_;
};

// The records of a journal as stored, in native byte order.

enum class RecordKind : std::uint32_t { event = 1, statement = 2, padding = 3 };

struct Head {
  std::uint32_t length = 0;  // of the whole record, a multiple of 8; stored last
  RecordKind kind{};
};

enum Present : std::uint8_t {
  kHasToken = 1,
  kHasLease = 2,
  kInBackground = 4,
  kOfObserver = 8,
  kShared = 16,
  kOfAssertion = 32
};

struct EventRecord {
  Head head;
  std::int64_t time_ns;
  std::uint64_t number;
  std::uint64_t grant;  // for an observer: the holder plus 1; 0: none. For an assertion: its count
  std::uint64_t token;  // for an assertion: its kind. Its name and `why` are in a statement before it
  std::int64_t lease_ns;
  std::uint32_t process;
  std::uint32_t client;
  std::uint32_t key;
  EventType type;
  Op op;
  Reason reason;
  std::uint8_t present;  // bits of Present
};

struct StatementRecord {
  Head head;
  std::int64_t call_ns;
  std::int64_t return_ns;
  std::int64_t rows;
  std::int32_t error;
  std::uint32_t name_length;    // the name follows,
  std::uint32_t values_length;  // followed by the values
  std::uint32_t unused;
};

inline bool in_range(std::int64_t ns) {
  return static_cast<std::uint64_t>(ns) <= std::uint64_t{kMaxTimeNs};
}

// Validates a record before its kind is used. As strict as for JSON lines: what is read here can be written there.
inline bool sensible(const EventRecord& record) {
  const bool words = is_enumerator(record.type) && is_enumerator(record.op) && is_enumerator(record.reason);
  const bool numbers = (record.number | record.grant) >> 63 == 0 && in_range(record.time_ns);
  const bool lease = (record.present & kHasLease) == 0 || in_range(record.lease_ns);
  const bool background = (record.present & kInBackground) == 0 || record.op == Op::renew;
  const bool shared = (record.present & kShared) == 0 || record.op == Op::acquire;
  const bool observed = (record.present & kOfObserver) != 0;
  const bool observer = !observed || (record.type == EventType::ok && record.grant <= std::uint64_t{kMaxClients});
  const bool asserted = (record.present & kOfAssertion) != 0;
  const bool assertion =
      !asserted || (record.type != EventType::invoke && !observed && record.token < kEnumerators<AssertionKind> &&
                    record.grant <= std::uint64_t{kMostEvaluations});
  return words && numbers && lease && background && shared && observer && assertion;
}

inline bool sensible(const StatementRecord& record) {
  return in_range(record.call_ns) && in_range(record.return_ns) && record.rows >= -1 && record.error >= 0;
}

// Reads a journal event by event, one chunk at a time.
//
//   JournalReader in(path);
//   while (in.next(event)) ...
//   if (in.broken_at()) ...
//
// Most records are complete events, and a history has millions: they are read in place. All other and doubtful cases
// are handled by next_record_of_any.
class JournalReader {
 public:
  explicit JournalReader(const InputFile& file);  // BadInput when it cannot be read

  // Returns the next event with the statements recorded since the previous one. False at the end, and if the journal is
  // broken.
  bool next(Event& event);

  // The same in two steps, for merging: the record of the next event, valid until the next call (null means the same as
  // false above), and the event of that record with its preceding statements.
  const EventRecord* next_record() {
    const EventRecord* const plain = next_plain_record();
    return plain != nullptr ? plain : next_record_of_any();
  }
  void fill(const EventRecord& record, Event& event);

  // After the end: statements of an operation without a completion.
  const std::vector<Statement>& unfinished() const { return statements_; }
  // After the end: offset in bytes of the first invalid record; empty if the journal is whole.
  std::optional<std::uint64_t> broken_at() const { return broken_at_; }

 private:
  const EventRecord* next_plain_record();
  const EventRecord* next_record_of_any();
  void break_at(std::size_t at);
  void fill_evaluated(const EventRecord& record, Event& event);
  const char* record(std::size_t& length);
  bool next_chunk();

  std::string path_;
  Descriptor file_;
  std::vector<char> chunk_;
  std::size_t size_ = 0;  // bytes read of this chunk; 0 if the journal is broken
  std::size_t at_ = 0;
  std::uint64_t chunks_ = 0;
  std::optional<std::uint64_t> broken_at_;
  std::vector<Statement> statements_;
};

// Records begin at multiples of 8 in a chunk, so they can be read in place.
inline const EventRecord* JournalReader::next_plain_record() {
  if (size_ - at_ < sizeof(EventRecord)) return nullptr;
  const auto* found = reinterpret_cast<const EventRecord*>(chunk_.data() + at_);
  const bool plain = found->head.kind == RecordKind::event && found->head.length == sizeof(EventRecord);
  if (!plain || !sensible(*found)) return nullptr;
  at_ += sizeof(EventRecord);
  return found;
}

inline void JournalReader::fill(const EventRecord& in, Event& event) {
  if (event.actor != Actor::client) clear_others(event);
  if ((in.present & kOfAssertion) != 0) return fill_evaluated(in, event);
  const bool observed = (in.present & kOfObserver) != 0;
  event.actor = observed ? Actor::observer : Actor::client;
  event.index = 0;
  event.time_ns = in.time_ns;
  event.type = in.type;
  event.op = in.op;
  event.reason = in.reason;
  event.process = in.process;
  event.client = in.client;
  event.key = in.key;
  (in.present & kHasToken) != 0 ? void(event.token = in.token) : event.token.reset();
  (in.present & kHasLease) != 0 ? void(event.lease_ns = in.lease_ns) : event.lease_ns.reset();
  event.shared = (in.present & kShared) != 0;
  event.background = (in.present & kInBackground) != 0;
  event.number = in.number;
  event.grant = observed ? 0 : in.grant;
  if (observed && in.grant > 0) event.holder = static_cast<std::uint32_t>(in.grant - 1);
  if (!event.statements.empty()) event.statements.clear();
  if (!statements_.empty()) event.statements.swap(statements_);
}

}  // namespace holdfast
