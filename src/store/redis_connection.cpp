#include "store/redis_connection.hpp"

#include <hiredis/hiredis.h>

#include <cerrno>
#include <utility>

namespace holdfast {

struct RedisConnection::Handle {
  redisContext* db = nullptr;
  ~Handle() {
    if (db != nullptr) ::redisFree(db);
  }
};

namespace {

using ReplyHandle = std::unique_ptr<redisReply, decltype(&::freeReplyObject)>;

timeval time_of(std::int64_t ms) {
  return {ms / 1000, (ms % 1000) * 1000};
}

std::string text_of(const redisReply& reply) {
  return {reply.str, reply.len};
}

void add_rows(const redisReply& in, Reply& out) {
  if (in.type == REDIS_REPLY_NIL) {
    out.rows.push_back({Field{}});
  } else if (in.type == REDIS_REPLY_INTEGER) {
    out.rows.push_back({std::to_string(in.integer)});
  } else if (in.type == REDIS_REPLY_ARRAY) {
    for (std::size_t i = 0; i < in.elements; ++i) add_rows(*in.element[i], out);
  } else {
    out.rows.push_back({text_of(in)});
  }
}

Reply translated(const redisReply& in) {
  Reply out;
  switch (in.type) {
    case REDIS_REPLY_ERROR:
      out.error = kRedisError;
      out.message = text_of(in);
      break;
    case REDIS_REPLY_INTEGER:
      out.affected = in.integer;
      break;
    case REDIS_REPLY_STATUS:
      out.affected = 1;
      break;
    case REDIS_REPLY_NIL:
      break;
    default:
      out.only_read = true;
      add_rows(in, out);
  }
  return out;
}

// What a script did before its error stands. Redis names the script in such errors, and only in these.
bool failed_halfway(const Reply& reply) {
  return !reply.ok() && reply.message.find("script: ") != std::string::npos;
}

}  // namespace

RedisConnection::RedisConnection(RedisAddress address) : address_(std::move(address)) {}
RedisConnection::~RedisConnection() = default;
RedisConnection::RedisConnection(RedisConnection&&) noexcept = default;

void RedisConnection::connect() {
  if (handle_) return;
  auto handle = std::make_unique<Handle>();
  const timeval limit = time_of(address_.timeout_ms);
  handle->db = ::redisConnectWithTimeout(address_.host.c_str(), address_.port, limit);
  if (handle->db == nullptr) throw std::bad_alloc();
  if (handle->db->err != 0 || ::redisSetTimeout(handle->db, limit) != REDIS_OK) {
    throw StatementFailed(true, Reason::unavailable, handle->db->err, std::string("connect: ") + handle->db->errstr);
  }
  handle_ = std::move(handle);
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

void RedisConnection::lost(const std::string& doing) {
  const redisContext& db = *handle_->db;
  // The library reports a time-out as an input or output error with the system's EAGAIN.
  const bool late = db.err == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ETIMEDOUT);
  const int error = db.err;
  const std::string text = doing + ": " + db.errstr;
  close();
  throw StatementFailed(false, late ? Reason::timeout : Reason::unavailable, error, text);
}

Reply RedisConnection::send(const std::vector<std::string>& arguments) {
  std::vector<const char*> texts;
  std::vector<std::size_t> lengths;
  for (const auto& argument : arguments) {
    texts.push_back(argument.data());
    lengths.push_back(argument.size());
  }
  const int count = static_cast<int>(arguments.size());
  auto* answer = static_cast<redisReply*>(::redisCommandArgv(handle_->db, count, texts.data(), lengths.data()));
  const ReplyHandle reply(answer, &::freeReplyObject);
  if (!reply) lost(arguments.front());
  return translated(*reply);
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
