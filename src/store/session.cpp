#include "store/session.hpp"

#include <charconv>

namespace holdfast {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw StatementFailed(false, Reason::other, 0, "the server's answer makes no sense: " + why);
}

template <class Number>
Number read(const std::string& text) {
  Number out{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || stop != end || text.empty()) refuse("a number was asked for");
  return out;
}

}  // namespace

const Field& Reply::field(std::size_t row, std::size_t column) const {
  if (row >= rows.size()) refuse("it has " + std::to_string(rows.size()) + " rows, too few");
  if (column >= rows[row].size()) refuse("a row has " + std::to_string(rows[row].size()) + " columns, too few");
  return rows[row][column];
}

const std::string& Reply::text(std::size_t row, std::size_t column) const {
  const Field& out = field(row, column);
  if (!out) refuse("NULL stands where a value was asked for");
  return *out;
}

std::int64_t Reply::number(std::size_t row, std::size_t column) const {
  return read<std::int64_t>(text(row, column));
}

std::uint64_t Reply::count(std::size_t row, std::size_t column) const {
  return read<std::uint64_t>(text(row, column));
}

Reply Session::execute(std::string_view statement, Params params) {
  Reply reply = attempt(statement, params);
  expect_ok(statement, reply);
  return reply;
}

void expect_ok(std::string_view statement, const Reply& reply) {
  if (reply.ok()) return;
  const Reason reason = reply.conflict()             ? Reason::conflict
                        : reply.error == kNotServing ? Reason::unavailable
                                                     : Reason::other;
  throw StatementFailed(true, reason, reply.error, std::string(statement) + ": " + reply.message);
}

}  // namespace holdfast
