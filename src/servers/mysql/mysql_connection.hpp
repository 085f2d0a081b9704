// A connection to a MySQL or MariaDB server that never hangs: connecting, reading and writing have time-outs, because a
// silent partition would otherwise hold the client for TCP's own retry time. Connects on first use and again after a
// loss; a new connection is a new session at the server, so everything bound to the old one is gone or orphaned.
//
//   MySqlConnection db({"10.77.0.2", 3306});
//   Reply r = db.query("SELECT 1");
//
// Two errors close it. 1180, in the middle of a commit, leaves the effect open: the statement is indeterminate, as
// after a lost answer. 1047, from a node without a majority: surely nothing was done.
//
// The server is not trusted (transport.hpp): answers are limited, no local file is ever sent, and the password is used
// only in ways that do not reveal it, unless the server has shown a certificate.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/session.hpp"
#include "store/transport.hpp"

namespace holdfast {

// Variant of a connection whose affected rows count matched rows.
inline constexpr const char* kFoundRows = "found_rows";

struct MySqlAddress {
  std::string host;
  unsigned port = 3306;
  std::string socket;  // a path; host and port are then ignored
  std::string user = "root";
  std::string password;
  std::string database;
  bool found_rows = false;  // affected rows count matched rows instead of changed ones (CLIENT_FOUND_ROWS)
  // Several statements in one message: only if every sent text, including names, is holdfast's own.
  bool several_statements = false;
  Security security{};
  std::size_t most_answer = kMostOfAnswer;
  unsigned timeout_s = 1;                       // the library knows whole seconds only
  std::vector<std::string> first_statements{};  // run on each new connection, e.g. SET innodb_lock_wait_timeout = 1
};

class MySqlConnection {
 public:
  explicit MySqlConnection(MySqlAddress address);
  ~MySqlConnection();
  MySqlConnection(MySqlConnection&&) noexcept;

  // Connects if necessary. Throws StatementFailed (definite, unavailable): nothing was sent.
  void connect();

  // Sends one statement, or several if the address allows it; several results are combined in one reply (rows of the
  // last result that has any).
  Reply query(const std::string& sql);

  // A quoted, escaped literal. Depends on the connection's character set; connects if necessary.
  std::string quote(const std::string& text);

  void close();
  // From the server's last answer; error answers do not contain it.
  bool in_transaction() const;
  bool autocommits() const;
  std::uint64_t thread_id() const;  // the server's number for this session; 0: not connected

 private:
  struct Handle;
  [[noreturn]] void lost(const char* doing);
  void begin_with(const std::string& statement);
  std::string trouble(const std::string& doing) const;  // text of the library's last error
  void collect(Reply& reply);
  void read_rows(Reply& reply);
  void give_up_after(const Reply& reply);  // throws for an error that leaves the effect open

  MySqlAddress address_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace holdfast
