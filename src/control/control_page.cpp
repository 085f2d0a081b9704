#include "control/control_page.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/placed_statement.hpp"

namespace holdfast {
namespace {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);
static_assert(sizeof(std::atomic<ArmedPointState>) == sizeof(std::uint32_t));

constexpr int kShow_ms = 2;  // interval at which a waiting client updates its readings

const std::atomic<std::uint32_t>& word(const std::atomic<ArmedPointState>& state) {
  return reinterpret_cast<const std::atomic<std::uint32_t>&>(state);
}

[[noreturn]] void fail(const char* doing) {
  throw std::runtime_error(std::string("control page: ") + doing + ": " + system_text(errno));
}

ControlPage* map(int descriptor) {
  void* at = ::mmap(nullptr, sizeof(ControlPage), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED) fail("mmap");
  return static_cast<ControlPage*>(at);
}

bool is_there(const ArmedPoint& point, const ClientPosition& position) {
  if (point.on_statement != (position.statement != nullptr)) return false;
  if (!point.on_statement) return point.phase == position.phase;
  if (point.after != position.after) return false;
  if (point.request > 0) return point.request == position.number;
  return is_called(position.statement, point.statement.data());
}

// Returns true if a client other than the one at this position believes in a grant of the key.
bool held_by_another(const ControlPage& page, const ClientState& state) {
  std::int64_t grants = state.believes_this ? -1 : 0;
  for (const ClientSlot& client : page.clients) {
    if (client.gone.load() == 0) grants += client.believes.at(static_cast<std::size_t>(state.key)).load();
  }
  return grants > 0;
}

bool is_meant(const ControlPage& page, const ArmedPoint& point, const ClientPosition& position) {
  const ClientState& state = position.state;
  if (point.whom == ClientRole::holder && !state.believes) return false;
  const bool lies_there = state.waits_from_ns > 0 && monotonic_ns() >= state.waits_from_ns;
  if (point.whom == ClientRole::waiter && !state.waits && !lies_there) return false;
  const Asking asking = position.statement != nullptr ? state.asking : asking_from_text(operation_of(position.phase));
  if (point.of != Asking::nothing && point.of != asking) return false;
  if (point.key == KeyIs::any) return true;
  return state.key >= 0 && held_by_another(page, state) == (point.key == KeyIs::held);
}

bool matches(const ControlPage& page, const ArmedPoint& point, std::uint32_t client, const ClientPosition& position) {
  if (point.client >= 0 && static_cast<std::uint32_t>(point.client) != client) return false;
  return is_there(point, position) && is_meant(page, point, position);
}

PointAction stop_here(ControlPage& page, ArmedPoint& point, std::uint32_t client, const std::function<void()>& show) {
  point.reached_by.store(client);
  point.reached_ns.store(monotonic_ns() - page.zero_ns);
  ArmedPointState armed = ArmedPointState::armed;
  if (!point.state.compare_exchange_strong(armed, ArmedPointState::reached)) return PointAction::go_on;
  futex_wake(word(point.state));
  while (point.state.load() == ArmedPointState::reached) {
    futex_wait(word(point.state), static_cast<std::uint32_t>(ArmedPointState::reached), kShow_ms);
    if (show) show();
  }
  return point.action.load();
}

// Returns the key of the client's open operation; -1: none is open.
std::int32_t key_of_operation(const ClientSlot& client) {
  const std::uint64_t operation = current_operation(client);
  if (!is_open(operation)) return -1;
  for (std::size_t thread = 0; thread < client.operations.size(); ++thread) {
    if (client.operations[thread].load() == operation) return client.operation_keys[thread].load();
  }
  return -1;  // it has just ended
}

constexpr int kLook_ms = 20;

}  // namespace

SharedPage SharedPage::create() {
  const int descriptor = ::memfd_create("holdfast-control", MFD_CLOEXEC);
  if (descriptor < 0) fail("memfd_create");
  if (::ftruncate(descriptor, sizeof(ControlPage)) != 0) fail("ftruncate");
  ControlPage* page = map(descriptor);
  new (page) ControlPage;
  return {descriptor, page};
}

SharedPage SharedPage::attach(int descriptor) {
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);  // programs started by a client must not write to the page
  return {descriptor, map(descriptor)};
}

SharedPage::SharedPage(SharedPage&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), page_(std::exchange(other.page_, nullptr)) {}

SharedPage::~SharedPage() {
  if (page_ != nullptr) ::munmap(page_, sizeof(ControlPage));
  if (descriptor_ >= 0) ::close(descriptor_);
}

PointAction arrive(ControlPage& page, std::uint32_t client, const ClientPosition& position,
                   const std::function<void()>& show) {
  const std::uint32_t used = page.armed_points_used.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < used; ++i) {
    ArmedPoint& point = page.armed_points[i];
    if (point.state.load(std::memory_order_acquire) != ArmedPointState::armed ||
        !matches(page, point, client, position))
      continue;
    if (point.passed.fetch_add(1) + 1 != point.nth) continue;
    const PointAction action = stop_here(page, point, client, show);
    if (action != PointAction::go_on) return action;
  }
  return PointAction::go_on;
}

std::int64_t waiting(const ClientSlot& client, std::int64_t now_ns, std::int64_t poll_ms) {
  std::int64_t out = client.waiting.load();
  for (const auto& since : client.asking_since_ns) {
    const std::int64_t since_ns = since.load();
    out += since_ns > 0 && now_ns - since_ns > poll_ms * 1'000'000 ? 1 : 0;
  }
  return out;
}

std::uint64_t current_operation(const ClientSlot& client) {
  std::uint64_t out = 0;
  for (const auto& one : client.operations) {
    const std::uint64_t operation = one.load();
    if (is_open(operation) == is_open(out) ? operation > out : is_open(operation)) out = operation;
  }
  return out;
}

KeyIs key_asked_for(const ControlPage& page, std::uint32_t client) {
  const ClientSlot& asks = page.clients.at(client);
  const std::int32_t key = key_of_operation(asks);
  if (key < 0) return KeyIs::any;
  const auto at = static_cast<std::size_t>(key);
  const bool held = std::any_of(page.clients.begin(), page.clients.end(), [&](const ClientSlot& other) {
    return &other != &asks && other.gone.load() == 0 && other.believes.at(at).load() > 0;
  });
  if (held) return KeyIs::held;
  return monotonic_ns() < page.keys.at(at).possible_grant_to_ns.load() ? KeyIs::any : KeyIs::free;
}

void note_possible_grant(ControlPage& page, std::uint32_t client, std::int64_t lease_ns) {
  const std::int32_t key = key_of_operation(page.clients.at(client));
  if (key < 0) return;
  page.keys.at(static_cast<std::size_t>(key)).possible_grant_to_ns.store(monotonic_ns() + lease_ns);
}

void arm(ControlPage& page, ArmedPoint& point) {
  point.passed.store(0);
  point.state.store(ArmedPointState::armed, std::memory_order_release);
  const auto used = static_cast<std::uint32_t>(&point - page.armed_points.data()) + 1;
  std::uint32_t before = page.armed_points_used.load();
  while (before < used && !page.armed_points_used.compare_exchange_weak(before, used)) {
  }
}

bool wait_reached(ArmedPoint& point, int timeout_ms) {
  if (point.state.load() == ArmedPointState::armed) {
    futex_wait(word(point.state), static_cast<std::uint32_t>(ArmedPointState::armed), timeout_ms);
  }
  return point.state.load() == ArmedPointState::reached;
}

void answer(ArmedPoint& point, PointAction action) {
  point.action.store(action);
  point.state.store(ArmedPointState::answered);
  futex_wake(word(point.state));
}

bool disarm(ArmedPoint& point) {
  ArmedPointState armed = ArmedPointState::armed;
  return point.state.compare_exchange_strong(armed, ArmedPointState::disarmed);
}

// Shared futex operations: std::atomic::wait works between threads of one process only.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, int timeout_ms) {
  const timespec limit{timeout_ms / 1000, (timeout_ms % 1000) * 1'000'000L};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &limit, nullptr, 0);
}

void futex_wake(const std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void await_turn(Gate& gated) {
  const std::uint32_t begun = gated.begun.load();
  gated.stands.store(1);
  while (gated.on.load() != 0) {
    const std::uint32_t turns = gated.turns.load();
    if (turns > begun) break;
    futex_wait(gated.turns, turns, kLook_ms);
  }
  gated.stands.store(0);
}

void begin_statement(Gate& gated) {
  await_turn(gated);
  gated.begun.fetch_add(1);
}

PointAction take_action(Gate& gated) {
  return gated.action.exchange(PointAction::go_on);
}

void end_statement(Gate& gated) {
  gated.action.store(PointAction::go_on);
  gated.answered.store(gated.begun.load());
}

void gate(Gate& gated, bool on) {
  gated.turns.store(gated.begun.load());
  gated.on.store(on ? 1 : 0);
  futex_wake(gated.turns);
}

void give_turn(Gate& gated, PointAction action) {
  gated.action.store(action);
  gated.turns.store(gated.begun.load() + 1);
  futex_wake(gated.turns);
}

}  // namespace holdfast
