#include "client/client.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "artifact/error.hpp"
#include "client/client_address.hpp"
#include "client/worker.hpp"
#include "store/split_statements.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kStart_ns = 15'000'000'000;
constexpr auto kAgain = std::chrono::milliseconds(20);

const std::string& turn_of(std::uint32_t client, const std::vector<std::string>& words) {
  return words[client % words.size()];
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

// A connection of its own to the lock's server, whatever that is.
std::unique_ptr<StatementConnection> connection_to_lock(const ClientOptions& options, const Plan& plan) {
  const LockRef ref = parse_lock_ref(plan.lock);
  if (find_entry(locks(), ref.lock)->store == StoreKind::redis) {
    return std::make_unique<RedisStatements>(redis_address(options), lock_commands(ref.lock));
  }
  MySqlAddress address = lock_address(options, plan.load);
  address.found_rows = ref.found_rows;
  const SqlFile statements = lock_statements(ref.lock).with_prefix(table_prefix(options));
  if (turn_of(options.client, plan.load.reads) == "primary") {
    return std::make_unique<MySqlStatements>(address, statements);
  }
  MySqlAddress reader = address;
  reader.host = options.replica_host;
  return std::make_unique<SplitStatements>(address, reader, statements);
}

std::unique_ptr<Watchdog> make_watchdog(const ClientOptions& options, const Plan& plan, const LockType& type,
                                        ControlPage& page, std::atomic<std::uint64_t>& numbers) {
  if (!type.renews_in_background) return nullptr;
  const std::string path = options.folder + "/client-" + std::to_string(options.client) + ".background.journal";
  auto journal = std::make_unique<JournalWriter>(path, options.client);
  auto session = std::make_unique<ClientSession>(page, options.client, connection_to_lock(options, plan),
                                                 options.own_address, *journal, false);
  connect_at_last(options.client, [&] { session->connect(); });
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
  ClientSession session(*page, options.client, connection_to_lock(options, plan), options.own_address, journal);
  ResourceClient resource(resource_address(options), embedded_statements("resource").with_prefix(table_prefix(options)),
                          type.fenced);
  connect_at_last(options.client, [&] {
    session.connect();
    resource.connect();
  });
  std::atomic<std::uint64_t> numbers{0};
  const std::unique_ptr<Watchdog> watchdog = make_watchdog(options, plan, type, *page, numbers);
  Worker worker(plan, ClientPlan{options.client, 0, options.seed, false}, type, *page, session, resource, journal,
                watchdog.get(), numbers);
  worker.begin_keys(key_prefix(options));
  try {
    worker.start();
  } catch (const StatementFailed& failed) {
    throw HarnessError("client " + std::to_string(options.client) + ": " + failed.what());
  }
  wait_for_go(*page, options.client, session);
  worker.run();
}

}  // namespace holdfast
