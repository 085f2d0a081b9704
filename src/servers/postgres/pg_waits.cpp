#include "servers/postgres/pg_waits.hpp"

#include <utility>

#include "artifact/server_errors.hpp"
#include "servers/postgres/lab_postgres.hpp"
#include "servers/postgres/pg_clock.hpp"
#include "servers/postgres/pg_connection.hpp"
#include "servers/postgres/pg_errors.hpp"
#include "servers/postgres/pg_store.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLongWait_ms = 60'000;
constexpr const char* kWaitsDatabase = "explore_real_waits";

class PgWaitingSession : public WaitingSession {
 public:
  PgWaitingSession(PgAddress address, PgConnection& beside) : db_(std::move(address)), beside_(beside) {
    db_.connect();
  }

  Reply run(const std::string& text, std::int64_t now_us) override {
    const bool opens = text.rfind("BEGIN", 0) == 0 || text.rfind("START TRANSACTION", 0) == 0;
    const bool ends = text.rfind("COMMIT", 0) == 0 || text.rfind("ROLLBACK", 0) == 0;
    if (opens) begun_us_ = now_us;
    const std::int64_t begun_us = transaction_ || opens ? begun_us_ : now_us;
    Reply out = db_.query(ends ? text : clock_setting(now_us, begun_us) + text);
    if (out.ok()) transaction_ = opens || (transaction_ && !ends);
    return out;
  }
  bool waits() override {
    return !must_answer(beside_, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid = " +
                                     std::to_string(db_.process()))
                .rows.empty();
  }
  void interrupt() override { must_answer(beside_, "SELECT pg_cancel_backend(" + std::to_string(db_.process()) + ")"); }
  void end() override {
    must_answer(db_, "ROLLBACK; SELECT pg_advisory_unlock_all()");
    transaction_ = false;
  }

 private:
  PgConnection db_;
  PgConnection& beside_;
  bool transaction_ = false;
  std::int64_t begun_us_ = 0;
};

class PgWaits : public WaitingServer {
 public:
  PgWaits(StoreSpec spec, std::string host)
      : spec_(std::move(spec)), host_(std::move(host)), beside_(prepared(spec_, host_)) {
    const SqlFile statements = postgres_file(spec_.file);
    if (statements.has("schema")) must_answer(beside_, statements.bind("schema", {}, nullptr));
  }
  std::unique_ptr<WaitingSession> open() override {
    return std::make_unique<PgWaitingSession>(explore_session(spec_, host_, kWaitsDatabase, kLongWait_ms), beside_);
  }
  bool is_deadlock(const Reply& reply) const override { return reply.error == number_of_sqlstate(kDeadlockDetected); }

 private:
  static PgConnection prepared(const StoreSpec& spec, const std::string& host) {
    make_explore_database(host, kWaitsDatabase);
    return PgConnection(explore_session(spec, host, kWaitsDatabase, kLongWait_ms));
  }

  StoreSpec spec_;
  std::string host_;
  PgConnection beside_;
};

}  // namespace

std::unique_ptr<WaitingServer> pg_waits(const StoreSpec& spec, const std::string& host) {
  return std::make_unique<PgWaits>(spec, host);
}

}  // namespace holdfast
