#include "bench/plain_loop.hpp"

#include <mysql.h>

#include <cstdio>
#include <cstdlib>

#include "control/control_page.hpp"

namespace holdfast {
namespace {

MYSQL* connected(const std::string& host) {
  MYSQL* db = ::mysql_init(nullptr);
  // With time-outs the library waits before it reads: a system call more an answer.
  const unsigned timeout_s = 2;
  if (std::getenv("HOLDFAST_PLAIN_TIMEOUTS") != nullptr) {
    ::mysql_options(db, MYSQL_OPT_READ_TIMEOUT, &timeout_s);
    ::mysql_options(db, MYSQL_OPT_WRITE_TIMEOUT, &timeout_s);
  }
  if (::mysql_real_connect(db, host.c_str(), "root", "", "holdfast", 3306, nullptr, CLIENT_MULTI_STATEMENTS) ==
      nullptr) {
    std::fprintf(stderr, "%s\n", ::mysql_error(db));
    std::exit(5);
  }
  return db;
}

void send(MYSQL* db, const char* text, int length) {
  if (::mysql_real_query(db, text, static_cast<unsigned long>(length)) != 0) {
    std::fprintf(stderr, "%s: %s\n", ::mysql_error(db), text);
    std::exit(5);
  }
  do {
    if (MYSQL_RES* result = ::mysql_store_result(db); result != nullptr) {
      while (::mysql_fetch_row(result) != nullptr) {
      }
      ::mysql_free_result(result);
    }
  } while (::mysql_next_result(db) == 0);
}

}  // namespace

PlainLoop::PlainLoop(const std::string& lock_host, const std::string& resource_host)
    : lock_(connected(lock_host)), resource_(connected(resource_host)) {}

PlainLoop::~PlainLoop() {
  ::mysql_close(lock_);
  ::mysql_close(resource_);
}

// As sql/insert_lease.sql and sql/resource.sql have them.
void PlainLoop::round() {
  char text[1024];
  const char* owner = "0a8d2f1e-7f0c-4a35-9f6e-5d2b8c1e4a77";
  const long long number = ++number_;
  send(
      lock_, text,
      std::snprintf(text, sizeof text, "DELETE FROM insert_lease WHERE lock_key = '%s' AND expire_time < NOW()", "k0"));
  send(lock_, text,
       std::snprintf(text, sizeof text,
                     "INSERT INTO insert_lease VALUES ('%s', '%s', ADDDATE(NOW(), INTERVAL %d SECOND))", "k0", owner,
                     60));
  send(resource_, text, std::snprintf(text, sizeof text, "SELECT value FROM resource WHERE resource_key = '%s'", "k0"));
  send(resource_, text,
       std::snprintf(text, sizeof text,
                     "START TRANSACTION;\nUPDATE resource SET value = %lld WHERE resource_key = 'k0';\n"
                     "INSERT INTO resource_log (resource_key, client, grant_number, write_number, base, value, token)\n"
                     "SELECT resource_key, 0, %lld, %lld, %lld, %lld, 0 FROM resource\n"
                     "WHERE resource_key = 'k0' AND value = %lld;\nCOMMIT",
                     number, number, number, number - 1, number, number));
  send(lock_, text,
       std::snprintf(text, sizeof text, "DELETE FROM insert_lease WHERE lock_key = '%s' AND lock_value = '%s'", "k0",
                     owner));
}

std::int64_t PlainLoop::run(std::int64_t until_ns) {
  std::int64_t rounds = 0;
  for (; monotonic_ns() < until_ns; ++rounds) round();
  return rounds;
}

}  // namespace holdfast
