#include "runner/request_relay.hpp"

#include <algorithm>
#include <utility>

#include "artifact/enumeration.hpp"
#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "artifact/units.hpp"
#include "lab/process.hpp"
#include "lock/lock.hpp"
#include "relay/redirect_rules.hpp"
#include "relay/relay_clock.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

// A library may keep any number of connections; beyond the machine's limit it waits for one.
constexpr std::size_t kMostConnections = 64;   // per client at a time
constexpr std::size_t kFilesOfConnection = 2;  // the client's, and the relay's own
constexpr std::size_t kFilesOfClient = 4;      // its network, its process, its listener
constexpr std::size_t kOwnFiles = 512;
constexpr std::size_t kMostSent = 5000;            // reported requests: enough to see how many an operation has
constexpr int kSettled_ms = 3000;                  // limit for the relay to carry out an action
constexpr std::int64_t kWaits_ns = 2'000'000'000;  // its answer is not waited for longer

RelayOperation operation_of_word(const std::string& word) {
  if (word == "acquire") return RelayOperation::acquire;
  if (word == "renew") return RelayOperation::renew;
  return word == "release" ? RelayOperation::release : RelayOperation::none;
}

const char* word_of(RelayOperation operation) {
  return EnumWords<RelayOperation>({"", "acquire", "renew", "release"})[operation];
}

RelaySettings settings_of(const Plan& plan) {
  RelaySettings out;
  for (std::int64_t key = 0; key < plan.load.keys; ++key) {
    if (const KeyText text = key_text(plan.load, key)) out.locks.push_back(*text);
  }
  return out;
}

// Returns true if a fault of the plan begins or ends at a request.
bool strikes_requests(const Plan& plan) {
  return std::any_of(plan.faults.begin(), plan.faults.end(), [](const FaultSpec& fault) {
    return fault.at.request > 0 || (fault.until && fault.until->request > 0);
  });
}

}  // namespace

RequestRelay::RequestRelay(ControlPage& page, TrialLab& lab, const Plan& plan) : page_(page), lab_(lab) {
  const bool needed = strikes_requests(plan) || plan.load.count_requests;
  if (!needed || lab.on_target()) return;  // on a user's server a request is a statement (control_page.hpp)
  const ServerType& type = server_type(type_of_ref(plan.lock).server);
  protocol_ = type.protocol;
  port_ = static_cast<std::uint16_t>(type.login.port);
  lease_ns_ = plan.load.lease_ms * kMillisecond_ns;
  RelaySettings settings = settings_of(plan);
  settings.shown = [this](RelayClient relayed) { return shown_by(relayed); };
  allow_more_open_files(kOwnFiles + plan.clients.size() * (kFilesOfClient + kMostConnections * kFilesOfConnection));
  relay_ = std::make_unique<Relay>(settings);
}

// Current operation of the client on that node. Called by the relay's thread.
std::uint64_t RequestRelay::shown_by(RelayClient relayed) const {
  const auto client = client_on(relayed);
  return client ? current_operation(page_.clients.at(*client)) : 0;
}

std::optional<std::uint32_t> RequestRelay::client_on(RelayClient relayed) const {
  const std::lock_guard guard(nodes_);
  const auto found = clients_.find(relayed);
  return found == clients_.end() ? std::nullopt : std::optional(found->second);
}

void RequestRelay::client_starts(std::uint32_t client, std::uint32_t node) {
  if (!there()) return;
  {
    const std::lock_guard guard(nodes_);
    if (const auto found = relayed_.find(node); found != relayed_.end()) {
      clients_[found->second] = client;
      return;
    }
  }
  const int network = lab_.client_node(node).descriptor;
  const RelayClient relayed = relay_->add_client(network);
  {
    const std::lock_guard guard(nodes_);
    relayed_[node] = relayed;
    clients_[relayed] = client;
  }
  const std::uint16_t to_port = relay_->listen(relayed, protocol_);
  const Redirect redirect{.ports = {port_}, .to_port = to_port, .spared = {kResourceAddress}};
  load_redirect(network, redirect_rules(redirect), lab_.log());
}

// The injection point's client is a number of the trial, and so the node's: no two clients share one
// (suite/check_names.cpp).
void RequestRelay::arm(const InjectionPoint& at, std::size_t point) {
  RequestPoint stop;
  if (at.client) {
    const std::lock_guard guard(nodes_);
    stop.client = relayed_.at(static_cast<std::uint32_t>(*at.client));
  }
  stop.of = operation_of_word(at.of);
  stop.background = at.of == "background";
  stop.request = static_cast<std::uint64_t>(at.request);
  stop.nth = static_cast<std::uint64_t>(at.nth);
  stop.when = at.after ? When::after : When::before;
  if (!at.key.empty()) {
    stop.only_if = [this, wanted = at.key == "held" ? KeyIs::held : KeyIs::free](RelayClient relayed) {
      const auto client = client_on(relayed);
      return client && key_asked_for(page_, *client) == wanted;
    };
  }
  const RequestPointId id = relay_->arm(stop);
  const std::lock_guard guard(mutex_);
  stops_[point] = {id, stop.client, std::nullopt, PointAction::go_on, false};
  stops_[point].executed = at.of == "acquire" && (at.after || at.request > 1);
}

bool RequestRelay::disarm(std::size_t point) {
  const std::lock_guard guard(mutex_);
  return relay_->disarm(stops_.at(point).id);
}

void RequestRelay::take_news(int timeout_ms) {
  const auto news = relay_->next_stop(timeout_ms);
  if (!news) return;
  const std::lock_guard guard(mutex_);
  for (auto& [point, stop] : stops_) {
    if (stop.id == news->stop) stop.client = client_on(news->request.client);
  }
}

std::optional<std::uint32_t> RequestRelay::reached(std::size_t point, int timeout_ms) {
  const auto known = [&] {
    const std::lock_guard guard(mutex_);
    return stops_.at(point).client;
  };
  if (const auto client = known()) return client;
  take_news(timeout_ms);
  return known();
}

bool RequestRelay::lost(std::size_t point) const {
  const std::lock_guard guard(mutex_);
  const RequestPointOutcome outcome = relay_->outcome(stops_.at(point).id);
  return !outcome.reached && !outcome.impossible.empty();
}

// Reason why a connection of a client, or of any, could not be read; empty: all were.
std::string RequestRelay::why_unread(std::int64_t relayed) const {
  std::vector<RelayClient> of;
  {
    const std::lock_guard guard(nodes_);
    for (const auto& [node, client] : relayed_) {
      if (relayed == kAnyClient || relayed == static_cast<std::int64_t>(client)) of.push_back(client);
    }
  }
  for (const RelayClient client : of) {
    if (const RelayedClient seen = relay_->seen(client); seen.opaque > 0) return seen.why_opaque;
  }
  return "";
}

Absence RequestRelay::absence(std::size_t point) const {
  const std::lock_guard guard(mutex_);
  const PointState& stop = stops_.at(point);
  const RequestPointOutcome outcome = relay_->outcome(stop.id);
  if (!outcome.impossible.empty()) {
    return {"its request came, but " + outcome.impossible + "; remedy: choose another `at`", false};
  }
  const std::string unread = why_unread(stop.relayed);
  if (unread.empty()) return {};
  return {"requests cannot be read: " + unread +
              "; remedy: connect without it, or use a time or a phase as the injection point",
          true};
}

void RequestRelay::release(std::size_t point, PointAction how) {
  const std::lock_guard guard(mutex_);
  PointState& stop = stops_.at(point);
  stop.action = how;
  stop.released = true;
  if (stop.client && stop.executed) note_possible_grant(page_, *stop.client, lease_ns_);
  relay_->go_on(stop.id, {.kind = stop.action});
}

std::int64_t RequestRelay::count(std::uint32_t client, PointAction action) const {
  const std::lock_guard guard(mutex_);
  return std::count_if(stops_.begin(), stops_.end(), [&](const auto& one) {
    const PointState& stop = one.second;
    return stop.released && stop.client == client && stop.action == action && relay_->outcome(stop.id).done;
  });
}

std::string RequestRelay::evidence(std::uint32_t client, PointAction action) const {
  const std::lock_guard guard(mutex_);
  std::string out;
  for (const auto& [point, stop] : stops_) {
    if (!stop.released || stop.given_up || stop.client != client || stop.action != action) continue;
    const RequestPointOutcome outcome = relay_->outcome(stop.id);
    if (outcome.by_nature) throw Unavailable("at the relay: " + outcome.impossible);
    if (!outcome.impossible.empty()) throw HarnessError("at the relay: " + outcome.impossible);
    // A second request for a lock may wait, as the first may have.
    const bool waits =
        action == PointAction::duplicate && outcome.sent_ns != 0 && relay_now_ns() - outcome.sent_ns > kWaits_ns;
    if (outcome.done || waits) out = outcome.evidence();
  }
  return out;
}

std::vector<SentRequest> RequestRelay::sent() const {
  std::vector<SentRequest> out;
  if (!there()) return out;
  for (const RequestRecord& record : relay_->records()) {
    const auto client = client_on(record.client);
    if (!client || record.background() || out.size() == kMostSent) continue;
    out.push_back(
        {*client, word_of(record.of), static_cast<std::int64_t>(record.number), record.came_ns - page_.zero_ns});
  }
  return out;
}

bool RequestRelay::keeps(std::uint32_t client) const {
  const std::lock_guard guard(mutex_);
  return std::any_of(stops_.begin(), stops_.end(), [&](const auto& one) {
    const PointState& stop = one.second;
    if (!stop.released || stop.client != client || stop.action != PointAction::hold_request) return false;
    const RequestPointOutcome outcome = relay_->outcome(stop.id);
    return outcome.reached && !outcome.done && outcome.impossible.empty();
  });
}

void RequestRelay::send_kept(std::uint32_t client) {
  const std::lock_guard guard(mutex_);
  for (const auto& [point, stop] : stops_) {
    if (stop.released && stop.client == client && stop.action == PointAction::hold_request) relay_->release(stop.id);
  }
}

bool RequestRelay::gives_up(std::uint32_t client, PointAction action) {
  const std::lock_guard guard(mutex_);
  bool some = false;
  for (auto& [point, stop] : stops_) {
    if (!stop.released || stop.given_up || stop.client != client || stop.action != action) continue;
    const auto settled = [&, id = stop.id] {
      const RequestPointOutcome outcome = relay_->outcome(id);
      return outcome.done || !outcome.impossible.empty();
    };
    if (settled() || relay_->outcome(stop.id).sent_ns != 0) continue;
    relay_->release(stop.id);
    poll_until(settled, 1, after_ms(kSettled_ms));
    stop.given_up = !relay_->outcome(stop.id).done;
    some = some || stop.given_up;
  }
  return some;
}

}  // namespace holdfast
