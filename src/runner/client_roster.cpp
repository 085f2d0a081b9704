#include "runner/client_roster.hpp"

#include <algorithm>
#include <csignal>
#include <limits>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "lab/stopped_group.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kSignalled_ms = 5'000;  // limit for the kernel of another host to carry out a signal
constexpr std::int64_t kAskAgain_ms = 10;
constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::max();

}  // namespace

void PlannedStops::signalled(std::int64_t number, int signal, std::int64_t now_ns) {
  const std::lock_guard guard(mutex_);
  auto& stops = stops_[number];
  const bool open = !stops.empty() && stops.back().to_ns == kOpen;
  if (signal == SIGSTOP && !open) stops.push_back({now_ns, kOpen});
  if (signal == SIGCONT && open) stops.back().to_ns = now_ns;
}

std::vector<StoppedSpan> PlannedStops::others(std::int64_t number, StoppedSpan stretch, std::int64_t slack_ns) const {
  const std::lock_guard guard(mutex_);
  std::vector<StoppedSpan> out;
  const auto found = stops_.find(number);
  if (found != stops_.end()) {
    for (const StoppedSpan& stop : found->second) {
      const std::int64_t end_ns = stop.to_ns == kOpen ? kOpen : stop.to_ns + slack_ns;
      if (stop.from_ns >= stretch.to_ns || end_ns <= stretch.from_ns) continue;
      if (stop.from_ns > stretch.from_ns) out.push_back({stretch.from_ns, stop.from_ns});
      stretch.from_ns = std::min(end_ns, stretch.to_ns);
    }
  }
  if (stretch.from_ns < stretch.to_ns) out.push_back(stretch);
  return out;
}

ClientRoster::ClientRoster(SharedPage& page, TrialLab& lab, const Plan& plan, RequestRelay& requests)
    : page_(*page),
      page_descriptor_(page.descriptor()),
      lab_(lab),
      plan_(plan),
      requests_(requests),
      processes_(plan.clients.size()),
      nodes_(plan.clients.size()) {
  if (lab.on_hosts()) remote_.emplace(lab.folder());
}

void ClientRoster::start(const ClientPlan& client) {
  nodes_.at(client.client) = client.node;
  requests_.client_starts(client.client, client.node);
  processes_.at(client.client) = lab_.start_client(client, page_descriptor_);
  started_.store(std::max(started_.load(), client.client + 1));
}

std::vector<Event> ClientRoster::told() {
  const std::lock_guard guard(mutex_);
  return told_;
}

// Records a stop before it begins, so that it is not mistaken for one from outside.
bool ClientRoster::signal(std::uint32_t client, int number) {
  if (number == SIGSTOP) stops_.signalled(client, number, monotonic_ns());
  const bool goes_on = number == SIGCONT;  // the lock first, so that the client never finds it stopped
  if (goes_on) signal_lock(client, number);
  const bool sent = processes_.at(client)->signal(number);
  if (!goes_on) signal_lock(client, number);
  if (number == SIGCONT) stops_.signalled(client, number, monotonic_ns());
  return sent;
}

// The group's number is in the lab's namespace, where all processes belong to the trial.
void ClientRoster::signal_lock(std::uint32_t client, int number) {
  const pid_t group = page_.clients.at(client).lock_group.load();
  if (group <= 0) return;
  if (remote_ && number == SIGCONT) {
    remote_->signal(client, number);
    const auto goes_on = [&] { return !remote_->look(client).stopped; };
    if (!poll_until(goes_on, kAskAgain_ms, after_ms(kSignalled_ms))) {
      throw HarnessError("the program of client " + std::to_string(client) +
                         " is still stopped on its host after SIGCONT");
    }
  }
  ::kill(-group, number);
  if (!remote_ || number == SIGCONT) return;
  remote_->signal(client, number);
  const auto gone = [&] { return remote_->look(client).threads == 0; };
  if (number == SIGKILL && !poll_until(gone, kAskAgain_ms, after_ms(kSignalled_ms))) {
    throw HarnessError("the program of client " + std::to_string(client) +
                       " is still running on its host after SIGKILL");
  }
}

// Counts as stopped only if both the client and its remote program are.
char ClientRoster::state(std::uint32_t client) {
  const char here = processes_.at(client)->state();
  const bool asks = remote_ && here == 'T' && page_.clients.at(client).lock_group.load() > 0;
  return asks && !remote_->look(client).stopped ? 'S' : here;
}

std::optional<std::int64_t> ClientRoster::stopped_at_ns(std::uint32_t client) const {
  const auto ran_ns = processes_.at(client)->stopped_at_ns();
  const pid_t group = page_.clients.at(client).lock_group.load();
  if (!ran_ns || group == 0) return ran_ns;
  if (remote_) {
    const RemoteGroup there = remote_->look(client);
    return there.stopped ? std::optional(*ran_ns + there.ran_ns) : std::nullopt;
  }
  const auto of_lock_ns = group_stopped_at_ns(group);
  return of_lock_ns ? std::optional(*ran_ns + *of_lock_ns) : std::nullopt;
}

// The event's time is before the signal: everything the client did until then, it did as a living holder.
void ClientRoster::kill(std::uint32_t client, const std::string& why) {
  ended_.at(client).store(true);
  Event event;
  event.actor = Actor::nemesis;
  event.type = EventType::info;
  event.fault = "client killed";
  event.step = FaultStep::kill;
  event.clients = {client};
  event.detail = why;
  const std::lock_guard guard(mutex_);
  event.time_ns = monotonic_ns() - page_.zero_ns;
  signal(client, SIGKILL);
  page_.clients.at(client).gone.store(1);
  told_.push_back(event);
}

std::optional<std::uint32_t> ClientRoster::start_spare(std::uint32_t node, SpareStart how) {
  const std::lock_guard guard(mutex_);
  for (ClientPlan spare : plan_.clients) {
    if (!spare.spare || spare.client < started_.load()) continue;
    spare.node = node;
    if (how == SpareStart::waits) page_.clients.at(spare.client).held_back.store(1);
    start(spare);
    return spare.client;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> ClientRoster::where(const std::function<bool(const ClientSlot&)>& test) const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t c = 0; c < started(); ++c) {
    if (!ended_by_fault(c) && test(page_.clients[c])) out.push_back(c);
  }
  return out;
}

}  // namespace holdfast
