#include "servers/redis/redis_connection.hpp"

#include <utility>

#include "servers/redis/redis_reply.hpp"
#include "store/stream.hpp"

namespace holdfast {

struct RedisConnection::Handle {
  Stream stream;
  RedisReplies replies;
  explicit Handle(const RedisAddress& address)
      : stream(address.host, address.port, address.security, address.timeout_ms),
        replies([this](char* buffer, std::size_t room) { return stream.read(buffer, room); }) {}
};

namespace {

// What a script did before its error stands. Redis names the script in such errors, and only in these.
bool failed_halfway(const Reply& reply) {
  return !reply.ok() && reply.message.find("script: ") != std::string::npos;
}

std::string on_the_wire(const std::vector<std::string>& arguments) {
  std::string out = "*" + std::to_string(arguments.size()) + "\r\n";
  for (const auto& argument : arguments) out += "$" + std::to_string(argument.size()) + "\r\n" + argument + "\r\n";
  return out;
}

}  // namespace

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
