#include "relay/relay.hpp"

#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <utility>

#include "artifact/enumeration.hpp"
#include "artifact/error.hpp"
#include "relay/connection.hpp"
#include "relay/ledger.hpp"
#include "relay/node_sockets.hpp"
#include "relay/relay_clock.hpp"
#include "relay/wire.hpp"

namespace holdfast {
namespace {

// A key for epoll: the lowest bits are its kind, the others a number that is never reused.
enum KeyKind : std::uint64_t { kWakeup, kListener, kClientSide, kServerSide };
constexpr std::uint64_t kKinds = kEnumerators<KeyKind>;
constexpr std::uint32_t kBothWays = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
constexpr std::int64_t kShortOfDescriptors_ns = 20'000'000;  // interval between attempts
constexpr std::int64_t kMillisecond_ns = 1'000'000;

int made(int descriptor, const char* what) {
  if (descriptor < 0) throw HarnessError(std::string("the relay cannot start: ") + what + ": " + system_text(errno));
  return descriptor;
}

// Signals that end the process are left to its other threads.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

}  // namespace

// The relay's thread: accepts connections, moves data and executes commands.
class Relay::Loop {
 public:
  explicit Loop(const RelaySettings& settings);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  struct Command {
    RequestPointId stop;
    Action action;
    bool release;
    bool hang_up = false;
    std::int64_t cut = kAnyClient;  // if set, resets this client's connections instead
  };
  Ledger& ledger() { return ledger_; }
  RelayClient add_client(int network);
  std::uint16_t listen(RelayClient client, const ProtocolType& protocol);
  void tell(const Command& command);

 private:
  struct Listener {
    Socket socket;
    RelayClient client;
    int network;
    const ProtocolType* protocol;
  };
  struct Timer {
    RequestPointId stop;
    std::uint64_t listener;  // listener to resume; 0: the timer is for the point
  };

  void run();
  void handle(std::uint64_t key, std::uint32_t events);
  void take_connections(std::uint64_t key);
  void take_connection(const Listener& listener, Socket client);
  void obey();
  void obey(const Command& command);
  void pump(std::uint64_t number);
  int wait_ms() const;
  void fire_timers();
  bool watch(const Socket& socket, std::uint64_t key, std::uint32_t events);
  void wake();

  Ledger ledger_;
  Socket epoll_, wakeup_;  // not sockets, but closed the same way
  std::atomic<bool> ending_{false};

  std::mutex mutex_;  // protects what the runner's threads hand over
  std::vector<int> networks_;
  std::map<std::uint64_t, Listener> listeners_;
  std::vector<Command> commands_;
  std::uint64_t next_listener_ = 1;

  // Used by the relay's thread only.
  WhereThreadIs where_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Connection>> connections_;
  std::uint64_t last_connection_ = 0;
  std::set<std::uint64_t> busy_;  // connections with more data to move
  std::multimap<std::int64_t, Timer> timers_;

  std::thread thread_;  // last member: starts after all others exist
};

Relay::Loop::Loop(const RelaySettings& settings)
    : ledger_(settings.locks, settings.most_records, settings.shown, settings.hears),
      epoll_(made(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      wakeup_(made(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {
  made(watch(wakeup_, kWakeup, EPOLLIN) ? 0 : -1, "epoll_ctl");
  thread_ = std::thread([this] { run(); });
}

Relay::Loop::~Loop() {
  ending_ = true;
  wake();
  thread_.join();
}

bool Relay::Loop::watch(const Socket& socket, std::uint64_t key, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = key;
  return ::epoll_ctl(epoll_.descriptor(), EPOLL_CTL_ADD, socket.descriptor(), &event) == 0;
}

void Relay::Loop::wake() {
  const std::uint64_t one = 1;
  if (::write(wakeup_.descriptor(), &one, sizeof one) < 0) return;  // already signalled
}

RelayClient Relay::Loop::add_client(int network) {
  const std::lock_guard guard(mutex_);
  networks_.push_back(network);
  return ledger_.add_client();
}

std::uint16_t Relay::Loop::listen(RelayClient client, const ProtocolType& protocol) {
  const std::lock_guard guard(mutex_);
  std::uint16_t port = 0;
  const int network = networks_.at(client);
  const std::uint64_t number = next_listener_++;
  Socket socket = listen_in(network, port);
  const auto& listener =
      listeners_.emplace(number, Listener{std::move(socket), client, network, &protocol}).first->second;
  made(watch(listener.socket, number * kKinds + kListener, EPOLLIN) ? 0 : -1, "epoll_ctl");
  return port;
}

void Relay::Loop::tell(const Command& command) {
  const std::lock_guard guard(mutex_);
  commands_.push_back(command);
  wake();
}

int Relay::Loop::wait_ms() const {
  if (!busy_.empty()) return 0;
  if (timers_.empty()) return -1;
  const std::int64_t left = timers_.begin()->first - relay_now_ns();
  return static_cast<int>(std::clamp<std::int64_t>((left + kMillisecond_ns - 1) / kMillisecond_ns, 0, INT_MAX));
}

void Relay::Loop::run() {
  block_signals();
  ::prctl(PR_SET_NAME, "relay");
  std::array<epoll_event, 128> events{};
  while (!ending_) {
    const int n = ::epoll_wait(epoll_.descriptor(), events.data(), static_cast<int>(events.size()), wait_ms());
    for (int i = 0; i < n; ++i) handle(events.at(i).data.u64, events.at(i).events);
    fire_timers();
    for (const auto number : std::exchange(busy_, {})) pump(number);
  }
  connections_.clear();
}

void Relay::Loop::handle(std::uint64_t key, std::uint32_t events) {
  const std::uint64_t number = key / kKinds;
  const auto found = connections_.find(number);
  const bool there = found != connections_.end();
  switch (static_cast<KeyKind>(key % kKinds)) {
    case kWakeup:
      return obey();
    case kListener:
      return take_connections(number);
    case kClientSide:
      if (there) found->second->client_event(events);
      break;
    case kServerSide:
      if (there) found->second->server_event(events);
      break;
  }
  pump(number);
}

void Relay::Loop::pump(std::uint64_t number) {
  const auto found = connections_.find(number);
  if (found == connections_.end()) return;
  if (found->second->pump()) busy_.insert(number);
  if (found->second->over()) connections_.erase(found);
}

// Without free descriptors no connection is accepted: existing ones continue, and it is retried soon.
void Relay::Loop::take_connections(std::uint64_t number) {
  const std::lock_guard guard(mutex_);
  const Listener& listener = listeners_.at(number);
  while (true) {
    Socket client(::accept4(listener.socket.descriptor(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (client.open()) {
      take_connection(listener, std::move(client));
      continue;
    }
    if (errno == ECONNABORTED || errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return;
    ledger_.count(listener.client, [](RelayedClient& seen) { ++seen.refused; });
    ::epoll_ctl(epoll_.descriptor(), EPOLL_CTL_DEL, listener.socket.descriptor(), nullptr);
    timers_.emplace(relay_now_ns() + kShortOfDescriptors_ns, Timer{0, number});
    return;
  }
}

void Relay::Loop::take_connection(const Listener& listener, Socket client) {
  sockaddr_in from{};
  socklen_t size = sizeof from;
  const auto to = original_destination(client);
  const bool known = ::getpeername(client.descriptor(), reinterpret_cast<sockaddr*>(&from), &size) == 0;
  Socket server = to && known ? connect_in(where_, listener.network, from, *to) : Socket();
  if (!server.open()) {
    ledger_.count(listener.client, [](RelayedClient& seen) { ++seen.refused; });
    client.reset();
    return;
  }
  const int no_delay = 1;
  ::setsockopt(client.descriptor(), IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof no_delay);
  const std::uint64_t number = ++last_connection_;
  auto made = std::make_unique<Connection>(ledger_, Connection::Who{listener.client, number, address_text(*to)},
                                           listener.protocol->make(), std::move(client), std::move(server));
  const bool watched = watch(made->client(), number * kKinds + kClientSide, kBothWays) &&
                       watch(made->server(), number * kKinds + kServerSide, kBothWays);
  ledger_.count(listener.client, [watched](RelayedClient& seen) { ++(watched ? seen.connections : seen.refused); });
  if (watched) connections_.emplace(number, std::move(made));
}

void Relay::Loop::obey() {
  std::uint64_t rings = 0;
  if (::read(wakeup_.descriptor(), &rings, sizeof rings) < 0 && errno != EAGAIN) return;
  std::vector<Command> commands;
  {
    const std::lock_guard guard(mutex_);
    commands.swap(commands_);
  }
  for (const auto& command : commands) obey(command);
}

// If the connection is gone, the ledger has recorded that.
void Relay::Loop::obey(const Command& command) {
  if (command.cut != kAnyClient) {
    std::erase_if(connections_, [&](const auto& one) { return one.second->client_number() == command.cut; });
    return;
  }
  const std::uint64_t number = ledger_.connection_of(command.stop);
  const auto found = connections_.find(number);
  if (found == connections_.end()) return ledger_.too_late(command.stop);
  if (command.hang_up) {
    found->second->hang_up(command.stop);
  } else if (command.release) {
    found->second->release(command.stop);
  } else {
    found->second->go_on(command.stop, command.action);
    if (command.action.kind == PointAction::hold_request && command.action.hold_ms >= 0) {
      timers_.emplace(relay_now_ns() + command.action.hold_ms * kMillisecond_ns, Timer{command.stop, 0});
    }
  }
  pump(number);
}

void Relay::Loop::fire_timers() {
  const std::int64_t now = relay_now_ns();
  while (!timers_.empty() && timers_.begin()->first <= now) {
    const Timer timer = timers_.begin()->second;
    timers_.erase(timers_.begin());
    if (timer.listener == 0) {
      obey({timer.stop, {}, true});
      continue;
    }
    const std::lock_guard guard(mutex_);
    const bool again = watch(listeners_.at(timer.listener).socket, timer.listener * kKinds + kListener, EPOLLIN);
    if (!again) timers_.emplace(now + kShortOfDescriptors_ns, timer);
  }
}

Relay::Relay(const RelaySettings& settings) : loop_(std::make_unique<Loop>(settings)) {}
Relay::~Relay() = default;

RelayClient Relay::add_client(int network) {
  return loop_->add_client(network);
}

std::uint16_t Relay::listen(RelayClient client, const std::string& name) {
  return loop_->listen(client, protocol(name));
}

void Relay::operation_begins(RelayClient client, RelayOperation operation) {
  loop_->ledger().begins(client, operation);
}

void Relay::operation_ends(RelayClient client, RelayOperation operation) {
  loop_->ledger().ends(client, operation);
}

RequestPointId Relay::arm(const RequestPoint& at) {
  return loop_->ledger().arm(at);
}

bool Relay::disarm(RequestPointId stop) {
  return loop_->ledger().disarm(stop);
}

void Relay::stop_all(bool wanted, const std::string& lock) {
  loop_->ledger().stop_all(wanted, lock);
}

std::uint64_t Relay::of_other_locks() const {
  return loop_->ledger().of_other_locks();
}

void Relay::forget_before(RequestPointId stop) {
  loop_->ledger().forget_before(stop);
}

void Relay::cut(RelayClient client) {
  loop_->tell({kNoRequestPoint, {}, false, false, static_cast<std::int64_t>(client)});
}

void Relay::hang_up(RequestPointId stop) {
  loop_->tell({stop, {}, false, true});
}

std::optional<Reached> Relay::next_stop(int timeout_ms) {
  return loop_->ledger().next_stop(timeout_ms);
}

void Relay::go_on(RequestPointId stop, const Action& action) {
  loop_->ledger().decide(stop, action);
  loop_->tell({stop, action, false});
}

void Relay::release(RequestPointId stop) {
  loop_->tell({stop, {}, true});
}

RequestPointOutcome Relay::outcome(RequestPointId stop) const {
  return loop_->ledger().outcome(stop);
}

RelayedClient Relay::seen(RelayClient client) const {
  return loop_->ledger().seen(client);
}

std::vector<RequestRecord> Relay::records() const {
  return loop_->ledger().records();
}

std::uint64_t Relay::records_left_out() const {
  return loop_->ledger().records_left_out();
}

}  // namespace holdfast
