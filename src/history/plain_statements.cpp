#include "history/plain_statements.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "history/history_line.hpp"
#include "history/short_words.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostNames = 32;

template <typename Int>
bool number_at(PlainScan& scan, Int& out, std::int64_t most) {
  std::uint64_t number = 0;
  const bool plain = scan.digits(number) && number <= static_cast<std::uint64_t>(most);
  out = static_cast<Int>(number);
  return plain;
}

// An object of plain values with unique names, kept as text. An empty one is left to the parser.
bool values_at(PlainScan& scan, Statement& out) {
  const char* const from = scan.at();
  std::array<std::string_view, kMostNames> names;
  std::size_t count = 0;
  if (!scan.take('{')) return false;
  do {
    if (!scan.inside() || count == names.size() || !scan.text(names.at(count))) return false;
    const std::string_view name = names.at(count);
    const auto known = names.begin() + count;
    if (std::find(names.begin(), known, name) != known) return false;
    ++count;
    if (!scan.inside() || !scan.take(':') || !scan.any_value()) return false;
  } while (scan.inside() && scan.take(','));
  if (!scan.inside() || !scan.take('}')) return false;
  out.values = {from, static_cast<std::size_t>(scan.at() - from)};
  return true;
}

// Returns a bit for each field; 0: unknown field, or unsuitable value.
std::uint32_t field_of_statement(PlainScan& scan, std::uint64_t name, Statement& out) {
  switch (name) {
    case as_word("name"): {
      std::string_view text;
      if (!scan.text(text)) return 0;
      out.name = text;
      return 1;
    }
    case as_word("call"):
      return number_at(scan, out.call_ns, kMaxTimeNs) ? 2 : 0;
    case as_word("return"):
      return number_at(scan, out.return_ns, kMaxTimeNs) ? 4 : 0;
    case as_word("rows"):
      if (scan.peek('-')) return (out.rows = -1, scan.word("-1")) && !scan.at_digit() ? 8 : 0;
      return number_at(scan, out.rows, kMaxInteger) ? 8 : 0;
    case as_word("error"):
      return number_at(scan, out.error, std::numeric_limits<int>::max()) ? 16 : 0;
    case as_word("values"):
      return values_at(scan, out) ? 32 : 0;
    default:
      return 0;
  }
}

bool scan_statement(PlainScan& scan, Statement& out) {
  if (!scan.take('{')) return false;
  std::uint32_t seen = 0;
  do {
    scan.blanks();
    const std::uint64_t name = scan.inside() ? scan.short_word() : 0;
    if (!scan.inside() || !scan.take(':')) return false;
    scan.blanks();
    const std::uint32_t bit = scan.inside() ? field_of_statement(scan, name, out) : 0;
    if (bit == 0 || (seen & bit) != 0) return false;
    seen |= bit;
  } while (scan.inside() && scan.take(','));
  return scan.inside() && scan.take('}');
}

}  // namespace

bool scan_plain_statements(PlainScan& scan, std::vector<Statement>& out) {
  if (!scan.take('[')) return false;
  scan.blanks();
  if (scan.inside() && scan.peek(']')) return scan.take(']');
  do {
    scan.blanks();
    if (!scan.inside() || !scan_statement(scan, out.emplace_back())) return false;
  } while (scan.inside() && scan.take(','));
  return scan.inside() && scan.take(']');
}

}  // namespace holdfast
