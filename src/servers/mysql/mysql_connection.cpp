#include "servers/mysql/mysql_connection.hpp"

#include <errmsg.h>
#include <mysql.h>
#include <mysqld_error.h>

#include <openssl/x509.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <utility>

#include "artifact/error.hpp"
#include "servers/mysql/mysql_errors.hpp"

#ifdef MARIADB_BASE_VERSION  // provided by the library, but by none of its self-contained headers
extern "C" int ma_pvio_register_callback(my_bool add, void (*told)(int, MYSQL*, const unsigned char*, size_t));
#endif

namespace holdfast {

struct MySqlConnection::Handle {
  MYSQL* db = nullptr;
  AnswerLimit limit;
  explicit Handle(std::size_t most) : db(::mysql_init(nullptr)), limit(most) {
    if (db == nullptr) throw std::bad_alloc();
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { ::mysql_close(db); }
};

namespace {

// Numbers from 2000 to 2999 are the client library's own; all others are server errors.
bool from_library(unsigned error) {
  return error >= CR_MIN_ERROR && error <= CR_MAX_ERROR;
}

// Completes the library's messages: for a system error it gives only the number in brackets at the end, and for a lack
// of memory no remedy.
std::string system_words(unsigned error, const std::string& text) {
  if (error == CR_OUT_OF_MEMORY) return std::string("; remedy: ") + kMoreMemory;
  const auto bracket = text.rfind('(');
  if ((error != CR_IPSOCK_ERROR && error != CR_SOCKET_CREATE_ERROR) || bracket == std::string::npos) return "";
  int number = 0;
  std::from_chars(text.data() + bracket + 1, text.data() + text.size(), number);
  return number > 0 ? ": " + system_text(number) : "";
}

constexpr const char* kRefusedMethod =
    "connect: the server wants a method of authentication that holdfast does not support";
constexpr const char* kOnlyProving =
    "; holdfast sends no password to a server without a certificate, only a proof of it (mysql_native_password, "
    "ed25519); remedy: add tls=required&ca=FILE to the target";

// For the connection that this thread waits for.
thread_local AnswerLimit* waited_for = nullptr;

class Waiting {
 public:
  explicit Waiting(AnswerLimit& limit) : before_(waited_for) {
    waited_for = &limit;
    limit.begin();
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() { waited_for = before_; }

 private:
  AnswerLimit* before_;
};

#ifdef MARIADB_BASE_VERSION
void cut_off(MYSQL* db) {
  ::shutdown(::mysql_get_socket(db), SHUT_RDWR);
}

class Greeting;
thread_local Greeting* greeted = nullptr;  // for the connection that this thread is making

// The server's first packet while this thread connects. For an error with the number 65535, the library (Connector/C
// 3.3) assumes a progress report and checks the server's version, which it does not know yet: it reads through a null
// pointer. No server uses that number for an error, so it is replaced.
class Greeting {
 public:
  Greeting() { greeted = this; }
  Greeting(const Greeting&) = delete;
  Greeting& operator=(const Greeting&) = delete;
  ~Greeting() { greeted = nullptr; }

  static void take(unsigned char* bytes, size_t length) {
    if (greeted != nullptr) greeted->mend(bytes, length);
  }

 private:
  static constexpr size_t kKind = 4;      // behind the length and the number of the packet
  static constexpr size_t kHighByte = 6;  // of the error number
  static constexpr unsigned char kError = 0xff;

  void mend(unsigned char* bytes, size_t length) {
    for (size_t i = 0; i < length && at_ <= kHighByte; ++i, ++at_) {
      if (at_ == kKind) error_ = bytes[i] == kError;
      if (at_ == kHighByte && error_) bytes[i] &= 0x7f;
    }
  }

  size_t at_ = 0;
  bool error_ = false;
};

// The library reads all column descriptions, however many, before it returns: so its bytes are counted as they arrive.
extern "C" void count_bytes(int mode, MYSQL* db, const unsigned char* bytes, size_t length) {
  constexpr int kReading = 0;
  if (mode != kReading || waited_for == nullptr || static_cast<ssize_t>(length) <= 0) return;
  Greeting::take(const_cast<unsigned char*>(bytes), length);  // a buffer of the library that it will read next
  if (!waited_for->take(length)) cut_off(db);
}

// Methods that prove knowledge of the password. With the others, an impostor at the address receives it, or may request
// it encrypted with its own key.
constexpr const char* kProving = "mysql_native_password,client_ed25519";
constexpr const char* kWithNothingToTell = "mysql_native_password,client_ed25519,caching_sha2_password";
constexpr const char* kToACertifiedServer =
    "mysql_native_password,client_ed25519,caching_sha2_password,sha256_password,mysql_clear_password";

// From 3.4 on, without a named authority, this library also trusts local servers, and any server that proves knowledge
// of the password's hash. Naming the system's authorities makes it check the certificate.
void name_authorities(MYSQL* db, const std::string& file) {
  if (!file.empty()) {
    ::mysql_options(db, MYSQL_OPT_SSL_CA, file.c_str());
    return;
  }
  const char* own_folder = std::getenv(::X509_get_default_cert_dir_env());
  ::mysql_options(db, MYSQL_OPT_SSL_CAPATH, own_folder != nullptr ? own_folder : ::X509_get_default_cert_dir());
  const char* own_file = std::getenv(::X509_get_default_cert_file_env());
  const std::string bundle = own_file != nullptr ? own_file : ::X509_get_default_cert_file();
  if (::access(bundle.c_str(), R_OK) == 0) ::mysql_options(db, MYSQL_OPT_SSL_CA, bundle.c_str());
}

void secure(MYSQL* db, const MySqlAddress& address) {
  static const int counting = ::ma_pvio_register_callback(1, &count_bytes);
  if (counting != 0) throw std::bad_alloc();
  const char* allowed = address.security.tls       ? kToACertifiedServer
                        : address.password.empty() ? kWithNothingToTell
                                                   : kProving;
  ::mysql_options(db, MARIADB_OPT_RESTRICTED_AUTH, allowed);
  if (!address.security.tls) return;
  name_authorities(db, address.security.ca);
  const my_bool yes = 1;
  ::mysql_options(db, MYSQL_OPT_SSL_ENFORCE, &yes);
  ::mysql_options(db, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &yes);
}
#else
struct Greeting {  // Oracle's library reads each
  Greeting() = default;
};

void cut_off(MYSQL* db) {
  ::shutdown(db->net.fd, SHUT_RDWR);
}

// Oracle's library has no such list. Without TLS it neither sends a password in clear text nor requests a server's key.
void secure(MYSQL* db, const MySqlAddress& address) {
  const bool no = false;
  const unsigned mode = address.security.tls ? SSL_MODE_VERIFY_IDENTITY : SSL_MODE_DISABLED;
  ::mysql_options(db, MYSQL_OPT_SSL_MODE, &mode);
  if (address.security.tls && !address.security.ca.empty()) {
    ::mysql_options(db, MYSQL_OPT_SSL_CA, address.security.ca.c_str());
  }
  ::mysql_options(db, MYSQL_ENABLE_CLEARTEXT_PLUGIN, &address.security.tls);
  ::mysql_options(db, MYSQL_OPT_GET_SERVER_PUBLIC_KEY, &no);
}
#endif

void limit_and_secure(MYSQL* db, const MySqlAddress& address) {
  for (const auto option : {MYSQL_OPT_CONNECT_TIMEOUT, MYSQL_OPT_READ_TIMEOUT, MYSQL_OPT_WRITE_TIMEOUT}) {
    ::mysql_options(db, option, &address.timeout_s);
  }
  const unsigned no = 0;
  ::mysql_options(db, MYSQL_OPT_LOCAL_INFILE, &no);
  const std::size_t most = address.most_answer;
  ::mysql_options(db, MYSQL_OPT_MAX_ALLOWED_PACKET, &most);
  if (address.security.tls) ignore_broken_pipes();
  secure(db, address);
}

bool about_authentication(unsigned error, const std::string& text) {
  return error == CR_AUTH_PLUGIN_CANNOT_LOAD || error == CR_AUTH_PLUGIN_ERR ||
         text.find("uthentication") != std::string::npos;
}

}  // namespace

MySqlConnection::MySqlConnection(MySqlAddress address) : address_(std::move(address)) {}
MySqlConnection::~MySqlConnection() = default;
MySqlConnection::MySqlConnection(MySqlConnection&&) noexcept = default;

void MySqlConnection::connect() {
  if (handle_) return;
  auto handle = std::make_unique<Handle>(address_.most_answer);
  MYSQL* db = handle->db;
  limit_and_secure(db, address_);
  ::mysql_options(db, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  // For the host "localhost" the library would use a socket at its default path.
  const unsigned way = address_.socket.empty() ? MYSQL_PROTOCOL_TCP : MYSQL_PROTOCOL_SOCKET;
  ::mysql_options(db, MYSQL_OPT_PROTOCOL, &way);
  const unsigned long flags =
      (address_.several_statements ? CLIENT_MULTI_STATEMENTS : 0UL) | (address_.found_rows ? CLIENT_FOUND_ROWS : 0UL);
  const char* database = address_.database.empty() ? nullptr : address_.database.c_str();
  const char* socket = address_.socket.empty() ? nullptr : address_.socket.c_str();
  const char* host = socket == nullptr ? address_.host.c_str() : nullptr;
  const Waiting waiting(handle->limit);
  const bool connected = [&] {
    const Greeting greeting;
    return ::mysql_real_connect(db, host, address_.user.c_str(), address_.password.c_str(), database, address_.port,
                                socket, flags) != nullptr;
  }();
  handle_ = std::move(handle);
  if (!connected) {
    const auto error = ::mysql_errno(db);
    std::string text = trouble("connect");
    text += system_words(error, text);
    // the library's own text names no method
    if (text.find("restricted_auth") != std::string::npos) text = kRefusedMethod;
    if (!address_.security.tls && about_authentication(error, text)) text += kOnlyProving;
    close();
    throw StatementFailed(true, Reason::unavailable, static_cast<int>(error), text);
  }
  for (const auto& statement : address_.first_statements) begin_with(statement);
}

void MySqlConnection::begin_with(const std::string& statement) {
  Reply reply;
  try {
    reply = query(statement);
  } catch (const StatementFailed& failed) {  // nothing of the caller's was sent yet
    throw StatementFailed(true, Reason::unavailable, failed.error, std::string("connect: ") + failed.what());
  }
  if (reply.ok()) return;
  close();
  throw StatementFailed(true, Reason::unavailable, reply.error, "connect: " + reply.message);
}

std::string MySqlConnection::trouble(const std::string& doing) const {
  const std::string& passed = handle_->limit.passed();
  if (passed.empty()) return doing + ": " + ::mysql_error(handle_->db);
  const std::string server =
      address_.socket.empty() ? address_.host + ":" + std::to_string(address_.port) : address_.socket;
  return doing + ": " + server + " " + passed;
}

void MySqlConnection::lost(const char* doing) {
  const auto error = static_cast<int>(::mysql_errno(handle_->db));
  const bool late = error == CR_SERVER_LOST && handle_->limit.passed().empty();
  const std::string text = trouble(doing);
  close();
  throw StatementFailed(false, late ? Reason::timeout : Reason::unavailable, error, text);
}

Reply MySqlConnection::query(const std::string& sql) {
  connect();
  const Waiting waiting(handle_->limit);
  Reply reply;
  if (::mysql_real_query(handle_->db, sql.data(), sql.size()) != 0) {
    const unsigned error = ::mysql_errno(handle_->db);
    if (from_library(error)) lost("query");
    reply = mysql_refused(static_cast<int>(error), ::mysql_error(handle_->db));
  } else {
    collect(reply);
  }
  give_up_after(reply);
  return reply;
}

// Row by row, so that the limit counts kept data; the rest of an answer beyond the limit is not read.
void MySqlConnection::read_rows(Reply& reply) {
  MYSQL* db = handle_->db;
  const std::unique_ptr<MYSQL_RES, decltype(&::mysql_free_result)> result(::mysql_use_result(db), &::mysql_free_result);
  if (!result) {
    if (::mysql_field_count(db) == 0) reply.affected += static_cast<std::int64_t>(::mysql_affected_rows(db));
    return;
  }
  const unsigned columns = ::mysql_num_fields(result.get());
  reply.rows.clear();
  while (MYSQL_ROW row = ::mysql_fetch_row(result.get())) {
    const unsigned long* lengths = ::mysql_fetch_lengths(result.get());
    std::size_t kept = sizeof(std::vector<Field>) + columns * sizeof(Field);
    for (unsigned i = 0; i < columns; ++i) kept += lengths[i];
    if (!handle_->limit.take(kept)) return cut_off(db);
    auto& fields = reply.rows.emplace_back();
    for (unsigned i = 0; i < columns; ++i) {
      fields.push_back(row[i] == nullptr ? Field{} : Field(std::in_place, row[i], lengths[i]));
    }
  }
}

void MySqlConnection::collect(Reply& reply) {
  MYSQL* db = handle_->db;
  for (int more = 0; more == 0; more = ::mysql_next_result(db)) {
    read_rows(reply);
    if (!handle_->limit.passed().empty()) lost("result");
    if (::mysql_errno(db) != 0) break;  // an error in the middle of the rows
  }
  const unsigned error = ::mysql_errno(db);
  if (error == 0) return;
  if (from_library(error)) lost("result");
  const std::int64_t affected = reply.affected;
  reply = mysql_refused(static_cast<int>(error), ::mysql_error(db));
  reply.affected = affected;
}

// Closes the session, as drivers do for this class of errors (08S01): its transaction would otherwise be neither open
// nor ended.
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

bool MySqlConnection::in_transaction() const {
  return handle_ && (handle_->db->server_status & SERVER_STATUS_IN_TRANS) != 0;
}

bool MySqlConnection::autocommits() const {
  return !handle_ || (handle_->db->server_status & SERVER_STATUS_AUTOCOMMIT) != 0;
}

std::uint64_t MySqlConnection::thread_id() const {
  return handle_ ? ::mysql_thread_id(handle_->db) : 0;
}

}  // namespace holdfast
