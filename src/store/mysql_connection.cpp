#include "store/mysql_connection.hpp"

#include <errmsg.h>
#include <mysql.h>
#include <mysqld_error.h>

#include <utility>

namespace holdfast {

struct MySqlConnection::Handle {
  MYSQL* db = nullptr;
  ~Handle() {
    if (db != nullptr) ::mysql_close(db);
  }
};

namespace {

// Numbers of 2000 to 2999 are the client library's own; all others are answers of the server.
bool from_library(unsigned error) {
  return error >= CR_MIN_ERROR && error <= CR_MAX_ERROR;
}

}  // namespace

MySqlConnection::MySqlConnection(MySqlAddress address) : address_(std::move(address)) {}
MySqlConnection::~MySqlConnection() = default;
MySqlConnection::MySqlConnection(MySqlConnection&&) noexcept = default;

void MySqlConnection::connect() {
  if (handle_) return;
  auto handle = std::make_unique<Handle>();
  handle->db = ::mysql_init(nullptr);
  if (handle->db == nullptr) throw std::bad_alloc();
  MYSQL* db = handle->db;
  for (const auto option : {MYSQL_OPT_CONNECT_TIMEOUT, MYSQL_OPT_READ_TIMEOUT, MYSQL_OPT_WRITE_TIMEOUT}) {
    ::mysql_options(db, option, &address_.timeout_s);
  }
  ::mysql_options(db, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  // The library would take the host "localhost" for a socket at a place of its own.
  const unsigned way = address_.socket.empty() ? MYSQL_PROTOCOL_TCP : MYSQL_PROTOCOL_SOCKET;
  ::mysql_options(db, MYSQL_OPT_PROTOCOL, &way);
  const unsigned long flags = CLIENT_MULTI_STATEMENTS | (address_.found_rows ? CLIENT_FOUND_ROWS : 0UL);
  const char* database = address_.database.empty() ? nullptr : address_.database.c_str();
  const char* socket = address_.socket.empty() ? nullptr : address_.socket.c_str();
  const char* host = socket == nullptr ? address_.host.c_str() : nullptr;
  if (::mysql_real_connect(db, host, address_.user.c_str(), address_.password.c_str(), database, address_.port, socket,
                           flags) == nullptr) {
    throw StatementFailed(true, Reason::unavailable, static_cast<int>(::mysql_errno(db)),
                          std::string("connect: ") + ::mysql_error(db));
  }
  handle_ = std::move(handle);
  if (address_.first_statement.empty()) return;
  Reply reply;
  try {
    reply = query(address_.first_statement);
  } catch (const StatementFailed& failed) {  // nothing of the caller's was sent yet
    throw StatementFailed(true, Reason::unavailable, failed.error, std::string("connect: ") + failed.what());
  }
  if (reply.ok()) return;
  close();
  throw StatementFailed(true, Reason::unavailable, reply.error, "connect: " + reply.message);
}

void MySqlConnection::lost(const char* doing) {
  const auto error = static_cast<int>(::mysql_errno(handle_->db));
  const std::string text = std::string(doing) + ": " + ::mysql_error(handle_->db);
  close();
  throw StatementFailed(false, error == CR_SERVER_LOST ? Reason::timeout : Reason::unavailable, error, text);
}

Reply MySqlConnection::query(const std::string& sql) {
  connect();
  Reply reply;
  if (::mysql_real_query(handle_->db, sql.data(), sql.size()) != 0) {
    const unsigned error = ::mysql_errno(handle_->db);
    if (from_library(error)) lost("query");
    reply.error = static_cast<int>(error);
    reply.message = ::mysql_error(handle_->db);
  } else {
    collect(reply);
  }
  give_up_after(reply);
  return reply;
}

void MySqlConnection::collect(Reply& reply) {
  MYSQL* db = handle_->db;
  for (int more = 0; more == 0;) {
    if (MYSQL_RES* result = ::mysql_store_result(db); result != nullptr) {
      const unsigned columns = ::mysql_num_fields(result);
      reply.rows.clear();
      while (MYSQL_ROW row = ::mysql_fetch_row(result)) {
        const unsigned long* lengths = ::mysql_fetch_lengths(result);
        auto& fields = reply.rows.emplace_back();
        for (unsigned i = 0; i < columns; ++i) {
          fields.push_back(row[i] == nullptr ? Field{} : Field(std::in_place, row[i], lengths[i]));
        }
      }
      ::mysql_free_result(result);
    } else if (::mysql_field_count(db) == 0) {
      reply.affected += static_cast<std::int64_t>(::mysql_affected_rows(db));
    } else if (const unsigned error = ::mysql_errno(db); !from_library(error)) {  // it came in the midst of the rows
      reply.rows.clear();
      reply.error = static_cast<int>(error);
      reply.message = ::mysql_error(db);
      return;
    }
    if (const unsigned error = ::mysql_errno(db); from_library(error)) lost("result");
    more = ::mysql_next_result(db);
    if (more <= 0) continue;
    const unsigned error = ::mysql_errno(db);
    if (from_library(error)) lost("result");
    reply.error = static_cast<int>(error);
    reply.message = ::mysql_error(db);
  }
}

// The session is given up, as drivers do by the errors' class (08S01): whoever went on with it would find a transaction
// neither open nor over.
void MySqlConnection::give_up_after(const Reply& reply) {
  if (reply.error != kNotServing && reply.error != kErrorInCommit) return;
  close();
  if (reply.error == kNotServing) return;
  throw StatementFailed(false, Reason::other, reply.error, "commit: " + reply.message);
}

std::string MySqlConnection::quote(const std::string& text) {
  connect();
  std::string out(text.size() * 2 + 1, '\0');
  out.resize(::mysql_real_escape_string(handle_->db, out.data(), text.data(), text.size()));
  return "'" + out + "'";
}

void MySqlConnection::close() {
  handle_.reset();
}

std::uint64_t MySqlConnection::thread_id() const {
  return handle_ ? ::mysql_thread_id(handle_->db) : 0;
}

}  // namespace holdfast
