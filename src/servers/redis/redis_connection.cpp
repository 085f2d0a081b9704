#include "servers/redis/redis_connection.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "store/transport.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kRoom = std::size_t{16} << 10U;
constexpr std::size_t kLongestReplyLine = std::size_t{64} << 10U;

[[noreturn]] void refuse(const std::string& why) {
  throw BadAnswer("does not speak the Redis protocol: " + why);
}

// Classifies by its first word. A lock in Redis is refused by an answer, never by an error.
ErrorKind sorted(const std::string& error) {
  const std::string word = error.substr(0, error.find(' '));
  const std::initializer_list<const char*> not_now = {"LOADING",  "MASTERDOWN", "CLUSTERDOWN",
                                                      "READONLY", "NOREPLICAS", "TRYAGAIN"};
  const bool serves = std::find(not_now.begin(), not_now.end(), word) == not_now.end();
  return serves ? ErrorKind::unknown : ErrorKind::unavailable;
}

// Effects of a script before its error stay. Redis names the script in such errors, and only in these.
bool failed_halfway(const Reply& reply) {
  return !reply.ok() && reply.message.find("script: ") != std::string::npos;
}

std::string on_the_wire(const std::vector<std::string>& arguments) {
  std::string out = "*" + std::to_string(arguments.size()) + "\r\n";
  for (const auto& argument : arguments) out += "$" + std::to_string(argument.size()) + "\r\n" + argument + "\r\n";
  return out;
}

}  // namespace

char RedisReplies::byte() {
  if (at_ == buffer_.size()) {
    buffer_.resize(kRoom);
    at_ = 0;
    std::size_t n = 0;
    try {
      n = more_(buffer_.data(), buffer_.size());
    } catch (...) {
      buffer_.clear();
      throw;
    }
    buffer_.resize(n);
    if (!limit_->take(n)) throw BadAnswer(limit_->passed());
  }
  return buffer_[at_++];
}

std::string RedisReplies::line() {
  std::string out;
  for (char c = byte(); c != '\r'; c = byte()) {
    out += c;
    if (out.size() > kLongestReplyLine) refuse("a line has no end");
  }
  if (byte() != '\n') refuse("a line has no end");
  return out;
}

std::int64_t RedisReplies::number() {
  const std::string digits = line();
  std::int64_t out = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, out);
  if (digits.empty() || stop != end || error != std::errc()) refuse("a number was asked for");
  return out;
}

// Grows with the received bytes, not with the announced length.
std::string RedisReplies::text(std::int64_t length) {
  std::string out;
  auto left = static_cast<std::size_t>(length);
  while (left > 0) {
    out += byte();
    --left;
    const std::size_t part = std::min(left, buffer_.size() - at_);
    out.append(buffer_, at_, part);
    at_ += part;
    left -= part;
  }
  if (byte() != '\r' || byte() != '\n') refuse("a string is longer than its declared length");
  return out;
}

void RedisReplies::keep(Reply& out, Field field) {
  if (!limit_->take(sizeof(Field) + sizeof(std::vector<Field>))) throw BadAnswer(limit_->passed());
  out.rows.push_back({std::move(field)});
}

// The elements of an answer become rows, one each, at any nesting depth.
void RedisReplies::add_rows(Reply& out, int depth) {
  switch (byte()) {
    case '+':
    case '-':
      return keep(out, line());
    case ':':
      return keep(out, std::to_string(number()));
    case '$': {
      const std::int64_t length = number();
      return keep(out, length < 0 ? Field{} : Field(text(length)));
    }
    case '*': {
      const std::int64_t count = number();
      return count < 0 ? keep(out, Field{}) : add_array(out, count, depth + 1);
    }
    default:
      refuse("an answer does not begin with + - : $ or *");
  }
}

void RedisReplies::add_array(Reply& out, std::int64_t count, int depth) {
  if (depth > kDeepestAnswer) {
    throw BadAnswer("sent an answer nested deeper than " + std::to_string(kDeepestAnswer) + " levels");
  }
  for (std::int64_t i = 0; i < count; ++i) add_rows(out, depth);
}

Reply RedisReplies::next(AnswerLimit& limit) {
  limit_ = &limit;
  Reply out;
  switch (byte()) {
    case '-':
      out.message = line();
      out.kind = sorted(out.message);
      out.error = kRedisError;
      break;
    case ':':
      out.affected = number();
      out.form = ReplyForm::number;
      break;
    case '+':
      if (line() == "OK") out.form = ReplyForm::ok;
      out.affected = 1;
      break;
    case '$':
      if (const std::int64_t length = number(); length >= 0) {
        out.only_read = true;
        keep(out, text(length));
      } else {
        out.form = ReplyForm::nil;
      }
      break;
    case '*':
      if (const std::int64_t count = number(); count >= 0) {
        out.only_read = true;
        add_array(out, count, 1);
      } else {
        out.form = ReplyForm::nil;
      }
      break;
    default:
      refuse("an answer does not begin with + - : $ or *");
  }
  if (at_ != buffer_.size()) refuse("more data arrived than requested");
  return out;
}

struct RedisConnection::Handle {
  Stream stream;
  RedisReplies replies;
  explicit Handle(const RedisAddress& address)
      : stream(address.host, address.port, address.security, address.timeout_ms),
        replies([this](char* buffer, std::size_t room) { return stream.read(buffer, room); }) {}
};

RedisConnection::RedisConnection(RedisAddress address) : address_(std::move(address)) {}
RedisConnection::~RedisConnection() = default;
RedisConnection::RedisConnection(RedisConnection&&) noexcept = default;

void RedisConnection::connect() {
  if (handle_) return;
  try {
    handle_ = std::make_unique<Handle>(address_);
  } catch (const StreamFailed& failed) {
    throw StatementFailed(true, Reason::unavailable, 0, std::string("connect: ") + failed.what());
  }
  if (!address_.password.empty()) {
    if (address_.user.empty()) introduce({"AUTH", address_.password});
    if (!address_.user.empty()) introduce({"AUTH", address_.user, address_.password});
  }
  if (address_.database != 0) introduce({"SELECT", std::to_string(address_.database)});
  id_ = static_cast<std::uint64_t>(introduce({"CLIENT", "ID"}).affected);
}

// A step of connecting: nothing of the caller's was sent yet.
Reply RedisConnection::introduce(const std::vector<std::string>& arguments) {
  Reply reply;
  try {
    reply = send(arguments);
  } catch (const StatementFailed& failed) {
    throw StatementFailed(true, Reason::unavailable, failed.error, std::string("connect: ") + failed.what());
  }
  if (reply.ok()) return reply;
  close();
  throw StatementFailed(true, Reason::unavailable, reply.error, "connect: " + reply.message);
}

void RedisConnection::lost(const std::string& text, bool late) {
  close();
  throw StatementFailed(false, late ? Reason::timeout : Reason::unavailable, 0, text);
}

Reply RedisConnection::send(const std::vector<std::string>& arguments) {
  AnswerLimit limit(kMostOfAnswer);
  try {
    handle_->stream.write(on_the_wire(arguments));
    return handle_->replies.next(limit);
  } catch (const StreamFailed& failed) {
    lost(arguments.front() + ": " + failed.what(), failed.late);
  } catch (const BadAnswer& bad) {
    lost(arguments.front() + ": " + address_.host + ":" + std::to_string(address_.port) + " " + bad.what(), false);
  }
}

Reply RedisConnection::command(const std::vector<std::string>& arguments) {
  connect();
  Reply reply = send(arguments);
  if (failed_halfway(reply)) throw StatementFailed(false, Reason::other, reply.error, reply.message);
  return reply;
}

void RedisConnection::close() {
  handle_.reset();
  id_ = 0;
}

}  // namespace holdfast
