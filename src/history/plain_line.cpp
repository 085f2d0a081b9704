#include "history/plain_line.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string_view>

#include "history/history_line.hpp"

namespace holdfast {
namespace {

enum PlainField : std::uint8_t {
  kUnknown,
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
  kGrant,
  kMode,
  kBackground,
  kStatements,
  kBeginning  // of the line; no field
};
static_assert(kBeginning + 1 == FieldGuesses::kFields);
constexpr std::size_t kMostUnknown = 8;

// Fields by their names: a multiplication takes each to a place of its own.
struct FieldOfName {
  std::uint64_t name = 0;
  PlainField field = kUnknown;
};
constexpr std::array<FieldOfName, 13> kShortNames{{{as_word("index"), kIndex},
                                                   {as_word("time"), kTime},
                                                   {as_word("process"), kProcess},
                                                   {as_word("type"), kType},
                                                   {as_word("f"), kF},
                                                   {as_word("key"), kKey},
                                                   {as_word("token"), kToken},
                                                   {as_word("lease_ms"), kLease},
                                                   {as_word("reason"), kReason},
                                                   {as_word("client"), kClient},
                                                   {as_word("op"), kOp},
                                                   {as_word("grant"), kGrant},
                                                   {as_word("mode"), kMode}}};
constexpr std::size_t kPlaces = 64;
constexpr std::size_t place_of_name(std::uint64_t name, std::uint64_t factor) {
  return (name * factor) >> 58;
}
constexpr bool tells_apart(std::uint64_t factor) {
  std::array<bool, kPlaces> taken{};
  for (const FieldOfName& each : kShortNames) {
    bool& place = taken.at(place_of_name(each.name, factor));
    if (place) return false;
    place = true;
  }
  return true;
}
constexpr std::uint64_t kFactor = [] {
  std::uint64_t factor = 0x9E3779B97F4A7C15;
  while (!tells_apart(factor)) factor += 0x2545F4914F6CDD1E;
  return factor;
}();
constexpr std::array<FieldOfName, kPlaces> kFields = [] {
  std::array<FieldOfName, kPlaces> fields{};
  for (const FieldOfName& each : kShortNames) fields.at(place_of_name(each.name, kFactor)) = each;
  return fields;
}();

bool type_of(std::uint64_t word, EventType& out) {
  if (word == as_word("invoke")) return out = EventType::invoke, true;
  if (word == as_word("ok")) return out = EventType::ok, true;
  if (word == as_word("fail")) return out = EventType::fail, true;
  if (word == as_word("info")) return out = EventType::info, true;
  return false;
}

bool op_of_word(std::uint64_t word, Op& out) {
  if (word == as_word("acquire")) return out = Op::acquire, true;
  if (word == as_word("release")) return out = Op::release, true;
  if (word == as_word("renew")) return out = Op::renew, true;
  if (word == as_word("write")) return out = Op::write, true;
  if (word == as_word("leave")) return out = Op::leave, true;
  return false;
}

class PlainLine {
 public:
  PlainLine(std::string_view text, Event& event, HistoryLine& line) : scan_(text), event_(event), line_(line) {}

  bool read_all() {
    if (scan_.inside()) scan_.blanks();
    if (!scan_.inside() || !scan_.peek('{')) return false;
    do {
      if (!member()) return false;
      if (scan_.inside()) scan_.blanks();
    } while (scan_.inside() && scan_.peek(','));
    const std::uint32_t needed = 1U << kProcess | 1U << kType | 1U << kF;
    const bool whole = scan_.inside() && scan_.take('}') && scan_.done() && (seen_ & needed) == needed;
    return whole && (!event_.background || event_.op == Op::renew);
  }

 private:
  // From the comma before it, or the brace.
  bool member() {
    const bool guessed = scan_.takes(line_.guesses.last(last_));
    if (!guessed && !scan_.takes(line_.guesses.before(last_))) return named_member();
    const WrittenField& begun = guessed ? line_.guesses.last(last_) : line_.guesses.before(last_);
    return known(static_cast<PlainField>(begun.field));
  }

  bool named_member() {
    const char* const begin = scan_.at();
    scan_.step();
    scan_.blanks();
    const char* const from = scan_.at() + 1;
    PlainField field = kUnknown;
    if (const std::uint64_t name = scan_.inside() ? scan_.short_word() : 0) {
      const FieldOfName& known = kFields[place_of_name(name, kFactor)];
      if (known.name == name) field = known.field;
    } else {
      std::string_view text;
      if (!scan_.text(text)) return false;
      if (text == "background") field = kBackground;
      if (text == "statements") field = kStatements;
    }
    if (field == kUnknown) return unknown({from, static_cast<std::size_t>(scan_.at() - from - 1)});
    if (!scan_.inside() || !scan_.take(':')) return false;
    scan_.blanks();
    line_.guesses.add(last_, scan_.written_since(begin, field));
    return known(field);
  }

  bool known(PlainField field) {
    const std::uint32_t bit = 1U << field;
    const bool again = (seen_ & bit) != 0;
    seen_ |= bit;
    last_ = field;
    return !again && scan_.inside() && value(field);
  }

  bool value(PlainField field) {
    switch (field) {
      case kIndex:
        return line_.has_index = number(event_.index, kMaxInteger);
      case kTime:
        return line_.has_time = number(event_.time_ns, kMaxTimeNs);
      case kProcess:
        return name(line_.process) && !special();
      case kType:
        return type_of(scan_.short_word(), event_.type);
      case kF:
        return op_of_word(scan_.short_word(), event_.op);
      case kKey:
        return line_.has_key = name(line_.key);
      case kToken:
        return token();
      case kLease:
        return lease();
      case kReason:
        return reason();
      case kClient:
        return line_.has_client = number(event_.client, kMaxClients - 1);
      case kOp:
        return number(event_.number, kMaxInteger);
      case kGrant:
        return number(event_.grant, kMaxInteger);
      case kMode:
        return mode();
      case kBackground:
        event_.background = scan_.peek('t');
        return scan_.word(event_.background ? "true" : "false");
      case kStatements:
        return statements();
      case kUnknown:
      case kBeginning:
        break;
    }
    return false;
  }

  template <typename Int>
  bool number(Int& out, std::int64_t most) {
    std::uint64_t number = 0;
    const bool plain = scan_.digits(number) && number <= static_cast<std::uint64_t>(most);
    out = static_cast<Int>(number);
    return plain;
  }
  bool name(LineName& out) {
    const char* const from = scan_.at();
    std::uint64_t number = 0;
    std::string_view text;
    if (scan_.peek('"')) return scan_.text(text) && (out.refer(text), true);
    if (!scan_.digits(number)) return false;
    text = scan_.since(from);
    number < ProcessNames::kMost ? out.refer(text, static_cast<std::uint32_t>(number)) : out.refer(text);
    return true;
  }
  // What the nemesis, the resource or an observer says has other fields.
  bool special() const {
    if (line_.process.is_number()) return false;
    const std::string_view text = line_.process.text();
    return text == "nemesis" || text == "resource" || text == "observer";
  }
  // As a number, or as a string of its digits.
  bool token() {
    if (scan_.peek('n')) return scan_.word("null");
    std::uint64_t number = 0;
    if (!scan_.peek('"')) {
      if (!scan_.digits(number)) return false;
    } else {
      std::string_view text;
      if (!scan_.text(text) || text.empty() || text.size() > 19) return false;
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
    if (!number(lease_ms, kMaxLeaseMs)) return false;
    event_.lease_ns = lease_ms * 1'000'000;
    return true;
  }
  bool reason() {
    std::string_view text;
    if (!scan_.text(text)) return false;
    if (text == "busy") return event_.reason = Reason::busy, true;
    if (!from_text(text, event_.reason)) event_.reason = Reason::other;
    return true;
  }
  bool mode() {
    std::string_view text;
    if (!scan_.text(text)) return false;
    event_.shared = text == "shared";
    return event_.shared || text == "exclusive";
  }

  bool statements() {
    if (!scan_.take('[')) return false;
    scan_.blanks();
    if (scan_.inside() && scan_.peek(']')) return scan_.take(']');
    do {
      scan_.blanks();
      if (!scan_.inside() || !statement(event_.statements.emplace_back())) return false;
    } while (scan_.inside() && scan_.take(','));
    return scan_.inside() && scan_.take(']');
  }
  bool statement(Statement& out) {
    if (!scan_.take('{')) return false;
    std::uint32_t seen = 0;
    do {
      scan_.blanks();
      const std::uint64_t name = scan_.inside() ? scan_.short_word() : 0;
      if (!scan_.inside() || !scan_.take(':')) return false;
      scan_.blanks();
      const std::uint32_t bit = scan_.inside() ? of_statement(name, out) : 0;
      if (bit == 0 || (seen & bit) != 0) return false;
      seen |= bit;
    } while (scan_.inside() && scan_.take(','));
    return scan_.inside() && scan_.take('}');
  }
  // A bit for each field; 0: it is none, or has no such value.
  std::uint32_t of_statement(std::uint64_t name, Statement& out) {
    switch (name) {
      case as_word("name"): {
        std::string_view text;
        if (!scan_.text(text)) return 0;
        out.name = text;
        return 1;
      }
      case as_word("call"):
        return number(out.call_ns, kMaxTimeNs) ? 2 : 0;
      case as_word("return"):
        return number(out.return_ns, kMaxTimeNs) ? 4 : 0;
      case as_word("rows"):
        if (scan_.peek('-')) return (out.rows = -1, scan_.word("-1")) && !scan_.at_digit() ? 8 : 0;
        return number(out.rows, kMaxInteger) ? 8 : 0;
      case as_word("error"):
        return number(out.error, std::numeric_limits<int>::max()) ? 16 : 0;
      default:
        return 0;
    }
  }

  bool unknown(std::string_view name) {
    last_ = kUnknown;
    for (const char c : name) {
      if (c < 0x20 || c == 0x7f || c == '\\') return false;
    }
    for (std::size_t i = 0; i < unknown_count_; ++i) {
      if (unknown_[i] == name) return false;
    }
    if (unknown_count_ == kMostUnknown) return false;
    unknown_[unknown_count_++] = name;
    if (!scan_.inside() || !scan_.take(':')) return false;
    scan_.blanks();
    return scan_.any_value();
  }

  PlainScan scan_;
  Event& event_;
  HistoryLine& line_;
  std::uint32_t seen_ = 0;
  std::size_t last_ = kBeginning;
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
