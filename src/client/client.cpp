#include "client/client.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "artifact/error.hpp"
#include "client/worker.hpp"

namespace holdfast {
namespace {

// A statement that waits for another's row lock gives up before the connection's own time-out: an answer is definite,
// a time-out is not.
constexpr const char* kFirstStatement = "SET SESSION innodb_lock_wait_timeout = 1";
constexpr unsigned kTimeout_s = 2;
constexpr std::int64_t kStart_ns = 15'000'000'000;
constexpr auto kAgain = std::chrono::milliseconds(20);

MySqlAddress address_of(const std::string& host, bool found_rows) {
  MySqlAddress address;
  address.host = host;
  address.database = kDatabase;
  address.found_rows = found_rows;
  address.timeout_s = kTimeout_s;
  address.first_statement = kFirstStatement;
  return address;
}

// The lock's session has the zone and the isolation that the load gives this client, on each new connection.
std::string session_settings(const Load& load, std::uint32_t client) {
  const auto turn = [client](const std::vector<std::string>& words) { return words[client % words.size()]; };
  std::string level = turn(load.isolation);  // "read_committed"
  std::replace(level.begin(), level.end(), '_', ' ');
  return std::string(kFirstStatement) + ", time_zone = '" + turn(load.time_zone) +
         "'; SET SESSION TRANSACTION ISOLATION LEVEL " + level;
}

// Where hundreds of clients start on a busy machine the first attempts may not be answered in time.
void connect_at_last(std::uint32_t client, const std::function<void()>& connect) {
  for (const std::int64_t limit_ns = monotonic_ns() + kStart_ns;;) {
    try {
      return connect();
    } catch (const StatementFailed& failed) {
      if (monotonic_ns() > limit_ns) throw HarnessError("client " + std::to_string(client) + ": " + failed.what());
      std::this_thread::sleep_for(kAgain);
    }
  }
}

// A fault may be in force before the load begins; the clock is read so that its wrongness is seen.
void wait_for_go(ControlPage& page, std::uint32_t client, Session& session) {
  page.clients.at(client).ready.store(1);
  while (page.go.load() == 0 && page.stop.load() == 0) {
    session.now_ns();
    futex_wait(page.go, 0, 5);
  }
}

}  // namespace

void run_client(const ClientOptions& options) {
  const Plan plan = load_plan(options.folder + "/plan.json");
  const LockRef ref = parse_lock_ref(plan.lock);
  const LockType& type = *find_entry(locks(), ref.lock);
  const SharedPage page = SharedPage::attach(options.page_descriptor);
  JournalWriter journal(options.folder + "/client-" + std::to_string(options.client) + ".journal", options.client);
  const SqlFile statements = lock_statements(ref.lock);
  MySqlAddress lock_service = address_of(options.lock_host, ref.found_rows);
  lock_service.first_statement = session_settings(plan.load, options.client);
  ClientSession session(*page, options.client, lock_service, statements, options.own_address, journal);
  ResourceClient resource(address_of(options.resource_host, false), type.fenced);
  connect_at_last(options.client, [&] {
    session.connect();
    resource.connect();
  });
  Worker worker(plan, ClientPlan{options.client, 0, options.seed, false}, type, *page, session, resource, journal);
  try {
    worker.start();
  } catch (const StatementFailed& failed) {
    throw HarnessError("client " + std::to_string(options.client) + ": " + failed.what());
  }
  wait_for_go(*page, options.client, session);
  worker.run();
}

}  // namespace holdfast
