#include "history/plain_line.hpp"

#include <array>
#include <cstring>
#include <string_view>

#include "history/history_line.hpp"

namespace holdfast {
namespace {

// Steps through a line of plain JSON (plain_line.hpp); every step says whether the line is still plain.

// By byte: whether it may stand between quotes as it is. Printable ASCII without quotes and escapes.
constexpr std::array<bool, 256> kPlainBytes = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x7f; ++c) plain.at(c) = c != '"' && c != '\\';
  return plain;
}();

// `word == literal`, compared without a call.
template <std::size_t N>
bool is_word(std::string_view word, const char (&literal)[N]) {
  return word.size() == N - 1 && std::memcmp(word.data(), literal, N - 1) == 0;
}

class PlainScan {
 public:
  explicit PlainScan(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  void blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }
  bool take(char c) {
    blanks();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool peek(char c) const { return at_ != end_ && *at_ == c; }
  bool done() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
    return at_ == end_;
  }
  // These very bytes, of which there are at least four.
  bool literal(std::string_view bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes.size() || at_[1] != bytes[1]) return false;
    const std::size_t size = bytes.size();
    if (!(size < 8 ? same<4>(at_, bytes.data(), size) : same<8>(at_, bytes.data(), size))) return false;
    at_ += bytes.size();
    return true;
  }
  // Between quotes; printable ASCII without escapes.
  bool text(std::string_view& out) {
    if (!take('"')) return false;
    const char* from = at_;
    while (at_ != end_ && kPlainBytes[static_cast<unsigned char>(*at_)]) ++at_;
    out = {from, static_cast<std::size_t>(at_ - from)};
    if (at_ == end_ || *at_ != '"') return false;
    ++at_;
    return true;
  }
  // Digits without a sign, a fraction or a leading zero.
  bool digits(std::string_view& out) {
    blanks();
    const char* from = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    out = {from, static_cast<std::size_t>(at_ - from)};
    if (out.empty() || out.size() > 18 || (out.size() > 1 && out[0] == '0')) return false;
    return at_ != end_ && (*at_ == ',' || *at_ == '}' || *at_ == ' ');
  }
  bool word(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size() || std::string_view(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  bool value(std::string_view& out, bool& quoted) {
    blanks();
    quoted = peek('"');
    if (quoted) return text(out);
    return digits(out);
  }
  bool any_value() {
    std::string_view ignored;
    blanks();
    if (peek('"')) return text(ignored);
    if (peek('t')) return word("true");
    if (peek('f')) return word("false");
    if (peek('n')) return word("null");
    return digits(ignored);
  }

 private:
  // From N to 2 N bytes, by the first and the last N of them: without a call.
  template <std::size_t N>
  static bool same(const char* a, const char* b, std::size_t size) {
    return std::memcmp(a, b, N) == 0 && std::memcmp(a + size - N, b + size - N, N) == 0;
  }

  const char* at_;
  const char* end_;
};

enum PlainField : std::uint8_t {
  kIndex,
  kTime,
  kProcess,
  kType,
  kF,
  kKey,
  kToken,
  kLease,
  kReason,
  kClient,
  kOp,
  kGrant
};
// As they stand in a line whose writer leaves no blanks.
constexpr std::array<std::string_view, 12> kWritten{R"("index":)",  R"("time":)",   R"("process":)", R"("type":)",
                                                    R"("f":)",      R"("key":)",    R"("token":)",   R"("lease_ms":)",
                                                    R"("reason":)", R"("client":)", R"("op":)",      R"("grant":)"};
// Fields that change what a line is, or are read by the general parser only.
constexpr std::array<std::string_view, 13> kUnusual{"step",  "background",       "statements", "cause",    "clients",
                                                    "until", "waited",           "detail",     "sequence", "base",
                                                    "value", "holdfast_history", "mode"};
constexpr std::size_t kMostUnknown = 8;

std::int64_t number_of(std::string_view digits) {
  std::int64_t number = 0;
  for (const char c : digits) number = 10 * number + (c - '0');
  return number;
}

bool type_of(std::string_view word, EventType& out) {
  if (is_word(word, "invoke")) return out = EventType::invoke, true;
  if (is_word(word, "ok")) return out = EventType::ok, true;
  if (is_word(word, "fail")) return out = EventType::fail, true;
  if (is_word(word, "info")) return out = EventType::info, true;
  return false;
}

bool op_of_word(std::string_view word, Op& out) {
  if (is_word(word, "acquire")) return out = Op::acquire, true;
  if (is_word(word, "release")) return out = Op::release, true;
  if (is_word(word, "renew")) return out = Op::renew, true;
  if (is_word(word, "write")) return out = Op::write, true;
  if (is_word(word, "leave")) return out = Op::leave, true;
  return false;
}

bool read(PlainField field, std::string_view text, Event& event, HistoryLine& line) {
  switch (field) {
    case kProcess:
      line.process = text;
      return text != "nemesis" && text != "resource" && text != "observer";
    case kKey:
      line.key = text;
      return line.has_key = true;
    case kType:
      return type_of(text, event.type);
    case kF:
      return op_of_word(text, event.op);
    case kReason:
      if (!from_text(std::string(text), event.reason)) event.reason = Reason::other;
      return true;
    default:
      return false;
  }
}

bool read_number(PlainField field, std::int64_t number, Event& event, HistoryLine& line) {
  switch (field) {
    case kIndex:
      event.index = static_cast<std::uint64_t>(number);
      return line.has_index = true;
    case kTime:
      event.time_ns = number;
      return line.has_time = true;
    case kToken:
      event.token = static_cast<std::uint64_t>(number);
      return true;
    case kLease:
      event.lease_ns = number * 1'000'000;
      return number <= kMaxLeaseMs;
    case kClient:
      event.client = static_cast<std::uint32_t>(number);
      return (line.has_client = number < kMaxClients);
    case kOp:
      event.number = static_cast<std::uint64_t>(number);
      return true;
    case kGrant:
      event.grant = static_cast<std::uint64_t>(number);
      return true;
    default:
      return false;
  }
}

// Writers keep to one order of fields, so the field after the last one is tried first.
int field_of(std::string_view name, int guess) {
  for (std::size_t i = 0; i < kWritten.size(); ++i) {
    const std::size_t field = (static_cast<std::size_t>(guess) + i) % kWritten.size();
    if (kWritten[field].substr(1, kWritten[field].size() - 3) == name) return static_cast<int>(field);
  }
  return -1;
}

class PlainLine {
 public:
  PlainLine(std::string_view text, Event& event, HistoryLine& line) : scan_(text), event_(event), line_(line) {}

  bool read_all() {
    if (!scan_.take('{')) return false;
    do {
      if (!member()) return false;
    } while (scan_.take(','));
    const std::uint32_t needed = 1U << kProcess | 1U << kType | 1U << kF;
    return scan_.take('}') && scan_.done() && (seen_ & needed) == needed;
  }

 private:
  bool member() {
    int field = written_field();
    if (field < 0) {
      std::string_view name;
      if (!scan_.text(name) || !scan_.take(':')) return false;
      field = field_of(name, guess_);
      if (field < 0) return unknown(name);
    }
    guess_ = field + 1;
    const std::uint32_t bit = 1U << field;
    if ((seen_ & bit) != 0) return false;
    seen_ |= bit;
    std::string_view value;
    bool quoted = false;
    if (!scan_.value(value, quoted)) return false;
    const bool name_as_number = !quoted && (field == kProcess || field == kKey);
    if (quoted || name_as_number) return read(static_cast<PlainField>(field), value, event_, line_);
    return read_number(static_cast<PlainField>(field), number_of(value), event_, line_);
  }

  int written_field() {
    for (std::size_t field = static_cast<std::size_t>(guess_); field < kWritten.size(); ++field) {
      if (scan_.literal(kWritten[field])) return static_cast<int>(field);
    }
    return -1;
  }

  bool unknown(std::string_view name) {
    for (const auto& unusual : kUnusual) {
      if (name == unusual) return false;
    }
    for (std::size_t i = 0; i < unknown_count_; ++i) {
      if (unknown_[i] == name) return false;
    }
    if (unknown_count_ == kMostUnknown) return false;
    unknown_[unknown_count_++] = name;
    return scan_.any_value();
  }

  PlainScan scan_;
  Event& event_;
  HistoryLine& line_;
  int guess_ = 0;
  std::uint32_t seen_ = 0;
  std::array<std::string_view, kMostUnknown> unknown_;
  std::size_t unknown_count_ = 0;
};

}  // namespace

bool scan_plain_line(std::string_view text, Event& event, HistoryLine& line) {
  clear(event);
  line.has_index = line.has_time = line.has_key = line.has_client = false;
  return PlainLine(text, event, line).read_all();
}

}  // namespace holdfast
