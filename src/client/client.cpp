#include "client/client.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "client/client_stage.hpp"
#include "control/control_page.hpp"
#include "driver/driver.hpp"
#include "driver/leader_owner.hpp"
#include "driver/load_loop.hpp"
#include "lock/added_locks.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kStart_ms = 15'000;
constexpr std::int64_t kAgain_ms = 20;
constexpr int kGo_ms = 5;        // interval between clock readings before the load begins
constexpr int kHeldBack_ms = 2;  // poll interval of a spare client

const std::string& word_of_client(std::uint32_t client, const std::vector<std::string>& words) {
  return words[client % words.size()];
}

// Retries: when hundreds of clients start on a busy machine, the first attempts may time out.
void connect_at_last(std::uint32_t client, const std::function<void()>& connect) {
  std::string why;
  const auto connected = [&] {
    try {
      connect();
      return true;
    } catch (const StatementFailed& failed) {
      why = failed.what();
      return false;
    }
  };
  if (!poll_until(connected, kAgain_ms, after_ms(kStart_ms))) {
    throw HarnessError("client " + std::to_string(client) + ": " + why);
  }
}

ClientAccess access_to_lock(const ClientOptions& options, const Plan& plan, const LockRef& ref) {
  const auto turn = [&](const std::vector<std::string>& words) { return word_of_client(options.client, words); };
  ClientAccess out;
  out.host = options.lock_host;
  out.topology = plan.server.topology;
  out.hosts = options.server_hosts;
  out.target = options.target;
  out.wait_ms = longest_wait_ms(*find_entry(locks(), ref.lock));
  out.variant = ref.variant;
  out.time_zone = turn(plan.load.time_zone);
  if (!plan.load.isolation.empty()) out.isolation = turn(plan.load.isolation);
  if (turn(plan.load.reads) == "replica") out.replica_host = options.replica_host;
  return out;
}

// For a client whose lock is a program with connections of its own.
class NoConnection : public StatementConnection {
 public:
  void connect() override {}
  Reply run(std::string_view statement, Params) override {
    throw HarnessError("statement '" + std::string(statement) + "' of a lock that does not have it");
  }
  void close() override {}
  std::uint64_t id() const override { return 0; }
};

// Opens a new connection to the lock's server of any kind.
std::unique_ptr<StatementConnection> connection_to_lock(const ClientOptions& options, const Plan& plan) {
  const LockRef ref = parse_lock_ref(plan.lock);
  const LockType& type = lock_type(ref.lock);
  if (!driver_type(type.driver).has_session) return std::make_unique<NoConnection>();
  const ServerType& server = server_type(type.server);
  return server.connect(lock_file(ref.lock), access_to_lock(options, plan, ref));
}

// Opens a connection to the protected resource; a user's own server holds it too, if its kind can.
std::unique_ptr<StatementConnection> connection_to_resource(const ClientOptions& options, const LockType& type) {
  const ServerType& of_lock = server_type(type.server);
  const bool on_target = options.target && of_lock.holds_resource();
  return resource_type(of_lock).resource.connect(
      {options.resource_host, options.resource_socket, on_target ? options.target : std::nullopt});
}

// One thread of a client, with its own session, journal and driver.
class ClientThread {
 public:
  ClientThread(const ClientOptions& options, ClientShared& shared, DrivenLock& lock, std::uint32_t thread)
      : journal_(journal_path(options.folder, options.client, thread, false), options.client),
        session_(shared.page, options.client, connection_to_lock(options, shared.plan), options.own_address, journal_,
                 true, thread),
        resource_(connection_to_resource(options, shared.type), shared.type.fenced),
        driver_(lock.driver(session_, thread)),
        client_(options.client) {
    connect_at_last(options.client, [&] {
      session_.connect();
      resource_.connect();
    });
    session_.set_zone(zone_s_of(shared.plan.load, options.client));
    if (shared.type.renews_in_background) watch(options, shared, thread);
    const std::uint64_t seed = options.seed + thread * kApart;
    stage_.emplace(shared,
                   Member{options.client, thread, seed, session_, resource_, journal_, watchdog_.get(), *driver_});
  }
  ClientSession& session() { return session_; }
  void start() {
    for (const auto& key : stage_->lock_keys()) {
      if (driver_->start(key).type != EventType::ok)
        throw HarnessError("client " + std::to_string(client_) + ": " + driver_->why());
    }
  }
  std::uint32_t client() const { return client_; }
  void run(const LoadRules& rules) {
    stage_->wait_for_start();
    LoadLoop(rules, *driver_, *stage_).run();
  }

 private:
  static constexpr std::uint64_t kApart = 0x9e3779b97f4a7c15ULL;  // distance between the seeds of two threads

  void watch(const ClientOptions& options, ClientShared& shared, std::uint32_t thread) {
    auto journal =
        std::make_unique<JournalWriter>(journal_path(options.folder, options.client, thread, true), options.client);
    auto session = std::make_unique<ClientSession>(
        shared.page, options.client, connection_to_lock(options, shared.plan), options.own_address, *journal, false);
    connect_at_last(options.client, [&] { session->connect(); });
    session->set_zone(zone_s_of(shared.plan.load, options.client));
    watchdog_ =
        std::make_unique<Watchdog>(shared.type, std::move(session), std::move(journal), shared.page, shared.numbers);
  }

  JournalWriter journal_;
  ClientSession session_;
  ResourceClient resource_;
  std::unique_ptr<Watchdog> watchdog_;
  std::unique_ptr<Driver> driver_;
  std::optional<ClientStage> stage_;
  std::uint32_t client_;
};

LoadRules rules_of(const Plan& plan, const LockType& type) {
  return {.releases = type.releases,
          .ticks = plan.load.tick_ms > 0,
          .asks_in_ticks = type.renews,
          .scheduled = type.scheduled,
          .reenter = plan.load.reenter,
          .retries = plan.load.after_info == "retry",
          .cleans_up = plan.load.after_info == "clean_up"};
}

// Builds the server's address as the program reaches it. Credentials for a user's own server are named by the lock's
// manifest.
ServerPlace place_on_target(const ClientOptions& options) {
  const Target& there = *options.target;
  const bool elsewhere = !options.host_there.empty();
  return {there.server,
          "lock",
          elsewhere ? options.host_there : there.host,
          elsewhere ? options.port_there : there.port,
          there.user,
          there.database};
}

ServerPlace place_of(const LockType& type, const std::string& role, const std::string& host) {
  const LabLogin& login = server_type(type.server).login;
  return {type.server, role, host, login.port, login.user, login.database};
}

// The runner must know the group before the client is ready, because a fault strikes both.
ClientFacts facts_for_lock(const ClientOptions& options, const Plan& plan, const LockType& type, ControlPage& page) {
  const std::string number = std::to_string(options.client);
  ClientFacts out;
  out.client = options.client;
  out.seed = options.seed;
  out.owner = owner_of_client(options.client);
  out.lease_ms = lease_ms_of(plan.load, options.client);
  for (const auto key : keys_of_client(plan.load, options.client)) {
    if (const KeyText text = key_text(plan.load, key)) out.locks.push_back(*text);
  }
  out.servers.push_back(options.target ? place_on_target(options) : place_of(type, "lock", options.lock_host));
  out.prefix = options.target ? options.target->prefix : "";
  out.through = options.through;
  if (!options.replica_host.empty()) out.servers.push_back(place_of(type, "replica", options.replica_host));
  out.ask_owned_ms = plan.load.ask_owned_ms;
  out.cancel_after_ms = plan.load.cancel_after_ms;
  out.shared = shares(plan.load, options.client);
  out.log = options.folder + "/adapter-" + number + ".log";
  ClientSlot& slot = page.clients.at(options.client);
  out.began = [&slot](pid_t group) { slot.lock_group.store(group); };
  out.wall_is_asked = options.wall_is_asked;
  out.told_wall = [&slot](std::int64_t ns) {
    slot.lock_wall_observed_ns.store(ns);
    slot.lock_tells_wall.store(1);
  };
  return out;
}

// Journal of the leaders that the client's lock observes. It is separate because the observer runs in its own thread.
// Observations from before the load are dropped.
class ObserverJournal {
 public:
  ObserverJournal(const ClientOptions& options, const Plan& plan, const ControlPage& page)
      : client_(options.client), page_(page), journal_(observer_path(options.folder, options.client), options.client) {
    for (const auto key : keys_of_client(plan.load, client_)) {
      if (const KeyText text = key_text(plan.load, key)) keys_[*text] = key;
    }
  }
  // Returns false if the client does not use that lock.
  bool note(const std::string& lock, std::optional<std::uint32_t> holder, std::int64_t read_ns) {
    const auto key = keys_.find(lock);
    if (key == keys_.end()) return false;
    if (page_.go.load() == 0 || read_ns < page_.zero_ns) return true;
    Event seen;
    seen.actor = Actor::observer;
    seen.type = EventType::ok;
    seen.time_ns = read_ns - page_.zero_ns;
    seen.process = seen.client = client_;
    seen.key = key->second;
    seen.holder = holder;
    journal_.event(seen);
    return true;
  }

 private:
  const std::uint32_t client_;
  const ControlPage& page_;
  std::map<std::string, std::uint32_t> keys_;
  JournalWriter journal_;
};

// Journal of the assertions that the client's lock evaluates. It is separate because the program's reader has its own
// thread, and it is created with the first assertion, since most locks have none. Those from before the load have the
// time 0.
class AssertionJournal {
 public:
  AssertionJournal(std::string path, std::uint32_t client, const ControlPage& page)
      : path_(std::move(path)), client_(client), page_(page) {}
  void note(const Evaluated& evaluated, EventType result, std::int64_t read_ns) {
    if (!journal_) journal_.emplace(path_, client_);
    const bool loaded = page_.go.load() != 0;
    Event seen;
    seen.actor = Actor::assertion;
    seen.type = result;
    seen.time_ns = last_ns_ = loaded ? std::max(last_ns_, read_ns - page_.zero_ns) : 0;
    seen.process = seen.client = client_;
    seen.evaluated = evaluated;
    journal_->event(seen);
  }

 private:
  const std::string path_;
  const std::uint32_t client_;
  const ControlPage& page_;
  std::int64_t last_ns_ = 0;
  std::optional<JournalWriter> journal_;
};

// Runs all threads; when one fails, all end, and the client with them.
void run_all(std::vector<std::unique_ptr<ClientThread>>& threads, ClientShared& shared) {
  const auto run = [&shared, rules = rules_of(shared.plan, shared.type)](ClientThread& one) {
    try {
      one.run(rules);
    } catch (...) {
      shared.failed.store(true);
      shared.page.clients.at(one.client()).failed.store(1);  // another thread may be in a call that never returns
      throw;
    }
  };
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < threads.size(); ++i) {
    others.push_back(std::async(std::launch::async, run, std::ref(*threads[i])));
  }
  run(*threads.front());
  for (auto& other : others) other.get();
}

// A fault may be in force before the load begins; reading the clock shows its wrong value to the runner.
void wait_for_go(ControlPage& page, std::uint32_t client, Session& session) {
  ClientSlot& slot = page.clients.at(client);
  slot.ready.store(1);
  while ((page.go.load() == 0 || slot.held_back.load() != 0) && page.stop.load() == 0) {
    session.now_ns();
    if (page.go.load() == 0) {
      futex_wait(page.go, 0, kGo_ms);
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(kHeldBack_ms));
    }
  }
}

// Beats until destroyed. A process that is stopped from outside (by a signal, a debugger or a frozen control group)
// leaves only a gap between beats, which the control page shows.
std::jthread start_heartbeat(Heartbeat& shown, std::int64_t beat_ns) {
  return std::jthread([&shown, beat_ns](const std::stop_token& over) {
    std::mutex mutex;
    std::condition_variable_any sleep;  // destruction ends the sleep early
    std::unique_lock guard(mutex);
    for (std::int64_t last_ns = monotonic_ns(); !over.stop_requested();) {
      sleep.wait_for(guard, over, std::chrono::nanoseconds(beat_ns), [] { return false; });
      const std::int64_t now_ns = monotonic_ns();
      shown.beat_ns.store(now_ns);
      if (now_ns - last_ns >= Heartbeat::kGapBeats * beat_ns) shown.add(last_ns, now_ns);
      last_ns = now_ns;
    }
  });
}

}  // namespace

std::string journal_path(const std::string& folder, std::uint32_t client, std::uint32_t thread, bool background) {
  return folder + "/client-" + std::to_string(client) + (thread > 0 ? ".thread-" + std::to_string(thread) : "") +
         (background ? ".background" : "") + ".journal";
}

std::string observer_path(const std::string& folder, std::uint32_t client) {
  return folder + "/client-" + std::to_string(client) + ".observer.journal";
}

std::string assertions_path(const std::string& folder, std::uint32_t client) {
  return folder + "/client-" + std::to_string(client) + ".assertions.journal";
}

void run_client(const ClientOptions& options) {
  const Plan plan = load_plan(InputFile::in(options.folder, "plan.json"));
  const std::string name = parse_lock_ref(plan.lock).lock;
  const LockType& type = lock_type(name);
  check_lock_file(name, plan.adapter);
  const SharedPage page = SharedPage::attach(options.page_descriptor);
  take_adapter_variables(name);
  ClientFacts facts = facts_for_lock(options, plan, type, *page);
  std::optional<ObserverJournal> observer;  // must outlive the lock, whose reader writes to it
  if (type.tells_leader) {
    observer.emplace(options, plan, *page);
    facts.observed = [&observer](const auto& key, auto holder, auto read_ns) {
      return observer->note(key, holder, read_ns);
    };
  }
  AssertionJournal assertions(assertions_path(options.folder, options.client), options.client, *page);
  facts.asserted = [&assertions](const auto& evaluated, auto result, auto read_ns) {
    assertions.note(evaluated, result, read_ns);
  };
  const auto lock = driver_type(type.driver).begin(type, facts);
  ClientShared shared{plan, type, *page, options.target ? options.target->prefix : ""};
  std::vector<std::unique_ptr<ClientThread>> threads;
  for (std::uint32_t thread = 0; thread < plan.load.threads; ++thread) {
    threads.push_back(std::make_unique<ClientThread>(options, shared, *lock, thread));
  }
  threads.front()->start();
  wait_for_go(*page, options.client, threads.front()->session());
  const std::jthread heartbeat = start_heartbeat(page->clients.at(options.client).heartbeat, page->beat_ns);
  run_all(threads, shared);
  lock->end();
}

}  // namespace holdfast
