// A lock's interface to its store. A lock is a plain blocking function that calls a Session. The harness attaches here:
// faults strike before and after a statement, evidence is recorded, and clocks can be wrong.
//
//   Reply r = session.attempt("insert", {{"key", claim.key}, {"owner", claim.owner}, {"ttl", ttl_s}});
//   if (r.duplicate_key()) return Answer::busy();
//
// The lock's file defines each statement (SQL, a Redis command, ...); a StatementConnection for each kind of store runs
// it.
//
// Errors. A server's error is a value of `attempt`: the statement surely had no effect. The connection sets its
// ErrorKind, because each kind of server has its own error codes. A lost connection or a time-out throws
// StatementFailed; once something was sent, the failure is indeterminate: the statement may have taken effect. The same
// holds for server errors that leave the effect open.
//
// Times that end in _ns are nanoseconds, in _s seconds.
//
// Implemented by the client process (src/client/client_session), which talks to a real server over a real network.
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

// Kind of a server's error, as far as locks distinguish them.
enum class ErrorKind : std::uint8_t {
  none,
  duplicate,    // the item to create exists already
  conflict,     // another transaction interferes; nothing is known about the lock's holder
  unavailable,  // the server does not serve at present
  unknown       // any other
};

using Field = std::optional<std::string>;  // empty: NULL

// The kind of an answer, where the server's protocol names it (Redis). Other servers answer with rows or changes.
enum class ReplyForm : std::uint8_t {
  result,  // rows, or a count of changes
  number,  // an integer, in `affected`
  ok,      // the status OK
  nil      // no value
};

struct Reply {
  ErrorKind kind = ErrorKind::none;
  int error = 0;  // the server's own code, for display; 0: none
  std::string message;
  std::int64_t affected = 0;  // of all statements sent together
  std::vector<std::vector<Field>> rows;
  bool only_read = false;  // the rows were read; nothing can have changed
  ReplyForm form = ReplyForm::result;

  static Reply refused(ErrorKind why, int error, std::string message);

  bool ok() const { return kind == ErrorKind::none; }
  bool duplicate_key() const { return kind == ErrorKind::duplicate; }
  bool conflict() const { return kind == ErrorKind::conflict; }
  // Number recorded in the history: changed rows, or the rows of a query, which may have changed something.
  std::int64_t evidence() const {
    return rows.empty() || only_read ? affected : static_cast<std::int64_t>(rows.size());
  }
  // Returns a field that every correct reply has; throws StatementFailed if it is missing.
  const Field& field(std::size_t row, std::size_t column) const;
  const std::string& text(std::size_t row, std::size_t column) const;  // must not be NULL
  std::int64_t number(std::size_t row, std::size_t column) const;
  std::uint64_t count(std::size_t row, std::size_t column) const;
};

struct StatementFailed : std::runtime_error {
  StatementFailed(bool is_definite, Reason why, int code, const std::string& text)
      : std::runtime_error(text), definite(is_definite), reason(why), error(code) {}
  // An error answer of the server is definite.
  StatementFailed(const Reply& reply, const std::string& text);
  bool definite;                     // surely had no effect
  Reason reason;                     // conflict, timeout, unavailable, other
  ErrorKind kind = ErrorKind::none;  // if the server answered
  int error;
};

// Throws StatementFailed (definite) if the reply is an error.
void expect_ok(std::string_view statement, const Reply& reply);

using Value = std::variant<std::nullptr_t, std::int64_t, std::uint64_t, std::string>;

// Name of a lock as given by its caller: a text, or NULL. Only a statement's parameter distinguishes NULL from an empty
// text.
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

// Formats the parameters as a JSON object, for histories. A long text is cut and ends with "…".
std::string values_json(Params params);

class Session {
 public:
  virtual ~Session() = default;

  // Runs a named statement of the lock's file. Throws StatementFailed if no answer came.
  virtual Reply attempt(std::string_view statement, Params params) = 0;

  // The same, and throws StatementFailed (definite) when the server answers with an error.
  Reply execute(std::string_view statement, Params params);

  // Number of independent servers it reaches, and a statement at one of them (artifact/placed_statement.hpp). With one
  // server this equals `attempt`.
  virtual std::uint32_t servers() const { return 1; }
  Reply attempt_at(std::uint32_t server, std::string_view statement, Params params);

  virtual std::int64_t now_ns() = 0;     // the client's own wall clock since 1970; faults may set it wrong
  virtual std::int64_t steady_ns() = 0;  // monotonic time; unaffected by steps of the wall clock, affected by drift
  virtual void sleep_ms(std::int64_t ms) = 0;
  virtual std::string address() const = 0;  // the client's own IP address
  // Returns true if a statement since the last call changed something that was not undone.
  virtual bool take_changed() { return false; }
  virtual std::int64_t zone_s() const { return 0; }  // time zone of the client's program: seconds east of UTC
};

// State of the transaction opened by a lock: from its statement `begin` to `commit` or `rollback`.
//
//   open.before("insert", connected);   // throws if the transaction died with its connection
//   open.after("insert");
//
// A lost connection ends the transaction: the server rolls back what was not committed. On a new connection the
// remaining statements would run outside a transaction, so they are refused here. The failure is definite: nothing was
// sent, and earlier statements are rolled back. Opening a transaction inside an open one would commit the first (START
// TRANSACTION does this). That is an error in the lock's code and makes the trial a harness error.
//
// Limit: it does not see a transaction that the server ended by itself (as a deadlock victim).
class OpenTransaction {
 public:
  // Throws StatementFailed (definite, unavailable) or std::logic_error.
  void before(std::string_view statement, bool connected);
  void after(std::string_view statement);  // after an answer without an error
  bool open() const { return open_; }

 private:
  bool open_ = false;
};

// Connection to a lock's server that runs the lock's statements by name. A Session uses one. Each kind of server
// (src/servers) has an implementation.
//
//   auto db = server_type("redis").connect(lock_file("redis_token"), access);
//   Reply r = db->run("acquire", {{"key", "orders"}, {"owner", owner}, {"ttl_ms", std::int64_t{2000}}});
//
// Errors as in a Session: a server's error is in the reply; a missing answer throws StatementFailed. With several
// servers, it connects and closes only what a statement needs.
class StatementConnection {
 public:
  virtual ~StatementConnection() = default;
  virtual void connect() = 0;  // connects if necessary; throws StatementFailed (definite): nothing was sent
  virtual void connect_for(std::string_view /*statement*/) { connect(); }
  virtual Reply run(std::string_view statement, Params params) = 0;
  virtual void close() = 0;
  virtual void close_for(std::string_view /*statement*/) { close(); }
  virtual std::uint32_t servers() const { return 1; }
  virtual std::uint64_t id() const = 0;  // the server's number for the connection; 0: not connected
};

}  // namespace holdfast
