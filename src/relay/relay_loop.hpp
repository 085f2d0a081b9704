// The relay's thread: it takes connections, moves what they carry, and does what it is told, in turn.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <vector>

#include "relay/connection.hpp"
#include "relay/ledger.hpp"
#include "relay/node_sockets.hpp"
#include "relay/wire.hpp"

namespace holdfast {

class RelayLoop {
 public:
  RelayLoop(std::vector<std::string> locks, std::size_t most_records);
  ~RelayLoop();
  RelayLoop(const RelayLoop&) = delete;
  RelayLoop& operator=(const RelayLoop&) = delete;

  struct Order {
    StopId stop;
    Action action;
    bool release;
  };
  Ledger& ledger() { return ledger_; }
  RelayClient add_client(int network);
  std::uint16_t listen(RelayClient client, const ProtocolType& protocol);
  void tell(const Order& order);

 private:
  struct Ear {
    Socket socket;
    RelayClient client;
    int network;
    const ProtocolType* protocol;
  };
  struct Timer {
    StopId stop;
    std::uint64_t ear;  // to be listened to again, if that is what it is for; 0: it is for the stop
  };

  void run();
  void handle(std::uint64_t key, std::uint32_t events);
  void take_connections(std::uint64_t key);
  void take_connection(const Ear& ear, Socket client);
  void obey();
  void obey(const Order& order);
  void pump(std::uint64_t number);
  int wait_ms() const;
  void fire_timers();
  bool watch(const Socket& socket, std::uint64_t key, std::uint32_t events);
  void wake();

  Ledger ledger_;
  Socket epoll_, bell_;  // not sockets, but closed alike
  std::atomic<bool> ending_{false};

  std::mutex mutex_;  // of what the runner's threads hand over
  std::vector<int> networks_;
  std::map<std::uint64_t, Ear> ears_;
  std::vector<Order> orders_;
  std::uint64_t next_ear_ = 1;

  // Of the thread alone.
  WhereThreadIs where_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Connection>> connections_;
  std::uint64_t last_connection_ = 0;
  std::set<std::uint64_t> busy_;  // have more to move
  std::multimap<std::int64_t, Timer> timers_;

  std::thread thread_;  // last: it begins when all else is there
};

}  // namespace holdfast
