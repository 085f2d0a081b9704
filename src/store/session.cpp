#include "store/session.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "artifact/json_text.hpp"
#include "artifact/placed_statement.hpp"

namespace holdfast {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw StatementFailed(false, Reason::other, 0, "the server's answer is not valid: " + why);
}

template <class Number>
Number read(const std::string& text) {
  Number out{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || stop != end || text.empty()) refuse("a number was expected");
  return out;
}

Reason reason_of(ErrorKind kind) {
  if (kind == ErrorKind::conflict) return Reason::conflict;
  return kind == ErrorKind::unavailable ? Reason::unavailable : Reason::other;
}

}  // namespace

StatementFailed::StatementFailed(const Reply& reply, const std::string& text)
    : StatementFailed(true, reason_of(reply.kind), reply.error, text) {
  kind = reply.kind;
}

Reply Reply::refused(ErrorKind why, int error, std::string message) {
  Reply out;
  out.kind = why;
  out.error = error;
  out.message = std::move(message);
  return out;
}

const Field& Reply::field(std::size_t row, std::size_t column) const {
  if (row >= rows.size()) refuse("it has " + std::to_string(rows.size()) + " rows, too few");
  if (column >= rows[row].size()) refuse("a row has " + std::to_string(rows[row].size()) + " columns, too few");
  return rows[row][column];
}

const std::string& Reply::text(std::size_t row, std::size_t column) const {
  const Field& out = field(row, column);
  if (!out) refuse("NULL where a value was expected");
  return *out;
}

std::int64_t Reply::number(std::size_t row, std::size_t column) const {
  return read<std::int64_t>(text(row, column));
}

std::uint64_t Reply::count(std::size_t row, std::size_t column) const {
  return read<std::uint64_t>(text(row, column));
}

Reply Session::attempt_at(std::uint32_t server, std::string_view statement, Params params) {
  if (servers() == 1) return attempt(statement, params);
  return attempt(at_server(statement, server), params);
}

Reply Session::execute(std::string_view statement, Params params) {
  Reply reply = attempt(statement, params);
  expect_ok(statement, reply);
  return reply;
}

std::string values_json(Params params) {
  constexpr std::size_t kMostOfText = 200;
  nlohmann::json out = nlohmann::json::object();
  for (const Param& param : params) {
    nlohmann::json& value = out[std::string(param.name)];
    std::visit([&value](const auto& given) { value = given; }, param.value);
    if (!value.is_string()) continue;
    auto& text = value.get_ref<std::string&>();
    if (text.size() > kMostOfText) text = text.substr(0, kMostOfText) + "…";
  }
  return params.size() == 0 ? "" : text_of_json(out);
}

void expect_ok(std::string_view statement, const Reply& reply) {
  if (!reply.ok()) throw StatementFailed(reply, std::string(statement) + ": " + reply.message);
}

void OpenTransaction::before(std::string_view statement, bool connected) {
  if (statement == "begin") {
    if (open_ && connected) throw std::logic_error("the lock begins a transaction inside an open one");
    open_ = false;
    return;
  }
  if (!open_ || connected) return;
  if (statement == "commit" || statement == "rollback") open_ = false;
  throw StatementFailed(true, Reason::unavailable, 0,
                        std::string(statement) + ": the transaction was lost with its connection");
}

void OpenTransaction::after(std::string_view statement) {
  if (statement == "begin") open_ = true;
  if (statement == "commit" || statement == "rollback") open_ = false;
}

}  // namespace holdfast
