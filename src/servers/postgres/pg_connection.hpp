// A connection to a PostgreSQL server that never hangs: non-blocking libpq with a time-out for each answer, because a
// silent partition would otherwise hold the client for TCP's own retry time. Connects on first use and again after a
// loss; a new connection is a new session at the server, so everything bound to the old one is gone or orphaned.
//
//   PgConnection db({"10.77.0.2", 5432});
//   Reply r = db.query("SELECT 1");
//
// An error that ends the session (FATAL: an administrator, a server shutdown) leaves the statement's effect open: it is
// indeterminate, as after a lost answer.
//
// A COMMIT in a transaction aborted by an error is answered without an error but rolls back. This is not changed, since
// programs see the same.
//
// The server is not trusted (transport.hpp): answers are limited. Without TLS a password is sent to no other machine:
// this library, up to release 16, sends it in clear text to any server that requests it. libpq variables in the user's
// environment (PGOPTIONS, PGSERVICE, ...) apply only to settings not made here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "store/session.hpp"
#include "store/transport.hpp"

namespace holdfast {

struct PgAddress {
  std::string host;  // or the folder of a socket, if it begins with a slash
  unsigned port = 5432;
  std::string user = "postgres";
  std::string password;
  std::string database = "postgres";
  Security security{};
  std::int64_t timeout_ms = 1'000;
  std::vector<std::string> first_statements{};  // run on each new connection, e.g. SET lock_timeout = 1000
};

class PgConnection {
 public:
  static std::string library_missing();  // why libpq cannot be loaded, and the remedy; empty: it can
  explicit PgConnection(PgAddress address);
  ~PgConnection();
  PgConnection(PgConnection&&) noexcept;

  // Connects if necessary. Throws StatementFailed (definite, unavailable): nothing was sent.
  void connect();

  // Sends one statement, or several in one message, which then form one transaction unless they say otherwise; several
  // results are combined in one reply (rows of the last result that has any).
  Reply query(const std::string& sql);

  // A quoted, escaped literal. Depends on the connection's settings; connects if necessary.
  std::string quote(const std::string& text);

  void close();
  bool in_transaction() const;    // open, or aborted and not yet ended
  std::uint64_t process() const;  // the server's number for this session's process; 0: not connected

 private:
  struct Handle;
  void begin_with(const std::string& statement);
  void send(const std::string& sql);
  Reply collect();
  [[noreturn]] void lost(const std::string& doing, bool late);

  PgAddress address_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace holdfast
