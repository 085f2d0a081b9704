#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "artifact/error.hpp"
#include "history/journal.hpp"
#include "history/journal_record.hpp"

namespace holdfast {
namespace {

void read_statement(const char* record, std::size_t length, std::vector<Statement>& out) {
  StatementRecord in{};
  std::memcpy(&in, record, sizeof in);
  const std::size_t room = std::min<std::size_t>(in.name_length, length - sizeof in);
  out.push_back({std::string(record + sizeof in, room), in.call_ns, in.return_ns, in.rows, in.error});
}

bool sensible(const EventRecord& in) {
  return in.type <= EventType::info && in.op <= Op::write && in.reason <= Reason::other;
}

}  // namespace

JournalReader::JournalReader(const std::string& path) : path_(path), chunk_(kJournalChunk) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw BadInput(path + ": cannot be read");
}

JournalReader::~JournalReader() {
  ::close(descriptor_);
}

bool JournalReader::next_chunk() {
  at_ = size_ = 0;
  ++chunks_;
  while (size_ < chunk_.size()) {
    const ssize_t got = ::read(descriptor_, chunk_.data() + size_, chunk_.size() - size_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw BadInput(path_ + ": cannot be read");
    if (got == 0) break;
    size_ += static_cast<std::size_t>(got);
  }
  return size_ > 0;
}

// The next whole record. Records never cross a chunk's end, so one chunk is all that is needed at a time.
const char* JournalReader::record(std::size_t& length) {
  if (broken_at_) return nullptr;
  if (at_ + sizeof(Head) > size_ && (chunks_ == 0 || size_ == chunk_.size()) && !next_chunk()) return nullptr;
  if (at_ + sizeof(Head) > size_) return nullptr;
  Head head;
  std::memcpy(&head, chunk_.data() + at_, sizeof head);
  if (head.length == 0) return nullptr;
  if (head.length < sizeof head || head.length > size_ - at_ || head.length % 8 != 0) {
    broken_at_ = (chunks_ - 1) * kJournalChunk + at_;
    return nullptr;
  }
  const char* found = chunk_.data() + at_;
  at_ += head.length;
  length = head.length;
  return found;
}

bool JournalReader::next(Event& event) {
  EventRecord found{};
  if (!next_record(found)) return false;
  fill(found, event);
  return true;
}

bool JournalReader::next_record(EventRecord& out) {
  std::size_t length = 0;
  while (const char* found = record(length)) {
    Head head;
    std::memcpy(&head, found, sizeof head);
    if (head.kind == RecordKind::event && length >= sizeof(EventRecord)) {
      std::memcpy(&out, found, sizeof out);
      if (sensible(out)) return true;
    } else if (head.kind == RecordKind::statement && length >= sizeof(StatementRecord)) {
      read_statement(found, length, statements_);
      continue;
    } else if (head.kind == RecordKind::padding) {
      continue;
    }
    broken_at_ = (chunks_ - 1) * kJournalChunk + at_ - length;
    return false;
  }
  return false;
}

void JournalReader::fill(const EventRecord& in, Event& event) {
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
  event.token = (in.present & 1U) != 0 ? std::optional(in.token) : std::nullopt;
  event.lease_ns = (in.present & 2U) != 0 ? std::optional(in.lease_ns) : std::nullopt;
  event.background = (in.present & 4U) != 0;
  if (!event.statements.empty()) event.statements.clear();
  if (!statements_.empty()) event.statements.swap(statements_);
}

}  // namespace holdfast
