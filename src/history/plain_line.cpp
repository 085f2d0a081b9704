#include "history/plain_line.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "history/history_line.hpp"
#include "history/line_marks.hpp"
#include "history/plain_digits.hpp"
#include "history/plain_statements.hpp"
#include "history/plain_words.hpp"
#include "history/same_text.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostUnknown = 8;

constexpr std::array<std::uint64_t, 9> kFirstBytes{
    0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, ~std::uint64_t{0}};

// A part of the line.
struct Written {
  const char* from;
  const char* to;
  std::size_t size() const { return static_cast<std::size_t>(to - from); }
  std::string_view text() const { return {from, size()}; }
  bool begins(char c) const { return *from == c; }
  // Returns true if it begins and ends with quotes; quotes in between are excluded by the count for the whole line.
  bool quoted() const { return begins('"') && to[-1] == '"' && size() >= 2; }
  std::string_view inside() const { return {from + 1, size() - 2}; }
  // Between quotes, up to eight bytes; 0: longer, or not a text.
  std::uint64_t word() const { return quoted() && size() <= 10 ? eight_bytes(from + 1) & first_bytes(size() - 2) : 0; }
  static std::uint64_t first_bytes(std::size_t count) { return kFirstBytes[count]; }
};

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// First locates all fields, in any order, then reads each in a fixed order, which helps branch prediction.
class PlainLine {
 public:
  PlainLine(std::string_view text, Event& event, HistoryLine& line)
      : text_(without_blanks(text)), event_(event), line_(line) {}

  bool read_all() {
    if (text_.size() < 2 || text_.front() != '{' || text_.back() != '}' || !marks_.find(text_)) return false;
    end_ = text_.data() + text_.size() - 1;
    if (!find_fields()) return false;
    if ((seen_ & kNeededFields) != kNeededFields || !read_first() || !read_rest()) return false;
    return !event_.background || event_.op == Op::renew;
  }

 private:
  bool find_fields() {
    const char* const text = text_.data();
    const char* const end = end_;
    LineMarks::Walk marks(marks_);
    std::uint32_t seen = 0;
    std::size_t quotes = 0;  // in names, values and lists
    for (const char* at = text + 1;; ++at) {
      at += *at == ' ' ? 1 : 0;
      const char* const begin = at;
      const char* const colon = text + marks.next();
      if (*begin != '"' || *colon != ':' || colon[-1] != '"' || colon - begin < 2) return false;
      const PlainField field = field_of({begin + 1, colon - 1});
      const char* const from = colon + 1 + (colon[1] == ' ' ? 1 : 0);
      const char* to = nullptr;
      if (*from == '[') {
        to = end_of_list(field, from);
        if (to == nullptr) return false;
        quotes += static_cast<std::size_t>(std::count(from, to, '"'));
        at = text + marks.next_from(static_cast<std::size_t>(to - text));
      } else {
        at = to = text + marks.next();
        quotes += *from == '"' ? 2 : 0;
      }
      if (at != to || to <= from) return false;
      quotes += 2;
      const std::uint32_t bit = 1U << field & ~1U;
      if ((seen & bit) != 0 || !note_unknown(field, {begin + 1, colon - 1}, {from, to})) return false;
      seen |= bit;
      fields_[field].from = from;  // assigned separately: building a pair first stalls the processor
      fields_[field].to = to;
      if (at == end) break;
      if (*at != ',') return false;
    }
    seen_ = seen;
    return quotes == marks_.quotes() && unknown_mean_nothing();
  }

  static PlainField field_of(Written name) {
    PlainField field = kFieldUnknown;
    if (name.size() <= 8) {
      const bool known = kFieldWords.find(eight_bytes(name.from) & Written::first_bytes(name.size()), field);
      return static_cast<PlainField>(known * field);
    }
    if (same_text(name.text(), "background")) return kFieldBackground;
    return same_text(name.text(), "statements") ? kFieldStatements : kFieldUnknown;
  }

  // Null: not plain, or not a valid list of this field.
  [[gnu::noinline]] const char* end_of_list(PlainField field, const char* from) {
    PlainScan scan({from, static_cast<std::size_t>(end_ + 1 - from)});
    const bool plain = field == kFieldStatements ? scan_plain_statements(scan, event_.statements)
                                                 : field == kFieldUnknown && scan.any_value();
    return plain && scan.at() <= end_ ? scan.at() : nullptr;
  }

  // Always stores the field as unknown and then counts it conditionally, which avoids an unpredictable branch. Returns
  // false if there are too many.
  [[gnu::always_inline]] bool note_unknown(PlainField field, Written name, Written value) {
    Unknown& unknown = unknown_[unknown_count_];
    unknown.name.from = name.from;
    unknown.name.to = name.to;
    unknown.value.from = value.from;
    unknown.value.to = value.to;
    unknown_count_ += field == kFieldUnknown ? 1 : 0;
    return unknown_count_ <= kMostUnknown;
  }
  bool unknown_mean_nothing() const {
    for (std::size_t i = 0; i < unknown_count_; ++i) {
      if (!means_nothing(i)) return false;
    }
    return true;
  }
  // The name occurs once, and its value is plain.
  [[gnu::noinline]] bool means_nothing(std::size_t number) const {
    for (std::size_t i = 0; i < number; ++i) {
      if (same_text(unknown_[i].name.text(), unknown_[number].name.text())) return false;
    }
    const Written& value = unknown_[number].value;
    if (value.quoted() || value.begins('[') || same_text(value.text(), "null")) return true;
    PlainScan scan({value.from, static_cast<std::size_t>(end_ + 1 - value.from)});
    return scan.any_value() && scan.at() == value.to;
  }

  bool has(PlainField field) const { return (seen_ >> field & 1) != 0; }

  // Reads the fields that every line has, or nearly every.
  bool read_first() {
    line_.has_index = has(kFieldIndex);
    line_.has_time = has(kFieldTime);
    line_.has_key = has(kFieldKey);
    line_.has_client = has(kFieldClient);
    if (line_.has_index && !number(kFieldIndex, event_.index, kMaxInteger)) return false;
    if (line_.has_time && !time()) return false;
    if (!name(kFieldProcess, line_.process) || special()) return false;
    if (!kTypeWords.find(fields_[kFieldType].word(), event_.type)) return false;
    if (!kOpWords.find(fields_[kFieldF].word(), event_.op)) return false;
    if (line_.has_key && !name(kFieldKey, line_.key)) return false;
    return !line_.has_client || number(kFieldClient, event_.client, kMaxClients - 1);
  }

  bool read_rest() {
    if (has(kFieldToken) && !token()) return false;
    if (has(kFieldLease) && !lease()) return false;
    if (has(kFieldReason) && !reason()) return false;
    if (has(kFieldOp) && !number(kFieldOp, event_.number, kMaxInteger)) return false;
    if (has(kFieldGrant) && !number(kFieldGrant, event_.grant, kMaxInteger)) return false;
    if (has(kFieldMode) && !mode()) return false;
    if (has(kFieldStatements) && !fields_[kFieldStatements].begins('[')) return false;
    return !has(kFieldBackground) || background();
  }

  template <typename Int>
  bool number(PlainField field, Int& out, std::int64_t most) {
    std::uint64_t number = 0;
    const bool plain = whole_number(fields_[field].from, fields_[field].to, number);
    out = static_cast<Int>(number);
    return plain && number <= static_cast<std::uint64_t>(most);
  }
  bool time() {
    line_.time_form = TimeForm::nanoseconds;
    return number(kFieldTime, event_.time_ns, kMaxTimeNs) ||
           read_plain_time(fields_[kFieldTime].text(), event_.time_ns, line_.time_form);
  }
  bool name(PlainField field, LineName& out) {
    const Written& name = fields_[field];
    if (name.quoted()) return out.refer(name.inside()), true;
    std::uint64_t number = 0;
    if (!whole_number(name.from, name.to, number)) return false;
    number < ProcessNames::kMost ? out.refer(name.text(), static_cast<std::uint32_t>(number)) : out.refer(name.text());
    return true;
  }
  // Events of the nemesis, the resource, an observer or an assertion have other fields.
  bool special() const {
    if (line_.process.is_number()) return false;
    const std::string_view text = line_.process.text();
    return text == "nemesis" || text == "resource" || text == "observer" || text == "assertion";
  }
  // Written as a number, or as a string of digits.
  bool token() {
    const Written& token = fields_[kFieldToken];
    if (token.text() == "null") return true;
    std::uint64_t number = 0;
    if (!token.quoted()) {
      if (!whole_number(token.from, token.to, number)) return false;
    } else {
      const std::string_view text = token.inside();
      if (text.empty() || text.size() > 19) return false;
      for (const char c : text) {
        if (c < '0' || c > '9') return false;
        number = 10 * number + static_cast<std::uint64_t>(c - '0');
      }
    }
    event_.token = number;
    return true;
  }
  bool lease() {
    std::int64_t lease_ms = 0;
    if (!number(kFieldLease, lease_ms, kMaxLeaseMs)) return false;
    event_.lease_ns = lease_ms * 1'000'000;
    return true;
  }
  bool reason() {
    const Written& reason = fields_[kFieldReason];
    if (!reason.quoted()) return false;
    if (reason.word() == as_word("busy")) return event_.reason = Reason::busy, true;
    if (!from_text(reason.inside(), event_.reason)) event_.reason = Reason::other;
    return true;
  }
  bool mode() {
    const Written& mode = fields_[kFieldMode];
    if (!mode.quoted()) return false;
    event_.shared = mode.inside() == "shared";
    return event_.shared || mode.inside() == "exclusive";
  }
  bool background() {
    const std::string_view said = fields_[kFieldBackground].text();
    event_.background = said == "true";
    return event_.background || said == "false";
  }

  std::string_view text_;
  Event& event_;
  HistoryLine& line_;
  LineMarks marks_;
  const char* end_ = nullptr;  // the last brace
  std::uint32_t seen_ = 0;
  std::array<Written, kFieldCount> fields_;
  struct Unknown {
    Written name;
    Written value;
  };
  std::array<Unknown, kMostUnknown + 1> unknown_;
  std::size_t unknown_count_ = 0;
};

}  // namespace

bool scan_plain_line(std::string_view text, Event& event, HistoryLine& line) {
  clear(event);
  return PlainLine(text, event, line).read_all();
}

}  // namespace holdfast
