// postgres_scheduler_row with the client's times, the default of schedulers: each program compares the row's time with
// its own clock. Two programs whose clocks differ by more than the rest of a lease both hold it.
#include "lock/scheduler_row.hpp"

namespace holdfast {
namespace {

class ClientTimedRow : public SchedulerRow {
 protected:
  Reply ask(Session& session, const char* statement, const Claim& claim) override {
    const std::string now = datetime_text(session.now_ns() / 1000) + "+00";
    const std::string until = datetime_text(session.now_ns() / 1000 + claim.lease_ms * 1000) + "+00";
    if (std::string_view(statement) == kFree) {
      return session.attempt(statement, {{"key", claim.key}, {"owner", claim.owner}, {"now", now}});
    }
    return session.attempt(statement, {{"key", claim.key}, {"owner", claim.owner}, {"now", now}, {"until", until}});
  }
};

}  // namespace

extern const LockType lock_postgres_scheduler_row_client_clock;
const LockType lock_postgres_scheduler_row_client_clock{
    .server = "postgres",
    .renews = true,
    .isolation = "read_committed",
    .make = [] { return std::unique_ptr<Lock>(new ClientTimedRow); },
};

}  // namespace holdfast
