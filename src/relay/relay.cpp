#include "relay/relay.hpp"

#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <utility>

#include "artifact/error.hpp"
#include "relay/relay_clock.hpp"
#include "relay/wire.hpp"

namespace holdfast {

class Relay::Loop : public RelayLoop {
 public:
  using RelayLoop::RelayLoop;
};

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

StopId Relay::arm(const StopAt& at) {
  return loop_->ledger().arm(at);
}

bool Relay::disarm(StopId stop) {
  return loop_->ledger().disarm(stop);
}

std::optional<Reached> Relay::next_stop(int timeout_ms) {
  return loop_->ledger().next_stop(timeout_ms);
}

void Relay::go_on(StopId stop, const Action& action) {
  loop_->ledger().decide(stop, action);
  loop_->tell({stop, action, false});
}

void Relay::release(StopId stop) {
  loop_->tell({stop, {}, true});
}

StopOutcome Relay::outcome(StopId stop) const {
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

namespace {

// A key of epoll: what it is about in its lowest bits, and a number that is never used twice.
enum KeyKind : std::uint64_t { kBell, kEar, kClientSide, kServerSide };
constexpr std::uint64_t kKinds = 4;
constexpr std::uint32_t kBothWays = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
constexpr std::int64_t kShortOfDescriptors_ns = 20'000'000;  // until it is tried again
constexpr std::int64_t kMillisecond_ns = 1'000'000;

int made(int descriptor, const char* what) {
  if (descriptor < 0) throw HarnessError(std::string("the relay cannot begin: ") + what + ": " + system_text(errno));
  return descriptor;
}

// What ends the process belongs to its other threads.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

}  // namespace

RelayLoop::RelayLoop(const RelaySettings& settings)
    : ledger_(settings.locks, settings.most_records, settings.shown),
      epoll_(made(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      bell_(made(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {
  made(watch(bell_, kBell, EPOLLIN) ? 0 : -1, "epoll_ctl");
  thread_ = std::thread([this] { run(); });
}

RelayLoop::~RelayLoop() {
  ending_ = true;
  wake();
  thread_.join();
}

bool RelayLoop::watch(const Socket& socket, std::uint64_t key, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = key;
  return ::epoll_ctl(epoll_.descriptor(), EPOLL_CTL_ADD, socket.descriptor(), &event) == 0;
}

void RelayLoop::wake() {
  const std::uint64_t one = 1;
  if (::write(bell_.descriptor(), &one, sizeof one) < 0) return;  // it rings already
}

RelayClient RelayLoop::add_client(int network) {
  const std::lock_guard guard(mutex_);
  networks_.push_back(network);
  return ledger_.add_client();
}

std::uint16_t RelayLoop::listen(RelayClient client, const ProtocolType& protocol) {
  const std::lock_guard guard(mutex_);
  std::uint16_t port = 0;
  const int network = networks_.at(client);
  const std::uint64_t number = next_ear_++;
  Socket socket = listen_in(network, port);
  const auto& ear = ears_.emplace(number, Ear{std::move(socket), client, network, &protocol}).first->second;
  made(watch(ear.socket, number * kKinds + kEar, EPOLLIN) ? 0 : -1, "epoll_ctl");
  return port;
}

void RelayLoop::tell(const Order& order) {
  const std::lock_guard guard(mutex_);
  orders_.push_back(order);
  wake();
}

int RelayLoop::wait_ms() const {
  if (!busy_.empty()) return 0;
  if (timers_.empty()) return -1;
  const std::int64_t left = timers_.begin()->first - relay_now_ns();
  return static_cast<int>(std::clamp<std::int64_t>((left + kMillisecond_ns - 1) / kMillisecond_ns, 0, INT_MAX));
}

void RelayLoop::run() {
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

void RelayLoop::handle(std::uint64_t key, std::uint32_t events) {
  const std::uint64_t number = key / kKinds;
  switch (key % kKinds) {
    case kBell:
      return obey();
    case kEar:
      return take_connections(number);
    default:
      break;
  }
  const auto found = connections_.find(number);
  if (found == connections_.end()) return;
  if (key % kKinds == kClientSide) found->second->client_event(events);
  if (key % kKinds == kServerSide) found->second->server_event(events);
  pump(number);
}

void RelayLoop::pump(std::uint64_t number) {
  const auto found = connections_.find(number);
  if (found == connections_.end()) return;
  if (found->second->pump()) busy_.insert(number);
  if (found->second->over()) connections_.erase(found);
}

// Without descriptors nobody can be taken: the others go on, and in a moment it is tried again.
void RelayLoop::take_connections(std::uint64_t number) {
  const std::lock_guard guard(mutex_);
  const Ear& ear = ears_.at(number);
  while (true) {
    Socket client(::accept4(ear.socket.descriptor(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (client.open()) {
      take_connection(ear, std::move(client));
      continue;
    }
    if (errno == ECONNABORTED || errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return;
    ledger_.count(ear.client, [](RelayedClient& seen) { ++seen.refused; });
    ::epoll_ctl(epoll_.descriptor(), EPOLL_CTL_DEL, ear.socket.descriptor(), nullptr);
    timers_.emplace(relay_now_ns() + kShortOfDescriptors_ns, Timer{0, number});
    return;
  }
}

void RelayLoop::take_connection(const Ear& ear, Socket client) {
  sockaddr_in from{};
  socklen_t size = sizeof from;
  const auto to = original_destination(client);
  const bool known = ::getpeername(client.descriptor(), reinterpret_cast<sockaddr*>(&from), &size) == 0;
  Socket server = to && known ? connect_in(where_, ear.network, from, *to) : Socket();
  if (!server.open()) {
    ledger_.count(ear.client, [](RelayedClient& seen) { ++seen.refused; });
    client.reset();
    return;
  }
  const int no_delay = 1;
  ::setsockopt(client.descriptor(), IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof no_delay);
  const std::uint64_t number = ++last_connection_;
  auto made = std::make_unique<Connection>(ledger_, Connection::Who{ear.client, number, address_text(*to)},
                                           ear.protocol->make(), std::move(client), std::move(server));
  const bool watched = watch(made->client(), number * kKinds + kClientSide, kBothWays) &&
                       watch(made->server(), number * kKinds + kServerSide, kBothWays);
  ledger_.count(ear.client, [watched](RelayedClient& seen) { ++(watched ? seen.connections : seen.refused); });
  if (watched) connections_.emplace(number, std::move(made));
}

void RelayLoop::obey() {
  std::uint64_t rings = 0;
  if (::read(bell_.descriptor(), &rings, sizeof rings) < 0 && errno != EAGAIN) return;
  std::vector<Order> orders;
  {
    const std::lock_guard guard(mutex_);
    orders.swap(orders_);
  }
  for (const auto& order : orders) obey(order);
}

// The connection may be gone: then the ledger has said so.
void RelayLoop::obey(const Order& order) {
  const std::uint64_t number = ledger_.connection_of(order.stop);
  const auto found = connections_.find(number);
  if (found == connections_.end()) return ledger_.too_late(order.stop);
  if (order.release) {
    found->second->release(order.stop);
  } else {
    found->second->go_on(order.stop, order.action);
    if (order.action.deed == Deed::hold_request && order.action.hold_ms >= 0) {
      timers_.emplace(relay_now_ns() + order.action.hold_ms * kMillisecond_ns, Timer{order.stop, 0});
    }
  }
  pump(number);
}

void RelayLoop::fire_timers() {
  const std::int64_t now = relay_now_ns();
  while (!timers_.empty() && timers_.begin()->first <= now) {
    const Timer timer = timers_.begin()->second;
    timers_.erase(timers_.begin());
    if (timer.ear == 0) {
      obey({timer.stop, {}, true});
      continue;
    }
    const std::lock_guard guard(mutex_);
    const bool again = watch(ears_.at(timer.ear).socket, timer.ear * kKinds + kEar, EPOLLIN);
    if (!again) timers_.emplace(now + kShortOfDescriptors_ns, timer);
  }
}

}  // namespace holdfast
