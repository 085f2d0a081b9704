// The servers of a trial: a process that faults may strike, and the lock's service, which has one or several of them.
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

// One server of a trial: its process, which faults may stop, kill and restart, from their own threads, concurrently
// with the runner.
//
//   TrialServer server([&] { return start_mariadb(spec); });
//   server.start();
//   server.when_started([&](Process& p) { wait_for_answer(kLockAddress, kMySqlProbe, p, spec.log, kServerStart_ms); });
//   server.kill(); ... server.restart();      // by a fault: on the same data
class TrialServer {
 public:
  explicit TrialServer(std::function<Process()> start) : start_(std::move(start)) {}
  void start();
  void when_started(const std::function<void(Process&)>& wait);

  bool signal(int number) const;
  char state() const;
  std::optional<std::int64_t> stopped_at_ns() const;  // as in Process
  std::int64_t process_number() const;
  void kill();     // its end is expected from now on
  void restart();  // does nothing unless it was killed

  void watch();  // throws HarnessError if it has ended by itself
  void stop();   // at the end, so that its processor time is counted

 private:
  std::function<Process()> start_;
  mutable std::mutex mutex_;
  Process process_;
  bool killed_ = false;
};

// The lock's server in a trial: started, prepared, asked about its connections, struck by faults. Each topology has an
// implementation, and trials use only this interface. Replicas, clusters and a user's own server (target.hpp) are
// implementations, too. A trial on a target has no network of its own; the rest of its lab is private as usual, so the
// kernel still ends everything a run leaves.
//
//   auto server = type.start(config);                // server_type.hpp
//   for (auto* p : server->processes()) p->start();  // returns immediately
//   server->prepare(lock_file(lock));                // waits until it answers; creates what the lock needs
//
// The protected resource is in client_access.hpp.

struct ServerConfig {
  std::string folder;                  // of the trial, for logs; its subfolder `lab` is in memory
  int network = -1;                    // the node's network namespace
  std::size_t connections = 100;       // number that it must accept
  const ServerClock* clock = nullptr;  // a wall clock that faults can change; null: the host's
  ServerSettings settings;
  int replica_network = -1;                  // of the replica's node, in a topology that has one
  std::vector<int> networks{};               // of the servers' nodes, this one's first, if there are several equal ones
  std::string variant{};                     // of the clients' connections, if it needs a process of its own
  std::vector<const ServerClock*> clocks{};  // for each of `networks`, as `clock`; empty: the host's
  // For each of `networks`: its disk, if it can lose power; otherwise empty.
  std::vector<std::string> disks{};

  // Folder for a server's data: in memory, or on its disk.
  std::string place_of_data(std::uint32_t server = 0) const;
};

// The server's own time, with the host's wall clock before and after the query.
struct ServerTime {
  std::int64_t server_ns = 0;  // since 1970
  std::int64_t asked_ns = 0;
  std::int64_t answered_ns = 0;
  std::int64_t tick_ns = 5'000'000;  // half of the clock's resolution: a coarse clock has milliseconds
};

// The asynchronous replica of a lock's server, in a topology that has one.
class Replication {
 public:
  virtual ~Replication() = default;
  virtual std::optional<bool> replica_has_canary(std::int64_t n) = 0;  // empty: no answer
  virtual void promote_replica() = 0;
  virtual bool replica_is_primary() = 0;  // asked at the lock's address
};

// Equal servers of a lock service, as each sees the others.
class Cluster {
 public:
  virtual ~Cluster() = default;
  virtual std::optional<ClusterView> view_of(std::uint32_t server) = 0;   // empty: no answer
  virtual std::optional<std::uint32_t> leader() { return std::nullopt; }  // if they elect one; empty: none at present
};

class LockServer {
 public:
  explicit LockServer(std::function<Process()> start) : process_(std::move(start)) {}
  virtual ~LockServer() = default;

  TrialServer& process() { return process_; }  // the first, or only, server
  virtual std::vector<TrialServer*> processes() { return {&process_}; }
  // One of several equal servers, if they can be struck individually: its process and its answers.
  virtual LockServer& one(std::uint32_t /*server*/) { return *this; }
  virtual TrialServer& serving() { return process_; }  // the server that has the lock's address at present
  virtual Replication* replication() { return nullptr; }
  virtual Cluster* cluster() { return nullptr; }
  virtual void prepare(const StatementFile& statements) = 0;
  virtual std::string version() = 0;             // "Redis 7.0.15"
  virtual ReadinessProbe readiness() const = 0;  // address and form of a readiness probe

  // Ends a client's connection, by its number at the server. An empty reason means that this is possible.
  virtual std::string cannot_end_connections() const { return ""; }
  virtual void end_connection(std::uint64_t connection, std::uint32_t server) = 0;
  virtual bool connection_alive(std::uint64_t connection, std::uint32_t server) = 0;

  // For faults of the server. A canary is a numbered entry of holdfast's, which a kill may lose.
  virtual Durability durability() const = 0;                                               // if its process is killed
  virtual Durability durability_without_power() const { return Durability::may_be_lost; }  // if its machine stops
  virtual void prepare_canaries() {}                                                       // before the load
  virtual void leave_canary(std::int64_t n) = 0;                // returns once it is acknowledged
  virtual std::optional<bool> canary_kept(std::int64_t n) = 0;  // empty: no answer
  virtual std::optional<ServerTime> clock() = 0;                // empty: no answer

  // Mistakes of operators. Empty: it can be done.
  virtual std::string cannot_drop_entries() const { return "there is no known command that drops all its entries"; }
  virtual void drop_entries() {}  // canaries, too
  virtual std::string cannot_refuse_writes() const {
    return "there is no known setting with which it refuses all writes";
  }
  virtual void refuse_writes(bool /*refuse*/) {}
  virtual std::optional<bool> takes_writes() { return std::nullopt; }  // tested by a write; empty: no answer

 private:
  TrialServer process_;
};

// Replaces starting for an existing server.
std::function<Process()> not_ours();

std::int64_t host_wall_ns();

}  // namespace holdfast
