#include "history/usual_line.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "history/plain_digits.hpp"
#include "history/plain_scan.hpp"
#include "history/plain_statements.hpp"

namespace holdfast {
namespace {

// Each step parses a value from its beginning and returns its end; null: it is invalid for the field, or written in an
// unusual way. It does not examine what follows, and may read kLinePadding bytes after the line.

template <typename Int>
const char* take_number(const char* at, Int& out, std::int64_t most) {
  const FoundNumber number = find_number(at);
  out = static_cast<Int>(number.value);
  return number.value <= static_cast<std::uint64_t>(most) ? number.end : nullptr;
}

// A word of less than eight bytes.
template <typename Words, typename Value>
const char* take_word(const char* at, const Words& words, Value& out) {
  const std::uint64_t bytes = eight_bytes(at + 1);
  const std::uint64_t quotes = bytes ^ digits::kEach * '"';
  const std::uint64_t found = (quotes - digits::kEach) & ~quotes & digits::kHigh;
  const std::uint64_t word = bytes & (((found & -found) - 1) >> 7);  // bytes before the first one found
  return *at == '"' && found != 0 && words.find(word, out) ? at + 2 + std::countr_zero(found) / 8 : nullptr;
}

const char* take_text(const char* at, const char* end, std::string_view& out) {
  PlainScan scan({at, static_cast<std::size_t>(end - at)});
  return scan.text(out) ? scan.at() : nullptr;
}

// A string, or a number in canonical form.
const char* take_name(const char* at, const char* end, LineName& out) {
  if (*at == '"') {
    std::string_view text;
    at = take_text(at, end, text);
    out.refer(text);
    return at;
  }
  const FoundNumber number = find_number(at);
  if (number.end == nullptr || number.value >= ProcessNames::kMost) return nullptr;
  out.refer({at, static_cast<std::size_t>(number.end - at)}, static_cast<std::uint32_t>(number.value));
  return number.end;
}

// Events of the nemesis, the resource, an observer or an assertion have other fields.
const char* take_process(const char* at, const char* end, LineName& out) {
  at = take_name(at, end, out);
  if (at == nullptr || out.is_number()) return at;
  const std::string_view text = out.text();
  const bool special = text == "nemesis" || text == "resource" || text == "observer" || text == "assertion";
  return special ? nullptr : at;
}

const char* take_token(const char* at, Event& event) {
  const FoundNumber number = find_number(at);
  event.token = number.value;
  return number.end;
}

const char* take_lease(const char* at, Event& event) {
  std::int64_t lease_ms = 0;
  at = take_number(at, lease_ms, kMaxLeaseMs);
  if (at != nullptr) event.lease_ns = lease_ms * 1'000'000;
  return at;
}

const char* take_reason(const char* at, const char* end, Event& event) {
  std::string_view reason;
  at = take_text(at, end, reason);
  if (!from_text(reason, event.reason)) event.reason = Reason::other;
  return at;
}

const char* take_unknown(const char* at, const char* end) {
  PlainScan scan({at, static_cast<std::size_t>(end - at)});
  return scan.any_value() ? scan.at() : nullptr;
}

const char* take_statements(const char* at, const char* end, Event& event) {
  PlainScan scan({at, static_cast<std::size_t>(end - at)});
  return scan_plain_statements(scan, event.statements) ? scan.at() : nullptr;
}

const char* take_value(PlainField field, const char* at, const char* end, Event& event, HistoryLine& line) {
  switch (field) {
    case kFieldIndex:
      return take_number(at, event.index, kMaxInteger);
    case kFieldTime:
      return take_number(at, event.time_ns, kMaxTimeNs);
    case kFieldProcess:
      return take_process(at, end, line.process);
    case kFieldType:
      return take_word(at, kTypeWords, event.type);
    case kFieldF:
      return take_word(at, kOpWords, event.op);
    case kFieldKey:
      return take_name(at, end, line.key);
    case kFieldToken:
      return take_token(at, event);
    case kFieldLease:
      return take_lease(at, event);
    case kFieldReason:
      return take_reason(at, end, event);
    case kFieldClient:
      return take_number(at, event.client, kMaxClients - 1);
    case kFieldOp:
      return take_number(at, event.number, kMaxInteger);
    case kFieldGrant:
      return take_number(at, event.grant, kMaxInteger);
    case kFieldStatements:
      return take_statements(at, end, event);
    case kFieldUnknown:
      return take_unknown(at, end);
    case kFieldMode:
    case kFieldBackground:
    case kFieldCount:
      return nullptr;
  }
  return nullptr;
}

PlainField field_of(std::string_view name) {
  PlainField field = kFieldUnknown;
  if (name == "background") return kFieldBackground;
  if (name == "statements") return kFieldStatements;
  return name.size() <= 8 && kFieldWords.find(as_word(name), field) ? field : kFieldUnknown;
}

}  // namespace

bool UsualLine::scan(std::string_view text, Event& event, HistoryLine& line) {
  if (missed_ > kPatience) return false;
  clear(event);
  const char* const end = text.data() + text.size();
  const bool plain = read_fields(text.data(), end, event, line) == end;
  missed_ += plain ? (missed_ > 0 ? -1 : 0) : 1;
  return plain;
}

// Returns the object's end; null: its fields are not in the known order. Reads beyond the line's end are detected here.
const char* UsualLine::read_fields(const char* at, const char* const end, Event& event, HistoryLine& line) const {
  const Field* next = order_.data();
  const Field* const last = next + size_;
  std::uint32_t seen = 0;
  if (at == end || *at != '{') return nullptr;
  do {
    const std::uint64_t first = eight_bytes(++at);
    const std::uint64_t second = eight_bytes(at + 8);
    while (next < last && !next->stands_in(first, second)) ++next;
    if (next == last || (seen & next->name) != 0 || at + next->size >= end) return nullptr;
    at = take_value(next->field, at + next->size, end, event, line);
    if (at == nullptr || at >= end) return nullptr;
    seen |= next->name;
    ++next;
  } while (*at == ',');
  line.has_index = (seen >> kFieldIndex & 1) != 0;
  line.has_time = (seen >> kFieldTime & 1) != 0;
  line.has_key = (seen >> kFieldKey & 1) != 0;
  line.has_client = (seen >> kFieldClient & 1) != 0;
  line.time_form = TimeForm::nanoseconds;
  return *at == '}' && (seen & kNeededFields) == kNeededFields ? at + 1 : nullptr;
}

// For an unknown field: the bit of its name, or the next free one; 0: no more bits.
std::uint32_t UsualLine::bit_of(std::string_view name, PlainField field) const {
  if (field != kFieldUnknown) return 1U << field;
  std::uint32_t others = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (order_[i].field != kFieldUnknown) continue;
    if (order_[i].word() == name) return order_[i].name;
    others |= order_[i].name;
  }
  return others + (1U << kFieldCount);
}

// Position after this field; a new field is inserted after the previous one.
std::size_t UsualLine::behind(std::string_view written, std::string_view name, std::size_t place) {
  Field made;
  made.size = written.size();
  made.field = field_of(name);
  made.name = bit_of(name, made.field);
  std::memcpy(made.bytes.data(), written.data(), written.size());
  std::memset(made.mask.data(), 0xff, written.size());
  const auto end = order_.begin() + static_cast<std::ptrdiff_t>(size_);
  const auto known = std::find_if(order_.begin(), end, [&](const Field& f) { return f.bytes == made.bytes; });
  if (known != end) return static_cast<std::size_t>(known - order_.begin()) + 1;
  if (size_ == order_.size() || made.name == 0) return place;
  std::move_backward(order_.begin() + static_cast<std::ptrdiff_t>(place), end, end + 1);
  order_[place] = made;
  ++size_;
  return place + 1;
}

void UsualLine::learn(std::string_view text) {
  if (missed_ > kPatience) return;
  PlainScan scan(text);
  std::size_t place = 0;
  for (char before = '{'; scan.inside() && scan.take(before); before = ',') {
    const char* const from = scan.at();
    std::string_view name;
    scan.blanks();
    if (!scan.inside() || !scan.text(name) || !scan.inside() || !scan.take(':')) return;
    scan.blanks();
    const std::string_view written(from, static_cast<std::size_t>(scan.at() - from));
    if (written.size() > sizeof(Field::bytes)) return;
    place = behind(written, name, place);
    if (!scan.any_value()) return;
  }
}

}  // namespace holdfast
