#include "client/client.hpp"

#include "artifact/error.hpp"
#include "client/worker.hpp"

namespace holdfast {
namespace {

// A statement that waits for another's row lock gives up before the connection's own time-out: an answer is definite,
// a time-out is not.
constexpr const char* kFirstStatement = "SET SESSION innodb_lock_wait_timeout = 1, time_zone = '+00:00'";
constexpr unsigned kTimeout_s = 2;  // of either kind of store

MySqlAddress mysql_address(const std::string& host, bool found_rows) {
  MySqlAddress address;
  address.host = host;
  address.database = kDatabase;
  address.found_rows = found_rows;
  address.timeout_s = kTimeout_s;
  address.first_statement = kFirstStatement;
  return address;
}

// A connection of its own to the lock's server, whatever that is.
std::unique_ptr<StatementConnection> connection_to_lock(const ClientOptions& options, const LockRef& ref) {
  if (find_entry(locks(), ref.lock)->store == StoreKind::redis) {
    return std::make_unique<RedisStatements>(RedisAddress{options.lock_host, 6379, kTimeout_s * 1000},
                                             lock_commands(ref.lock));
  }
  return std::make_unique<MySqlStatements>(mysql_address(options.lock_host, ref.found_rows), lock_statements(ref.lock));
}

std::unique_ptr<Watchdog> make_watchdog(const ClientOptions& options, const LockRef& ref, const LockType& type,
                                        ControlPage& page, std::atomic<std::uint64_t>& numbers) {
  if (!type.renews_in_background) return nullptr;
  const std::string path = options.folder + "/client-" + std::to_string(options.client) + ".background.journal";
  auto journal = std::make_unique<JournalWriter>(path, options.client);
  auto session = std::make_unique<ClientSession>(page, options.client, connection_to_lock(options, ref),
                                                 options.own_address, *journal, false);
  session->connect();
  return std::make_unique<Watchdog>(type, std::move(session), std::move(journal), page, numbers);
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
  ClientSession session(*page, options.client, connection_to_lock(options, ref), options.own_address, journal);
  ResourceClient resource(mysql_address(options.resource_host, false), type.fenced);
  std::atomic<std::uint64_t> numbers{0};
  std::unique_ptr<Watchdog> watchdog;
  try {
    session.connect();
    resource.connect();
    watchdog = make_watchdog(options, ref, type, *page, numbers);
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("client ") + std::to_string(options.client) + ": " + failed.what());
  }
  Worker worker(plan, ClientPlan{options.client, 0, options.seed, false}, type, *page, session, resource, journal,
                watchdog.get(), numbers);
  try {
    worker.start();
  } catch (const StatementFailed& failed) {
    throw HarnessError("client " + std::to_string(options.client) + ": " + failed.what());
  }
  wait_for_go(*page, options.client, session);
  worker.run();
}

}  // namespace holdfast
