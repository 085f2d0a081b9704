// A conversation of PostgreSQL's protocol 3, made by hand.
#include <cstdint>

#include "tests/relay/recorded.hpp"

namespace holdfast {

std::string postgres_number(std::uint32_t number) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 0xFFU);
  return out;
}

std::string postgres_message(const std::string& letter, const std::string& body) {
  return letter + postgres_number(static_cast<std::uint32_t>(body.size()) + 4) + body;
}

namespace {

std::string zeros(std::size_t count) {
  return std::string(count, '\0');
}

std::string text(const std::string& words) {
  return words + zeros(1);
}

std::string ready() {
  return postgres_message("Z", "I");
}

// One column and one row.
std::string rows() {
  return postgres_message("T", zeros(20)) + postgres_message("D", zeros(8)) + postgres_message("C", text("SELECT 1")) +
         ready();
}

std::string executes(const std::string& statement) {
  return postgres_message("B", text("") + text(statement) + zeros(6)) + postgres_message("E", text("") + zeros(4)) +
         postgres_message("S", "");
}

std::string done(const std::string& tag) {
  return postgres_message("2", "") + postgres_message("C", text(tag)) + ready();
}

}  // namespace

std::vector<Utterance> postgres_login() {
  return {{true, postgres_message("", postgres_number(80877103))},
          {false, "N"},
          {true, postgres_message("", postgres_number(196608) + text("user") + text("app") + zeros(1))},
          {false, postgres_message("R", postgres_number(3))},
          {true, postgres_message("p", text("secret"))},
          {false, postgres_message("R", zeros(4)) + postgres_message("S", text("TimeZone") + text("UTC")) +
                      postgres_message("K", zeros(8)) + ready()}};
}

std::vector<Utterance> postgres_conversation() {
  auto out = postgres_login();
  const std::string prepares = postgres_message("P", text("take") + text("SELECT 'orders'") + zeros(2));
  const std::string commits = postgres_message("P", text("done") + text("commit") + zeros(2));
  const std::vector<Utterance> rest{
      {true, postgres_message("Q", text("SELECT pg_try_advisory_lock(hashtextextended('orders', 0))"))},
      {false, rows()},
      {true, postgres_message("Q", text("SELECT 1"))},
      {false, postgres_message("N", zeros(3)) + rows()},
      {false, postgres_message("A", zeros(9))},
      {true, prepares + postgres_message("S", "")},
      {false, postgres_message("1", "") + ready()},
      {true, executes("take")},
      {false, done("SELECT 1")},
      {true, executes("other")},
      {false, done("SELECT 1")},
      {true, prepares + postgres_message("H", "") + executes("take")},
      {false, postgres_message("1", "") + done("SELECT 1")},
      {true, commits + executes("done")},
      {false, postgres_message("1", "") + done("COMMIT")},
      {true, postgres_message("Q", text("ROLLBACK TO SAVEPOINT a")) + postgres_message("Q", text("END"))},
      {false, postgres_message("E", zeros(30)) + ready() + postgres_message("C", text("COMMIT")) + ready()},
      {true, postgres_message("Q", text("COPY t FROM STDIN"))},
      {false, postgres_message("G", zeros(3))},
      {true, postgres_message("d", "orders") + postgres_message("c", "")},
      {false, postgres_message("C", text("COPY 1")) + ready()},
      {true, postgres_message("X", "")}};
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

std::string postgres_told() {
  return "client 8\n"
         "server 1 aside\n"
         "client 18\n"
         "server 9 aside\n"
         "client 12\n"
         "server 9 aside\nserver 18 aside\nserver 13 aside\nserver 6 aside\n"
         "client 64 counts repeatable asks\n"
         "server 58\n"
         "client 14 passes repeatable asks\n"
         "server 66\n"
         "server 14 aside\n"
         "client 33 passes asks\n"
         "server 11\n"
         "client 32 counts asks\n"
         "server 25\n"
         "client 33 passes asks\n"
         "server 25\n"
         "client 33 passes\n"
         "client 32 counts asks\n"
         "server 30\n"
         "client 51 passes ends asks\n"
         "server 28\n"
         "client 29 passes repeatable asks\n"
         "client 9 passes ends repeatable asks\n"
         "server 41\n"
         "server 18\n"
         "client 23 passes repeatable asks\n"
         "client 11\n"
         "client 5\n"
         "server 26\n"
         "client 5\n";
}

}  // namespace holdfast
