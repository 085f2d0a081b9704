#include "servers/postgres/pg_connection.hpp"

#include <libpq-fe.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <utility>

#include "artifact/error.hpp"
#include "servers/late_library.hpp"
#include "servers/postgres/pg_errors.hpp"

namespace holdfast {
namespace {

// NOLINTBEGIN(readability-identifier-naming): as the library spells them
namespace late {

constinit LateLibrary libpq("libpq.so.5", "apt-get install libpq5");
constinit LateFunction<decltype(::PQbackendPID)> PQbackendPID(libpq, "PQbackendPID");
constinit LateFunction<decltype(::PQclear)> PQclear(libpq, "PQclear");
constinit LateFunction<decltype(::PQcmdStatus)> PQcmdStatus(libpq, "PQcmdStatus");
constinit LateFunction<decltype(::PQcmdTuples)> PQcmdTuples(libpq, "PQcmdTuples");
constinit LateFunction<decltype(::PQconnectPoll)> PQconnectPoll(libpq, "PQconnectPoll");
constinit LateFunction<decltype(::PQconnectStartParams)> PQconnectStartParams(libpq, "PQconnectStartParams");
constinit LateFunction<decltype(::PQconsumeInput)> PQconsumeInput(libpq, "PQconsumeInput");
constinit LateFunction<decltype(::PQerrorMessage)> PQerrorMessage(libpq, "PQerrorMessage");
constinit LateFunction<decltype(::PQescapeLiteral)> PQescapeLiteral(libpq, "PQescapeLiteral");
constinit LateFunction<decltype(::PQfinish)> PQfinish(libpq, "PQfinish");
constinit LateFunction<decltype(::PQflush)> PQflush(libpq, "PQflush");
constinit LateFunction<decltype(::PQfreemem)> PQfreemem(libpq, "PQfreemem");
constinit LateFunction<decltype(::PQgetResult)> PQgetResult(libpq, "PQgetResult");
constinit LateFunction<decltype(::PQgetisnull)> PQgetisnull(libpq, "PQgetisnull");
constinit LateFunction<decltype(::PQgetlength)> PQgetlength(libpq, "PQgetlength");
constinit LateFunction<decltype(::PQgetvalue)> PQgetvalue(libpq, "PQgetvalue");
constinit LateFunction<decltype(::PQisBusy)> PQisBusy(libpq, "PQisBusy");
constinit LateFunction<decltype(::PQlibVersion)> PQlibVersion(libpq, "PQlibVersion");
constinit LateFunction<decltype(::PQnfields)> PQnfields(libpq, "PQnfields");
constinit LateFunction<decltype(::PQresultErrorField)> PQresultErrorField(libpq, "PQresultErrorField");
constinit LateFunction<decltype(::PQresultErrorMessage)> PQresultErrorMessage(libpq, "PQresultErrorMessage");
constinit LateFunction<decltype(::PQresultStatus)> PQresultStatus(libpq, "PQresultStatus");
constinit LateFunction<decltype(::PQsendQuery)> PQsendQuery(libpq, "PQsendQuery");
constinit LateFunction<decltype(::PQsetNoticeReceiver)> PQsetNoticeReceiver(libpq, "PQsetNoticeReceiver");
constinit LateFunction<decltype(::PQsetSingleRowMode)> PQsetSingleRowMode(libpq, "PQsetSingleRowMode");
constinit LateFunction<decltype(::PQsetnonblocking)> PQsetnonblocking(libpq, "PQsetnonblocking");
constinit LateFunction<decltype(::PQsocket)> PQsocket(libpq, "PQsocket");
constinit LateFunction<decltype(::PQtransactionStatus)> PQtransactionStatus(libpq, "PQtransactionStatus");

}  // namespace late

// NOLINTEND(readability-identifier-naming)

using Instant = std::chrono::steady_clock::time_point;
struct Clear {
  void operator()(PGresult* result) const { late::PQclear(result); }
};

using Result = std::unique_ptr<PGresult, Clear>;

Instant after(std::int64_t ms) {
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
}

// Waits until the socket is ready; returns false after the time-out.
bool ready_before(int socket, short events, Instant until) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd door{socket, events, 0};
    const int n = ::poll(&door, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
    if (n != 0 && !(n < 0 && errno == EINTR)) return n > 0;
    if (left.count() <= 0) return false;
  }
}

// The library's messages end with a newline, and may have several lines.
std::string one_line(const char* text) {
  std::string out;
  for (const char* c = text; *c != '\0'; ++c) out += *c == '\n' ? ' ' : *c;
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

constexpr std::string_view kLoopback6{
    ":"
    ":1"};

bool of_this_machine(const std::string& host) {
  return host == "localhost" || host == kLoopback6 || host.rfind("127.", 0) == 0 || host.rfind('/', 0) == 0;
}

// A file with the system's authorities. The library has a keyword for them only from release 16 on.
std::string system_authorities() {
  constexpr int kKnowsSystem = 160000;
  if (late::PQlibVersion() >= kKnowsSystem) return "system";
  for (const char* file : {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"}) {
    if (::access(file, R_OK) == 0) return file;
  }
  throw StatementFailed(true, Reason::unavailable, 0,
                        "connect: no file with the system's certificates; remedy: add ca=FILE to the target");
}

// Names and values in the library's form.
class Settings {
 public:
  void set(const char* name, const std::string& value) {
    names_.push_back(name);
    values_.push_back(value);
  }
  PGconn* start() const {
    std::vector<const char*> names(names_);
    std::vector<const char*> values;
    for (const auto& value : values_) values.push_back(value.c_str());
    names.push_back(nullptr);
    values.push_back(nullptr);
    return late::PQconnectStartParams(names.data(), values.data(), 0);
  }

 private:
  std::vector<const char*> names_;
  std::vector<std::string> values_;
};

void secure(Settings& settings, const PgAddress& address) {
  settings.set("gssencmode", "disable");
  settings.set("passfile", "/dev/null/none");  // a path that cannot exist
  if (!address.security.tls) {
    if (!address.password.empty() && !of_this_machine(address.host)) {
      throw StatementFailed(true, Reason::unavailable, 0,
                            "connect: holdfast sends no password to another machine without TLS, because that machine "
                            "could request it in clear text; remedy: add tls=required&ca=FILE to the target");
    }
    settings.set("sslmode", "disable");
    return;
  }
  ignore_broken_pipes();
  settings.set("sslmode", "verify-full");
  settings.set("sslrootcert", address.security.ca.empty() ? system_authorities() : address.security.ca);
}

Settings settings_of(const PgAddress& address) {
  Settings out;
  out.set("host", address.host);
  out.set("port", std::to_string(address.port));
  out.set("user", address.user);
  out.set("dbname", address.database);
  if (!address.password.empty()) out.set("password", address.password);
  out.set("client_encoding", "UTF8");
  out.set("application_name", "holdfast");
  secure(out, address);
  return out;
}

void hear_nothing(void*, const PGresult*) {}

// Throws with the library's message, or for a time-out.
template <class Count>
void shake_hands_with(PGconn* db, Instant until, const Count& count) {
  for (PostgresPollingStatusType next = PGRES_POLLING_WRITING; next != PGRES_POLLING_OK;
       next = late::PQconnectPoll(db)) {
    if (next == PGRES_POLLING_FAILED) {
      throw StatementFailed(true, Reason::unavailable, 0, "connect: " + one_line(late::PQerrorMessage(db)));
    }
    const short events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    if (!ready_before(late::PQsocket(db), events, until)) {
      throw StatementFailed(true, Reason::unavailable, 0, "connect: the server does not answer");
    }
    if (!count()) throw StatementFailed(true, Reason::unavailable, 0, "connect: the server's greeting has no end");
  }
}

Reply error_of(const PGresult* result) {
  const char* state = late::PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* text = late::PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  return pg_refused(state != nullptr ? state : "",
                    one_line(text != nullptr ? text : late::PQresultErrorMessage(result)));
}

bool ends_session(const PGresult* result) {
  const char* severity = late::PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  return severity == nullptr || std::string_view(severity) != "ERROR";
}

std::size_t keep_row(const PGresult* result, Reply& reply) {
  const int columns = late::PQnfields(result);
  auto& fields = reply.rows.emplace_back();
  std::size_t kept = sizeof(std::vector<Field>) + static_cast<std::size_t>(columns) * sizeof(Field);
  for (int i = 0; i < columns; ++i) {
    if (late::PQgetisnull(result, 0, i) != 0) {
      fields.emplace_back();
      continue;
    }
    const auto length = static_cast<std::size_t>(late::PQgetlength(result, 0, i));
    fields.emplace_back(std::in_place, late::PQgetvalue(result, 0, i), length);
    kept += length;
  }
  return kept;
}

std::int64_t changes_of(PGresult* result) {
  const std::string_view text = late::PQcmdTuples(result);
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

// The tag distinguishes a statement that changes rows and returns them, such as INSERT ... RETURNING, from a query.
bool is_query(PGresult* result) {
  const std::string_view tag = late::PQcmdStatus(result);
  return tag.substr(0, 6) == "SELECT" || tag.substr(0, 4) == "SHOW" || tag.substr(0, 5) == "FETCH";
}

}  // namespace

struct PgConnection::Handle {
  PGconn* db = nullptr;
  AnswerLimit limit{kMostOfAnswer};
  explicit Handle(PGconn* connection) : db(connection) {
    if (db == nullptr) throw std::bad_alloc();
    late::PQsetNoticeReceiver(db, hear_nothing, nullptr);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { late::PQfinish(db); }

  // Counts arrived bytes before they are read; returns false beyond the limit of an answer.
  bool count() {
    int waiting = 0;
    if (::ioctl(late::PQsocket(db), FIONREAD, &waiting) != 0) return true;
    return limit.take(static_cast<std::size_t>(waiting));
  }
  std::string trouble() const { return limit.passed().empty() ? one_line(late::PQerrorMessage(db)) : limit.passed(); }
};

std::string PgConnection::library_missing() {
  return late::libpq.missing();
}

PgConnection::PgConnection(PgAddress address) : address_(std::move(address)) {}
PgConnection::~PgConnection() = default;
PgConnection::PgConnection(PgConnection&&) noexcept = default;

void PgConnection::connect() {
  if (handle_) return;
  auto handle = std::make_unique<Handle>(settings_of(address_).start());
  handle->limit.begin();
  shake_hands_with(handle->db, after(address_.timeout_ms), [&] { return handle->count(); });
  if (late::PQsetnonblocking(handle->db, 1) != 0) throw StatementFailed(true, Reason::unavailable, 0, "connect");
  handle_ = std::move(handle);
  for (const auto& statement : address_.first_statements) begin_with(statement);
}

void PgConnection::begin_with(const std::string& statement) {
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

void PgConnection::lost(const std::string& doing, bool late) {
  const std::string text =
      late ? "no answer within " + std::to_string(address_.timeout_ms) + " ms" : handle_->trouble();
  close();
  throw StatementFailed(false, late ? Reason::timeout : Reason::unavailable, 0, doing + ": " + text);
}

void PgConnection::send(const std::string& sql) {
  if (late::PQsendQuery(handle_->db, sql.c_str()) != 1 || late::PQsetSingleRowMode(handle_->db) != 1)
    lost("query", false);
  const Instant until = after(address_.timeout_ms);
  for (int left = 1; left != 0;) {
    left = late::PQflush(handle_->db);
    if (left < 0) lost("query", false);
    if (left == 0) return;
    if (!ready_before(late::PQsocket(handle_->db), POLLIN | POLLOUT, until)) lost("query", true);
    if (late::PQconsumeInput(handle_->db) != 1) lost("query", false);
  }
}

// Row by row, so that the limit counts kept data.
Reply PgConnection::collect() {
  Reply reply;
  bool rows_go_on = false;
  const Instant until = after(address_.timeout_ms);
  while (true) {
    while (late::PQisBusy(handle_->db) != 0) {
      if (!ready_before(late::PQsocket(handle_->db), POLLIN, until)) lost("query", true);
      if (!handle_->count() || late::PQconsumeInput(handle_->db) != 1) lost("query", false);
    }
    const Result result(late::PQgetResult(handle_->db));
    if (!result) return reply;
    const ExecStatusType status = late::PQresultStatus(result.get());
    if (status == PGRES_SINGLE_TUPLE) {
      if (!std::exchange(rows_go_on, true)) reply.rows.clear();
      if (!handle_->limit.take(keep_row(result.get(), reply))) lost("result", false);
    } else if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY) {
      if (status == PGRES_TUPLES_OK && !std::exchange(rows_go_on, false)) reply.rows.clear();
      if (!is_query(result.get())) reply.affected += changes_of(result.get());
    } else if (status == PGRES_FATAL_ERROR && !ends_session(result.get())) {
      const std::int64_t affected = reply.affected;
      reply = error_of(result.get());
      reply.affected = affected;
    } else {
      lost("query", false);
    }
  }
}

Reply PgConnection::query(const std::string& sql) {
  connect();
  handle_->limit.begin();
  send(sql);
  return collect();
}

std::string PgConnection::quote(const std::string& text) {
  connect();
  if (text.find('\0') != std::string::npos) {
    throw StatementFailed(true, Reason::other, 0, "PostgreSQL accepts no text with a zero byte");
  }
  char* made = late::PQescapeLiteral(handle_->db, text.data(), text.size());
  if (made == nullptr) throw StatementFailed(true, Reason::other, 0, "a text that is not UTF-8 cannot be sent");
  std::string out(made);
  late::PQfreemem(made);
  return out;
}

void PgConnection::close() {
  handle_.reset();
}

bool PgConnection::in_transaction() const {
  if (!handle_) return false;
  const PGTransactionStatusType status = late::PQtransactionStatus(handle_->db);
  return status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
}

std::uint64_t PgConnection::process() const {
  return handle_ ? static_cast<std::uint64_t>(late::PQbackendPID(handle_->db)) : 0;
}

}  // namespace holdfast
