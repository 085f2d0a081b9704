// The servers of a trial: one process that faults may strike, and the lock's service, which has one or several.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "artifact/plan.hpp"
#include "lab/process.hpp"
#include "lab/readiness_probe.hpp"
#include "lab/server_clock.hpp"
#include "servers/administration.hpp"
#include "servers/statement_file.hpp"

namespace holdfast {

// One server of a trial: its process, which faults may stop, kill and start again. Faults call it from threads of their
// own, beside the runner.
//
//   TrialServer server([&] { return start_mariadb(spec); });
//   server.start();
//   server.when_started([&](Process& p) { wait_for_answer(kLockAddress, kMySqlProbe, p, spec.log, kServerStart_ms); });
//   server.kill(); ... server.restart();      // a fault: on the same data
class TrialServer {
 public:
  explicit TrialServer(std::function<Process()> start) : start_(std::move(start)) {}
  void start();
  void when_started(const std::function<void(Process&)>& wait);

  bool signal(int number) const;
  char state() const;
  std::optional<std::int64_t> stopped_at_ns() const;  // as the process has it
  std::int64_t process_number() const;
  void kill();     // its end is expected from now on
  void restart();  // nothing, unless it was killed

  void watch();  // HarnessError when it has ended by itself
  void stop();   // in the end, so that its processor time is counted

 private:
  std::function<Process()> start_;
  mutable std::mutex mutex_;
  Process process_;
  bool killed_ = false;
};

// The lock's server, as a trial needs it: started, prepared, asked about its connections, struck by faults. One
// implementation a topology; a trial of any lock goes through this and knows no more. A replica, a cluster and a server
// of the user's own (target.hpp) are such implementations. A trial on a target has no network of its own; all else of
// its lab is private as ever, so that the kernel still ends what a run leaves.
//
//   auto server = type.start(config);                // server_type.hpp
//   for (auto* p : server->processes()) p->start();  // at once, beside other work
//   server->prepare(lock_file(lock));                // waits until it answers; makes what the lock needs
//
// The protected resource is not here, but in client_access.hpp.

struct ServerConfig {
  std::string folder;                  // of the trial: logs; its folder `lab` is in memory
  int network = -1;                    // the node's network namespace
  std::size_t connections = 100;       // that it must take
  const ServerClock* clock = nullptr;  // a wall clock that faults can set wrong; null: the host's
  ServerSettings settings;
  int replica_network = -1;                  // of the replica's node, in a topology that has one
  std::vector<int> networks{};               // of the servers' nodes, this one's first, where several are equals
  std::string variant{};                     // of the clients' connections, where it needs a process of its own
  std::vector<const ServerClock*> clocks{};  // of each of `networks`, as `clock`; empty: the host's
  // Of each of `networks`, where they are on disks of their own that can lose power; else none.
  std::vector<std::string> disks{};

  // Where a server makes a folder for its data: in memory, or on its disk.
  std::string place_of_data(std::uint32_t server = 0) const;
};

// The server's own answer to what time it is, between two looks at the host's wall clock.
struct ServerTime {
  std::int64_t server_ns = 0;  // since 1970
  std::int64_t asked_ns = 0;
  std::int64_t answered_ns = 0;
  std::int64_t tick_ns = 5'000'000;  // in steps of which it tells the time, half of it: a coarse clock has milliseconds
};

// The asynchronous replica of a lock's server, in a topology that has one.
class Replication {
 public:
  virtual ~Replication() = default;
  virtual std::optional<bool> replica_has_canary(std::int64_t n) = 0;  // nothing: no answer
  virtual void promote_replica() = 0;
  virtual bool replica_is_primary() = 0;  // asked at the lock's address
};

// The servers of a lock service that are equals, as each sees the others.
class Cluster {
 public:
  virtual ~Cluster() = default;
  virtual std::optional<ClusterView> view_of(std::uint32_t server) = 0;  // nothing: no answer
  virtual std::optional<std::uint32_t> leader() {
    return std::nullopt;
  }  // where they elect one; nothing: none just now
};

class LockServer {
 public:
  explicit LockServer(std::function<Process()> start) : process_(std::move(start)) {}
  virtual ~LockServer() = default;

  TrialServer& process() { return process_; }  // the first, or only, server
  virtual std::vector<TrialServer*> processes() { return {&process_}; }
  // One of several equals, by its number, where they can be struck one by one: its process and what it answers.
  virtual LockServer& one(std::uint32_t /*server*/) { return *this; }
  virtual TrialServer& serving() { return process_; }  // whoever has the lock's address just now
  virtual Replication* replication() { return nullptr; }
  virtual Cluster* cluster() { return nullptr; }
  virtual void prepare(const StatementFile& statements) = 0;
  virtual std::string version() = 0;             // "Redis 7.0.15"
  virtual ReadinessProbe readiness() const = 0;  // where a probe asks

  // A client's connection, by the number that it reads from its server. Empty: it can be ended.
  virtual std::string cannot_end_connections() const { return ""; }
  virtual void end_connection(std::uint64_t connection, std::uint32_t server) = 0;
  virtual bool connection_alive(std::uint64_t connection, std::uint32_t server) = 0;

  // For faults of the server. A canary is an entry of ours, told apart by `n`, which a kill may lose.
  virtual Durability durability() const = 0;  // should its process be killed
  virtual Durability durability_without_power() const { return Durability::may_be_lost; }  // should its machine stop
  virtual void prepare_canaries() {}                                                       // before the load
  virtual void leave_canary(std::int64_t n) = 0;                // returns once it is acknowledged
  virtual std::optional<bool> canary_kept(std::int64_t n) = 0;  // nothing: no answer
  virtual std::optional<ServerTime> clock() = 0;                // nothing: no answer

  // Mistakes of operators. Empty: it can be done.
  virtual std::string cannot_drop_entries() const { return "there is no known command that drops all its entries"; }
  virtual void drop_entries() {}  // canaries, too
  virtual std::string cannot_refuse_writes() const {
    return "there is no known setting with which it refuses all writes";
  }
  virtual void refuse_writes(bool /*refuse*/) {}
  virtual std::optional<bool> takes_writes() { return std::nullopt; }  // by a write of ours; nothing: no answer

 private:
  TrialServer process_;
};

// In place of a start, of a server that is there already.
std::function<Process()> not_ours();

std::int64_t host_wall_ns();

}  // namespace holdfast
