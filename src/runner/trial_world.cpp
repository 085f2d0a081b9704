#include "runner/trial_world.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kTriggerLook_ms = 20;
constexpr unsigned kServerBits = 56;

std::uint64_t number_of(std::uint64_t connection) {
  return connection & ((std::uint64_t{1} << kServerBits) - 1);
}

std::uint32_t server_of(std::uint64_t connection) {
  return static_cast<std::uint32_t>(connection >> kServerBits);
}

void describe(const Moment& at, const std::string& whom, Trigger& trigger) {
  trigger.of = asking_from_text(at.of);
  trigger.key = at.key == "free" ? KeyIs::free : at.key == "held" ? KeyIs::held : KeyIs::any;
  trigger.whom = whom == "holder" ? Whom::holder : whom == "waiter" ? Whom::waiter : Whom::anyone;
  trigger.on_statement = !at.statement.empty();
  trigger.after = at.after;
  trigger.nth = at.nth;
  trigger.client = at.client ? static_cast<std::int32_t>(*at.client) : -1;
  if (trigger.on_statement) {
    if (at.statement.size() >= trigger.statement.size()) throw BadInput("statement name too long: " + at.statement);
    std::memcpy(trigger.statement.data(), at.statement.c_str(), at.statement.size() + 1);
    return;
  }
  const auto phase = phase_from_text(at.phase);
  if (!phase) throw BadInput(unknown_word("phase", at.phase, phase_names()));
  trigger.phase = *phase;
}

Order order_of(Release how) {
  static constexpr Order kOrders[] = {Order::go_on, Order::lose_reply};
  return kOrders[static_cast<std::size_t>(how)];
}

}  // namespace

TrialWorld::TrialWorld(SharedPage& page, TrialLab& lab, const Plan& plan)
    : page_(*page),
      page_descriptor_(page.descriptor()),
      lab_(lab),
      plan_(plan),
      processes_(plan.clients.size()),
      nodes_(plan.clients.size()) {}

void TrialWorld::start_client(const ClientPlan& client) {
  nodes_.at(client.client) = client.node;
  processes_.at(client.client) = lab_.start_client(client, page_descriptor_);
  started_.store(std::max(started_.load(), client.client + 1));
}

// A stop is known before it begins, so that nobody takes it for one from outside.
bool TrialWorld::signal(std::uint32_t client, int number) {
  if (number == SIGSTOP) stops_.signalled(client, number, monotonic_ns());
  const bool sent = processes_.at(client)->signal(number);
  if (number == SIGCONT) stops_.signalled(client, number, monotonic_ns());
  return sent;
}

std::vector<Event> TrialWorld::told() {
  const std::lock_guard guard(mutex_);
  return told_;
}

bool TrialWorld::wait_ms(std::int64_t ms) {
  for (const std::int64_t until_ns = now_ns() + ms * 1'000'000; !closing();) {
    const std::int64_t left_ns = until_ns - now_ns();
    if (left_ns <= 0) return true;
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min<std::int64_t>(left_ns, kTriggerLook_ms * 1'000'000)));
  }
  return false;
}

void TrialWorld::set_clock_offset(std::uint32_t client, std::int64_t ns) {
  page_.clients.at(client).wall_offset_ns.store(ns);
}

std::int64_t TrialWorld::clock_offset_seen(std::uint32_t client) const {
  return page_.clients.at(client).wall_observed_ns.load();
}

void TrialWorld::set_clock_drift(std::uint32_t client, std::int64_t parts_per_million) {
  ClientSlot& slot = page_.clients.at(client);
  slot.drift_since_ns.store(monotonic_ns());
  slot.drift_ppm.store(parts_per_million);
}

std::int64_t TrialWorld::clock_drift_seen_ns(std::uint32_t client) const {
  return page_.clients.at(client).drift_observed_ns.load();
}

// The event is told with a time before the signal: what the client did until then, it did as a living holder.
void TrialWorld::kill(std::uint32_t client) {
  ended_.at(client).store(true);
  Event event;
  event.actor = Actor::nemesis;
  event.type = EventType::info;
  event.fault = "client killed";
  event.step = FaultStep::kill;
  event.clients = {client};
  event.detail = "SIGKILL";
  const std::lock_guard guard(mutex_);
  event.time_ns = now_ns();
  signal(client, SIGKILL);
  page_.clients.at(client).gone.store(1);
  told_.push_back(event);
}

std::optional<std::uint32_t> TrialWorld::replace(std::uint32_t client) {
  const std::lock_guard guard(mutex_);
  return start_spare(nodes_.at(client));
}

std::optional<std::uint32_t> TrialWorld::start_spare(std::uint32_t node) {
  for (ClientPlan spare : plan_.clients) {
    if (!spare.spare || spare.client < started_.load()) continue;
    spare.node = node;
    start_client(spare);
    return spare.client;
  }
  return std::nullopt;
}

// Several servers number their sessions alike: the server's own number goes with the session's.
std::vector<std::uint64_t> TrialWorld::connections(std::uint32_t client) const {
  const std::uint64_t server = server_of_client(lab_.servers(), plan_.load, client);
  std::vector<std::uint64_t> out;
  for (const auto& session : page_.clients.at(client).connections) {
    if (const std::uint64_t number = session.load(); number != 0) out.push_back(number | server << kServerBits);
  }
  return out;
}

void TrialWorld::end_connection(std::uint64_t connection) {
  const std::lock_guard guard(mutex_);
  lab_.lock_server().end_connection(number_of(connection), server_of(connection));
}

bool TrialWorld::connection_alive(std::uint64_t connection) {
  const std::lock_guard guard(mutex_);
  return lab_.lock_server().connection_alive(number_of(connection), server_of(connection));
}

Victims TrialWorld::where(const std::function<bool(const ClientSlot&)>& test) const {
  Victims out;
  for (std::uint32_t c = 0; c < clients(); ++c) {
    if (!ended_by_fault(c) && test(page_.clients[c])) out.push_back(c);
  }
  return out;
}

Victims TrialWorld::holders() const {
  return where([](const ClientSlot& slot) { return slot.holding.load() > 0; });
}

Victims TrialWorld::waiters() const {
  return where([&](const ClientSlot& slot) { return waiting(slot, monotonic_ns(), plan_.load.poll_ms) > 0; });
}

void TrialWorld::arm(const Moment& at, const std::string& whom, std::size_t trigger_number) {
  Trigger& trigger = page_.triggers.at(trigger_number);
  describe(at, whom, trigger);
  holdfast::arm(page_, trigger);
}

std::optional<std::uint32_t> TrialWorld::wait_arrival(std::size_t trigger_number) {
  Trigger& trigger = page_.triggers.at(trigger_number);
  while (!wait_reached(trigger, kTriggerLook_ms)) {
    if (closing() && disarm(trigger)) return std::nullopt;
  }
  return trigger.reached_by.load();
}

bool TrialWorld::arrived(std::size_t trigger_number, std::int64_t within_ms) {
  return wait_reached(page_.triggers.at(trigger_number), static_cast<int>(std::min(within_ms, kTriggerLook_ms)));
}

void TrialWorld::release(std::size_t trigger_number, Release how) {
  answer(page_.triggers.at(trigger_number), order_of(how));
}

void TrialWorld::conduct(std::uint32_t client, bool on) {
  holdfast::conduct(page_.clients.at(client).conducted, on);
}

void TrialWorld::give_turn(std::uint32_t client, Release how) {
  holdfast::give_turn(page_.clients.at(client).conducted, order_of(how));
}

ConductedClient TrialWorld::conducted(std::uint32_t client) const {
  const Conducted& seen = page_.clients.at(client).conducted;
  return {seen.on.load() != 0, seen.stands.load() != 0, seen.begun.load(), seen.answered.load()};
}

}  // namespace holdfast
