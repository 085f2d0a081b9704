#include "servers/zookeeper/zookeeper_session.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <zookeeper/zookeeper.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLongestLook_ms = 50;
constexpr std::size_t kLongestPath = 1024;

// Error codes for requests that may have been executed.
bool left_open(int code) {
  return code == ZCONNECTIONLOSS || code == ZOPERATIONTIMEOUT || code == ZCLOSING;
}

ErrorKind kind_of(int code) {
  if (code == ZNODEEXISTS) return ErrorKind::duplicate;
  const bool over = code == ZSESSIONEXPIRED || code == ZSESSIONMOVED || code == ZINVALIDSTATE;
  return over ? ErrorKind::unavailable : ErrorKind::unknown;
}

}  // namespace

// The answer to a request.
struct ZooKeeperSession::Answer {
  bool came = false;
  int code = ZOK;
  std::string text;                // the path of a created node, or a node's data
  std::vector<std::string> names;  // of children
  Stat stat{};
};

// The library's handle. The library answers an abandoned request later, by which time another number is awaited.
struct ZooKeeperSession::Handle {
  zhandle_t* library = nullptr;
  std::uint64_t awaited = 0;  // number of the request whose answer is awaited
  Answer answer;

  Handle(const std::string& server, std::int64_t session_ms) {
    ::zoo_set_debug_level(static_cast<ZooLogLevel>(0));  // errors are reported by holdfast
    library = ::zookeeper_init(
        server.c_str(), [](zhandle_t*, int, int, const char*, void*) {}, static_cast<int>(session_ms), nullptr, this,
        0);
    if (library == nullptr) throw HarnessError("ZooKeeper's client library cannot be used for " + server);
  }
  ~Handle() { ::zookeeper_close(library); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  bool connected() const { return ::zoo_state(library) == ZOO_CONNECTED_STATE; }
  bool over() const { return ::is_unrecoverable(library) != ZOK; }

  // Lets the library work until `done` is true; returns false after the time-out.
  bool work(Clock::time_point until, const std::function<bool()>& done) {
    while (!done()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
      if (left <= 0) return false;
      turn(static_cast<int>(std::min<std::int64_t>(left, kLongestLook_ms)));
    }
    return true;
  }

  // Handles one event of the connection.
  void turn(int longest_ms) {
    int fd = -1;
    int interest = 0;
    timeval wish{};
    ::zookeeper_interest(library, &fd, &interest, &wish);  // the state shows an error
    if (over()) return;
    const std::int64_t wish_ms = wish.tv_sec * 1000 + (wish.tv_usec + 999) / 1000;
    const int wait_ms = static_cast<int>(std::min<std::int64_t>(std::max<std::int64_t>(wish_ms, 1), longest_ms));
    short wanted = 0;
    if ((interest & ZOOKEEPER_READ) != 0) wanted |= POLLIN;
    if ((interest & ZOOKEEPER_WRITE) != 0) wanted |= POLLOUT;
    pollfd one{fd, wanted, 0};
    ::poll(&one, fd >= 0 ? 1 : 0, wait_ms);
    int events = 0;
    if ((one.revents & (POLLIN | POLLHUP | POLLERR)) != 0) events |= ZOOKEEPER_READ;
    if ((one.revents & POLLOUT) != 0) events |= ZOOKEEPER_WRITE;
    ::zookeeper_process(library, events);
  }

  // The server sees the end of the connection, not of the session.
  void cut() {
    if (!connected()) return;
    int fd = -1;
    int interest = 0;
    timeval wish{};
    ::zookeeper_interest(library, &fd, &interest, &wish);
    if (fd >= 0) ::shutdown(fd, SHUT_RDWR);
    for (int n = 0; n < 10 && connected(); ++n) turn(kLongestLook_ms);
  }

  // Each request has a Ticket, which its answer releases; the library answers each exactly once.
  struct Ticket {
    Handle* handle;
    std::uint64_t number;
  };
  Ticket* ticket() {
    answer = {};
    return new Ticket{this, ++awaited};
  }
  static void take(const void* data, int code, const Stat* stat, const std::function<void(Answer&)>& rest) {
    const std::unique_ptr<const Ticket> ticket(static_cast<const Ticket*>(data));
    if (ticket->number != ticket->handle->awaited) return;
    Answer& out = ticket->handle->answer;
    out.came = true;
    out.code = code;
    if (code == ZOK && stat != nullptr) out.stat = *stat;
    if (code == ZOK) rest(out);
  }
  static void take_stat(int code, const Stat* stat, const void* data) {
    take(data, code, stat, [](Answer&) {});
  }
  static void take_nothing(int code, const void* data) {
    take(data, code, nullptr, [](Answer&) {});
  }
  static void take_path(int code, const char* path, const Stat* stat, const void* data) {
    take(data, code, stat, [&](Answer& out) { out.text = path == nullptr ? "" : path; });
  }
  static void take_synced(int code, const char* path, const void* data) { take_path(code, path, nullptr, data); }
  static void take_data(int code, const char* value, int length, const Stat* stat, const void* data) {
    take(data, code, stat, [&](Answer& out) {
      if (value != nullptr && length > 0) out.text.assign(value, static_cast<std::size_t>(length));
    });
  }
  static void take_names(int code, const String_vector* names, const void* data) {
    take(data, code, nullptr, [&](Answer& out) {
      for (int n = 0; names != nullptr && n < names->count; ++n) out.names.emplace_back(names->data[n]);
    });
  }

  int send(const ZooKeeperCommand& c, Ticket* t) {
    const char* path = c.path.c_str();
    const int length = static_cast<int>(c.data.size());
    const int version = static_cast<int>(c.version);
    const int mode = c.ephemeral ? (c.sequential ? ZOO_EPHEMERAL_SEQUENTIAL : ZOO_EPHEMERAL)
                                 : (c.sequential ? ZOO_PERSISTENT_SEQUENTIAL : ZOO_PERSISTENT);
    switch (c.verb) {
      case ZooKeeperVerb::create:
        return ::zoo_acreate2(library, path, c.data.c_str(), length, &ZOO_OPEN_ACL_UNSAFE, mode, take_path, t);
      case ZooKeeperVerb::list:
        return ::zoo_aget_children(library, path, 0, take_names, t);
      case ZooKeeperVerb::get:
        return ::zoo_aget(library, path, 0, take_data, t);
      case ZooKeeperVerb::stat:
        return ::zoo_aexists(library, path, 0, take_stat, t);
      case ZooKeeperVerb::set:
        return ::zoo_aset(library, path, c.data.c_str(), length, version, take_stat, t);
      case ZooKeeperVerb::remove:
        return ::zoo_adelete(library, path, version, take_nothing, t);
      case ZooKeeperVerb::sync:
        return ::zoo_async(library, path, take_synced, t);
      case ZooKeeperVerb::open:
        break;
    }
    return ZBADARGUMENTS;
  }
};

ZooKeeperSession::ZooKeeperSession(ZooKeeperAddress address) : address_(std::move(address)) {}
ZooKeeperSession::~ZooKeeperSession() = default;

void ZooKeeperSession::open(std::int64_t session_ms) {
  handle_.reset();
  handle_ = std::make_unique<Handle>(address_.host + ":" + std::to_string(address_.port), session_ms);
  try {
    connect();
  } catch (const StatementFailed&) {
    handle_.reset();  // a session that the server may have created expires by itself, without a node
    throw;
  }
  // A shorter session would end before the lock that relies on it expects; a longer one keeps the promise.
  const int given_ms = handle_->over() ? 0 : ::zoo_recv_timeout(handle_->library);
  if (given_ms > 0 && given_ms < session_ms) {
    throw HarnessError(fmt::format("ZooKeeper gave a session of {} ms instead of {} ms; remedy: use a shorter lease_ms",
                                   given_ms, session_ms));
  }
}

void ZooKeeperSession::connect() {
  if (handle_ && handle_->connected()) handle_->turn(0);  // it may have been lost since the last call
  if (!handle_ || handle_->connected() || handle_->over()) return;
  const auto until = Clock::now() + std::chrono::milliseconds(address_.timeout_ms);
  if (handle_->work(until, [&] { return handle_->connected() || handle_->over(); })) return;
  throw StatementFailed(true, Reason::unavailable, 0, "connect: " + address_.host + " does not answer");
}

ZooKeeperSession::Answer ZooKeeperSession::ask(const ZooKeeperCommand& command) {
  if (command.path.size() > kLongestPath) throw BadInput("'" + command.path + "': the path of a node is too long");
  Answer none;
  none.came = true;
  none.code = ZSESSIONEXPIRED;
  if (!handle_ || handle_->over()) return none;
  if (!handle_->connected()) throw StatementFailed(true, Reason::unavailable, 0, "there is no connection");
  Handle::Ticket* const ticket = handle_->ticket();
  if (const int code = handle_->send(command, ticket); code != ZOK) {
    delete ticket;
    throw StatementFailed(true, Reason::unavailable, -code, ::zerror(code));
  }
  const auto until = Clock::now() + std::chrono::milliseconds(address_.timeout_ms);
  const auto done = [&] { return handle_->answer.came || !handle_->connected(); };
  const bool in_time = handle_->work(until, done);
  const bool came = handle_->answer.came;
  ++handle_->awaited;  // later answers are too late
  if (!came) {
    drop();
    throw StatementFailed(false, in_time ? Reason::unavailable : Reason::timeout, 0,
                          address_.host + ": " + (in_time ? "the connection was lost" : "no answer in time"));
  }
  return handle_->answer;
}

Reply ZooKeeperSession::run(const ZooKeeperCommand& command) {
  const Answer answer = ask(command);
  if (left_open(answer.code)) {
    drop();
    const Reason reason = answer.code == ZOPERATIONTIMEOUT ? Reason::timeout : Reason::unavailable;
    throw StatementFailed(false, reason, -answer.code, address_.host + ": " + ::zerror(answer.code));
  }
  const bool reads = command.verb == ZooKeeperVerb::list || command.verb == ZooKeeperVerb::get ||
                     command.verb == ZooKeeperVerb::stat || command.verb == ZooKeeperVerb::sync;
  const bool gone = answer.code == ZNONODE || answer.code == ZBADVERSION;
  if (answer.code != ZOK && (!gone || command.verb == ZooKeeperVerb::create)) {
    return Reply::refused(kind_of(answer.code), -answer.code, ::zerror(answer.code));
  }
  Reply out;
  out.only_read = reads || gone;
  out.affected = out.only_read ? 0 : 1;
  if (!gone && !command.answers.empty()) out.rows = rows_of(command, answer);
  return out;
}

std::vector<std::vector<Field>> ZooKeeperSession::rows_of(const ZooKeeperCommand& command, const Answer& answer) {
  std::vector<std::vector<Field>> out;
  if (command.verb == ZooKeeperVerb::list) {
    auto names = answer.names;
    std::sort(names.begin(), names.end());
    for (auto& name : names) out.push_back({std::move(name)});
    return out;
  }
  std::vector<Field> row;
  for (const auto& field : command.answers) {
    if (field == "path" || field == "data") {
      row.emplace_back(answer.text);
    } else if (field == "version") {
      row.emplace_back(std::to_string(answer.stat.version));
    } else {
      row.emplace_back(std::to_string(field == "mtime" ? answer.stat.mtime : answer.stat.czxid));
    }
  }
  out.push_back(std::move(row));
  return out;
}

void ZooKeeperSession::drop() {
  if (handle_) handle_->cut();
}

std::uint64_t ZooKeeperSession::id() const {
  if (!handle_ || !handle_->connected()) return 0;
  return static_cast<std::uint64_t>(::zoo_client_id(handle_->library)->client_id);
}

void ZooKeeperStatements::connect_for(std::string_view statement) {
  // a statement that opens a new session needs no connection of the old one
  if (!commands_.opens(statement)) session_.connect();
}

Reply ZooKeeperStatements::run(std::string_view statement, Params params) {
  const ZooKeeperCommand command = commands_.bind(statement, params);
  if (command.verb != ZooKeeperVerb::open) return session_.run(command);
  session_.open(command.session_ms);
  Reply out;
  out.only_read = true;  // sessions are not data
  if (!command.answers.empty()) out.rows.push_back({fmt::format("{:x}", session_.id())});
  return out;
}

}  // namespace holdfast
