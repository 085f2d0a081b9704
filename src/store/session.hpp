// The one seam between a lock and its store. A lock is a plain blocking function against a Session; everything that the
// harness does hangs here: faults strike before and after a statement, evidence is recorded, clocks can be wrong.
//
//   Reply r = session.attempt("insert", {{"key", claim.key}, {"owner", claim.owner}, {"ttl", ttl_s}});
//   if (r.duplicate_key()) return Answer::busy();
//
// What a statement is, SQL or a Redis command, is in the lock's file; StatementConnection is one
// way to run it for each kind of store.
//
// A server that answers with an error is a value of `attempt`: the statement surely had no effect. Which of the four
// kinds of error it is (ErrorKind), its connection says, since every kind of server has numbers or words of its own. A
// lost connection or a time-out throws StatementFailed; after something was sent it is always indeterminate: the
// statement may have taken effect. So does an error that leaves it open.
//
// Implementations: the client process's (src/client/client_session), which talks to a real server over a real network.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "history/event.hpp"

namespace holdfast {

// Why a server refused a statement, as far as a lock can ask.
enum class ErrorKind : std::uint8_t {
  none,
  duplicate,    // what it would have made is there already
  conflict,     // another transaction is in the way; nothing is said about who holds the lock
  unavailable,  // the server does not serve just now
  unknown       // any other
};

using Field = std::optional<std::string>;  // NULL is nothing

// The kind of an answer, where the server's protocol names it (Redis). Other servers answer with rows or changes.
enum class ReplyForm : std::uint8_t {
  result,  // rows, or a count of changes
  number,  // an integer, which `affected` has
  ok,      // the status OK
  nil      // no value
};

struct Reply {
  ErrorKind kind = ErrorKind::none;
  int error = 0;  // the server's own number, for people; 0: none
  std::string message;
  std::int64_t affected = 0;  // of all statements sent together
  std::vector<std::vector<Field>> rows;
  bool only_read = false;  // the rows are what was read; nothing can have changed
  ReplyForm form = ReplyForm::result;

  static Reply refused(ErrorKind why, int error, std::string message);

  bool ok() const { return kind == ErrorKind::none; }
  bool duplicate_key() const { return kind == ErrorKind::duplicate; }
  bool conflict() const { return kind == ErrorKind::conflict; }
  // What the history shows of it: changes, or the rows of a query, which may have changed something on its way.
  std::int64_t evidence() const {
    return rows.empty() || only_read ? affected : static_cast<std::int64_t>(rows.size());
  }
  // What a statement of ours is always answered with; an answer without it is no server's (StatementFailed).
  const Field& field(std::size_t row, std::size_t column) const;
  const std::string& text(std::size_t row, std::size_t column) const;  // not NULL
  std::int64_t number(std::size_t row, std::size_t column) const;
  std::uint64_t count(std::size_t row, std::size_t column) const;
};

struct StatementFailed : std::runtime_error {
  StatementFailed(bool is_definite, Reason why, int code, const std::string& text)
      : std::runtime_error(text), definite(is_definite), reason(why), error(code) {}
  // The server answered with an error: definite.
  StatementFailed(const Reply& reply, const std::string& text);
  bool definite;                     // surely had no effect
  Reason reason;                     // conflict, timeout, unavailable, other
  ErrorKind kind = ErrorKind::none;  // what the server answered, where it did
  int error;
};

// Throws StatementFailed (definite) for a reply that is an error.
void expect_ok(std::string_view statement, const Reply& reply);

using Value = std::variant<std::nullptr_t, std::int64_t, std::uint64_t, std::string>;

// The name of a lock, as its caller gives it: a text; or NULL, which only a parameter of a statement can tell from an
// empty one.
class Key : public std::string {
 public:
  Key() = default;
  Key(std::string text) : std::string(std::move(text)) {}
  Key(const char* text) : std::string(text) {}
  static Key null() {
    Key key;
    key.null_ = true;
    return key;
  }
  bool is_null() const { return null_; }

 private:
  bool null_ = false;
};

struct Param {
  Param(std::string_view its_name, Value its_value) : name(its_name), value(std::move(its_value)) {}
  template <std::same_as<Key> K>
  Param(std::string_view its_name, const K& key)
      : name(its_name), value(key.is_null() ? Value(nullptr) : Value(std::string(key))) {}
  std::string_view name;
  Value value;
};
using Params = std::initializer_list<Param>;

// As a JSON object, for histories. A long text is cut, and ends with "…" then.
std::string values_json(Params params);

class Session {
 public:
  virtual ~Session() = default;

  // Runs a named statement of the lock's file (sql/ or redis/). Throws StatementFailed when no answer came.
  virtual Reply attempt(std::string_view statement, Params params) = 0;

  // The same, and throws StatementFailed (definite) when the server answers with an error.
  Reply execute(std::string_view statement, Params params);

  // How many servers it reaches that know nothing of each other, and a statement at one of them
  // (artifact/placed_statement.hpp). Where there is one only, this is `attempt`.
  virtual std::uint32_t servers() const { return 1; }
  Reply attempt_at(std::uint32_t server, std::string_view statement, Params params);

  virtual std::int64_t now_ns() = 0;     // the client's own wall clock since 1970; faults may set it wrong
  virtual std::int64_t steady_ns() = 0;  // monotonic time; steps of the wall clock do not touch it, drift does
  virtual void sleep_ms(std::int64_t ms) = 0;
  virtual std::string address() const = 0;  // the client's own IP address
  // Whether a statement since the last call changed something that was not undone.
  virtual bool take_changed() { return false; }
  virtual std::int64_t zone_s() const { return 0; }  // in which the client's program reads its clock: east of UTC
};

// What a session knows of the transaction that a lock opened: between the lock's statement `begin` and its `commit` or
// `rollback`.
//
//   open.before("insert", connected);   // throws when the transaction died with its connection
//   open.after("insert");
//
// A lost connection takes the transaction with it: the server rolls back what was not committed. A new connection would
// run the rest of it as statements of their own, half of a transaction, which no driver does: the rest is refused here,
// as definite, for nothing of it was sent and nothing before it will be kept. Opening a transaction inside an open one
// would commit the first unasked (START TRANSACTION does); that is a mistake of the lock's code, and makes the trial a
// harness error.
//
// What it does not do: it does not see a transaction that the server ended by itself (a deadlock's victim).
class OpenTransaction {
 public:
  // Throws StatementFailed (definite, unavailable) or std::logic_error.
  void before(std::string_view statement, bool connected);
  void after(std::string_view statement);  // it was answered, without an error
  bool open() const { return open_; }

 private:
  bool open_ = false;
};

// A connection to a lock's server that runs the lock's statements by name, whatever the server is: what a Session needs
// of it. One implementation a kind of server (src/servers).
//
//   auto db = find_server_type("redis").connect(lock_file("redis_token"), access);
//   Reply r = db->run("acquire", {{"key", "orders"}, {"owner", owner}, {"ttl_ms", std::int64_t{2000}}});
//
// Errors as in a Session: a server's error is in the reply; no answer throws StatementFailed. One that is connected to
// several servers at once connects and closes for a statement only what that statement needs.
class StatementConnection {
 public:
  virtual ~StatementConnection() = default;
  virtual void connect() = 0;  // if need be; StatementFailed (definite): nothing was sent
  virtual void connect_for(std::string_view /*statement*/) { connect(); }
  virtual Reply run(std::string_view statement, Params params) = 0;
  virtual void close() = 0;
  virtual void close_for(std::string_view /*statement*/) { close(); }
  virtual std::uint32_t servers() const { return 1; }
  virtual std::uint64_t id() const = 0;  // the server's number for the connection; 0: not connected
};

}  // namespace holdfast
