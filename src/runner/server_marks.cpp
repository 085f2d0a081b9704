// The part of Stores that faults of the server ask: rows of ours that a kill may lose, and the server's time.
#include <ctime>

#include "artifact/error.hpp"
#include "client/client.hpp"
#include "runner/stores.hpp"

namespace holdfast {
namespace {

std::int64_t host_wall_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace

// Before the load: making a table forces the server's log to the disk, which is just what a mark must not do.
void Stores::prepare_marks() {
  MySqlConnection db = connect(lock_host_, kDatabase);
  must(db, "CREATE TABLE holdfast_mark (n BIGINT PRIMARY KEY) ENGINE = InnoDB");
}

void Stores::leave_mark(std::int64_t n) {
  MySqlConnection db = connect(lock_host_, kDatabase);
  must(db, "INSERT INTO holdfast_mark VALUES (" + std::to_string(n) + ")");
}

std::optional<bool> Stores::mark_kept(std::int64_t n) {
  try {
    MySqlConnection db = connect(lock_host_, kDatabase);
    const Reply reply = db.query("SELECT n FROM holdfast_mark WHERE n = " + std::to_string(n));
    if (!reply.ok()) throw HarnessError("the mark cannot be read: " + reply.message);
    return !reply.rows.empty();
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

std::optional<Stores::Clock> Stores::clock() {
  try {
    MySqlConnection db = connect(lock_host_, "");
    db.connect();
    Clock out;
    out.asked_ns = host_wall_ns();
    const Reply reply = db.query("SELECT CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS INTEGER)");
    out.answered_ns = host_wall_ns();
    if (!reply.ok()) throw HarnessError("the server's clock cannot be read: " + reply.message);
    out.server_ns = std::stoll(reply.field(0, 0).value()) * 1000;
    return out;
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

}  // namespace holdfast
