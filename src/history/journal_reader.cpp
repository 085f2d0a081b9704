#include "history/journal_reader.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "artifact/error.hpp"
#include "history/journal.hpp"

namespace holdfast {
namespace {

// False: it is none.
bool read_statement(const char* record, std::size_t length, std::vector<Statement>& out) {
  StatementRecord in{};
  if (length < sizeof in) return false;
  std::memcpy(&in, record, sizeof in);
  if (!sensible(in)) return false;
  const std::size_t room = std::min<std::size_t>(in.name_length, length - sizeof in);
  out.push_back({std::string(record + sizeof in, room), in.call_ns, in.return_ns, in.rows, in.error});
  return true;
}

}  // namespace

JournalReader::JournalReader(const std::string& path) : path_(path), chunk_(kJournalChunk) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw BadInput(path + ": cannot be read: " + system_text(errno));
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
    if (got < 0) throw BadInput(path_ + ": cannot be read: " + system_text(errno));
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
    break_at(at_);
    return nullptr;
  }
  const char* found = chunk_.data() + at_;
  at_ += head.length;
  length = head.length;
  return found;
}

bool JournalReader::next(Event& event) {
  const EventRecord* const found = next_record();
  if (found == nullptr) return false;
  fill(*found, event);
  return true;
}

const EventRecord* JournalReader::next_record_of_any() {
  std::size_t length = 0;
  while (const char* found = record(length)) {
    Head head;
    std::memcpy(&head, found, sizeof head);
    if (head.kind == RecordKind::event && length >= sizeof(EventRecord)) {
      const auto* event = reinterpret_cast<const EventRecord*>(found);
      if (sensible(*event)) return event;
    } else if (head.kind == RecordKind::padding ||
               (head.kind == RecordKind::statement && read_statement(found, length, statements_))) {
      continue;
    }
    break_at(at_ - length);
    return nullptr;
  }
  return nullptr;
}

// Nothing after it is read: what lies there cannot be told from records.
void JournalReader::break_at(std::size_t at) {
  broken_at_ = (chunks_ - 1) * kJournalChunk + at;
  at_ = size_ = 0;
}

}  // namespace holdfast
