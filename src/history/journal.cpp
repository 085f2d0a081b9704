#include "history/journal.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/json_text.hpp"
#include "artifact/plain_file.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostValues = 4096;  // bytes; more are not kept

constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + 7) & ~std::size_t{7};
}

// The release store makes earlier writes visible to a reader that sees the length.
void publish(char* record, std::size_t bytes) {
  auto* length = reinterpret_cast<std::uint32_t*>(record);
  std::atomic_ref<std::uint32_t>(*length).store(static_cast<std::uint32_t>(bytes), std::memory_order_release);
}

[[noreturn]] void fail(const std::string& path, const char* doing, int why) {
  throw HarnessError(path + ": " + doing + ": " + system_text(why));
}

// They are copied into a line of a history: a line end between two of them would break it.
bool are_values(const std::string& text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  return !text.empty() && text.front() == '{' && std::none_of(text.begin(), text.end(), control) && is_json(text);
}

// Returns false if it is not a statement.
bool read_statement(const char* record, std::size_t length, std::vector<Statement>& out) {
  StatementRecord in{};
  if (length < sizeof in) return false;
  std::memcpy(&in, record, sizeof in);
  if (!sensible(in)) return false;
  const std::size_t room = std::min<std::size_t>(in.name_length, length - sizeof in);
  const std::size_t left = std::min<std::size_t>(in.values_length, length - sizeof in - room);
  std::string values(record + sizeof in + room, left);
  if (!are_values(values)) values.clear();
  out.push_back(
      {std::string(record + sizeof in, room), in.call_ns, in.return_ns, in.rows, in.error, std::move(values)});
  return true;
}

// An assertion's texts have the form of a statement.
Statement texts_of(const Evaluated& evaluated) {
  Statement out;
  out.name = evaluated.name;
  out.values = text_of_json(nlohmann::json{{"why", valid_utf8(evaluated.why)}});
  return out;
}

std::string why_in(const std::string& values) {
  try {
    const nlohmann::json object = parse_json(values);
    const auto why = object.find("why");
    return why != object.end() && why->is_string() ? why->get<std::string>() : "";
  } catch (const JsonRefusal&) {
    return "";
  }
}

}  // namespace

JournalWriter::JournalWriter(const std::string& path, std::uint32_t client)
    : path_(path), file_(open_plain_file(path, FileUse::write)), client_(client) {
  next_chunk();
}

JournalWriter::~JournalWriter() {
  if (chunk_ != nullptr) ::munmap(chunk_, kJournalChunk);
  const auto end = static_cast<off_t>((chunks_ - 1) * kJournalChunk + used_);
  if (::ftruncate(file_.get(), end) != 0) { /* the reader stops at the zero length all the same */
  }
}

void JournalWriter::next_chunk() {
  if (chunk_ != nullptr) ::munmap(chunk_, kJournalChunk);
  chunk_ = nullptr;
  const auto at = static_cast<off_t>(chunks_ * kJournalChunk);
  if (const int why = ::posix_fallocate(file_.get(), at, kJournalChunk)) fail(path_, "no room for the journal", why);
  void* chunk = ::mmap(nullptr, kJournalChunk, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file_.get(), at);
  if (chunk == MAP_FAILED) fail(path_, "mmap", errno);
  chunk_ = static_cast<char*>(chunk);
  used_ = 0;
  ++chunks_;
}

char* JournalWriter::reserve(std::size_t bytes) {
  if (used_ + bytes + sizeof(Head) > kJournalChunk) {
    const Head padding{0, RecordKind::padding};
    std::memcpy(chunk_ + used_, &padding, sizeof padding);
    publish(chunk_ + used_, kJournalChunk - used_);
    next_chunk();
  }
  char* record = chunk_ + used_;
  used_ += bytes;
  return record;
}

void JournalWriter::event(const Event& event) {
  for (const auto& done : event.statements) statement(done);
  const bool asserted = event.actor == Actor::assertion;
  if (asserted) statement(texts_of(event.evaluated));
  EventRecord out{};
  out.head.kind = RecordKind::event;
  out.time_ns = event.time_ns;
  out.number = event.number;
  const bool observed = event.actor == Actor::observer;
  out.grant = !observed ? event.grant : event.holder ? std::uint64_t{*event.holder} + 1 : 0;
  out.token = event.token.value_or(0);
  if (asserted) out.grant = static_cast<std::uint64_t>(event.evaluated.count);
  if (asserted) out.token = static_cast<std::uint64_t>(event.evaluated.kind);
  out.lease_ns = event.lease_ns.value_or(0);
  out.process = event.process;
  out.client = client_;
  out.key = event.key;
  out.type = event.type;
  out.op = event.op;
  out.reason = event.reason;
  out.present = static_cast<std::uint8_t>((event.token ? kHasToken : 0) | (event.lease_ns ? kHasLease : 0) |
                                          (event.background ? kInBackground : 0) | (observed ? kOfObserver : 0) |
                                          (event.shared ? kShared : 0) | (asserted ? kOfAssertion : 0));
  char* record = reserve(sizeof out);
  std::memcpy(record, &out, sizeof out);
  publish(record, sizeof out);
}

void JournalWriter::statement(const Statement& statement) {
  StatementRecord out{};
  out.head.kind = RecordKind::statement;
  out.call_ns = statement.call_ns;
  out.return_ns = statement.return_ns;
  out.rows = statement.rows;
  out.error = statement.error;
  out.name_length = static_cast<std::uint32_t>(std::min<std::size_t>(statement.name.size(), 255));
  out.values_length = static_cast<std::uint32_t>(statement.values.size() <= kMostValues ? statement.values.size() : 0);
  const std::size_t bytes = rounded(sizeof out + out.name_length + out.values_length);
  char* record = reserve(bytes);
  std::memcpy(record, &out, sizeof out);
  std::memcpy(record + sizeof out, statement.name.data(), out.name_length);
  std::memcpy(record + sizeof out + out.name_length, statement.values.data(), out.values_length);
  publish(record, bytes);
}

JournalReader::JournalReader(const InputFile& file) : path_(file.path()), file_(file.open()), chunk_(kJournalChunk) {}

bool JournalReader::next_chunk() {
  at_ = size_ = 0;
  ++chunks_;
  while (size_ < chunk_.size()) {
    const ssize_t got = ::read(file_.get(), chunk_.data() + size_, chunk_.size() - size_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw BadInput(path_ + ": cannot be read: " + system_text(errno));
    if (got == 0) break;
    size_ += static_cast<std::size_t>(got);
  }
  return size_ > 0;
}

// Returns the next complete record. Records never cross a chunk's end, so one chunk is mapped at a time.
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

void JournalReader::fill_evaluated(const EventRecord& in, Event& event) {
  clear(event);
  event.actor = Actor::assertion;
  event.type = in.type;
  event.time_ns = in.time_ns;
  event.process = event.client = in.client;
  event.evaluated.kind = static_cast<AssertionKind>(in.token);
  event.evaluated.count = static_cast<std::int64_t>(in.grant);
  if (statements_.empty()) return;
  event.evaluated.name = std::move(statements_.back().name);
  event.evaluated.why = why_in(statements_.back().values);
  statements_.clear();
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

// Nothing after it is read, because records could not be recognized there.
void JournalReader::break_at(std::size_t at) {
  broken_at_ = (chunks_ - 1) * kJournalChunk + at;
  at_ = size_ = 0;
}

}  // namespace holdfast
