#include "explore/beliefs.hpp"

#include <algorithm>
#include <utility>

#include "artifact/schedule_word.hpp"
#include "explore/explore_settings.hpp"
#include "explore/fingerprint.hpp"

namespace holdfast {
std::string client_name(std::uint32_t client) {
  return actor_name(static_cast<std::uint8_t>(2 * client));
}

std::string clock_text(std::int64_t time_us) {
  const std::int64_t day_s = time_us / kSecond_us % 86'400;
  const auto two = [](std::int64_t n) { return std::to_string(100 + n).substr(1); };
  std::string fraction = seconds_text(time_us % kSecond_us);  // "0.4s"
  return two(day_s / 3600) + ":" + two(day_s / 60 % 60) + ":" + two(day_s % 60) +
         fraction.substr(1, fraction.size() - 2);
}

void Beliefs::reset() {
  std::fill(clients_.begin(), clients_.end(), Client{});
  highest_token_.reset();
  violations_.clear();
}

void Beliefs::add(Violation violation) {
  const auto same = [&](const Violation& other) { return other.invariant == violation.invariant; };
  if (std::none_of(violations_.begin(), violations_.end(), same)) violations_.push_back(std::move(violation));
}

void Beliefs::asked(std::uint32_t number, Op op, std::int64_t now_us) {
  Client& client = clients_[number];
  client.asked_us = now_us;
  client.careful_when_asked = careful(number, now_us);
  if (op == Op::acquire) client.highest_when_asked = highest_token_;
  if (op == Op::acquire && !client.believes) ++client.grant;
  if (op == Op::release) client.believes = false;
  // An inner release (Op::write): for the store it may be that of the only hold.
  if (op == Op::write && client.restarted) client.until_us = std::min(client.until_us, now_us);
}

void Beliefs::answered(std::uint32_t number, Op op, const Answer& answer, std::int64_t lease_us, std::int64_t now_us) {
  judge(number, op, answer, lease_us, now_us);
  clients_[number].highest_when_asked.reset();
}

void Beliefs::judge(std::uint32_t number, Op op, const Answer& answer, std::int64_t lease_us, std::int64_t now_us) {
  Client& client = clients_[number];
  const bool ok = answer.type == EventType::ok;
  look_at_loss(number, op, answer, now_us);
  client.careful_when_asked = false;
  if (op == Op::renew && !ok && answer.reason == Reason::not_held) client.believes = false;
  if (!ok || (op != Op::acquire && op != Op::renew) || (op == Op::renew && !client.believes)) return;
  const bool lapsed = !careful(number, now_us);
  if (op == Op::acquire) client.restarted = lapsed && client.believes;
  client.until_us = client.asked_us + lease_us;
  client.believes = true;
  if (op == Op::acquire) look_at_token(number, answer, now_us);
  if (op == Op::acquire || lapsed) look(number, now_us);
}

bool Beliefs::replaced(std::uint32_t number, std::int64_t now_us) const {
  if (!naive(number) || careful(number, now_us)) return false;
  for (std::uint32_t other = 0; other < clients_.size(); ++other) {
    if (other != number && careful(other, now_us)) return true;
  }
  return false;
}

void Beliefs::looks(std::uint32_t client, std::int64_t now_us) {
  clients_[client].replaced_when_looking = replaced(client, now_us);
}

void Beliefs::looked(std::uint32_t number, bool held, std::int64_t now_us) {
  Client& client = clients_[number];
  const bool was_replaced = std::exchange(client.replaced_when_looking, false);
  if (!held) {
    client.believes = false;
  } else if (was_replaced && replaced(number, now_us)) {
    add({"false_look",
         client_name(number) + " checks and still finds that it holds the lock, although its lease has expired and "
                               "another client holds it",
         true});
  }
}

void Beliefs::ended(std::uint32_t client) {
  clients_[client].believes = false;
}

bool Beliefs::careful(std::uint32_t number, std::int64_t now_us) const {
  const Client& client = clients_[number];
  return client.believes && (!type_->lease || now_us < client.until_us);
}

std::optional<std::int64_t> Beliefs::until_us(std::uint32_t client) const {
  if (!type_->lease) return std::nullopt;
  return clients_[client].until_us;
}

std::string Beliefs::text(std::uint32_t client, std::int64_t now_us) const {
  std::string name = client_name(client);
  if (!type_->lease) return name;
  const std::string end = clock_text(clients_[client].until_us);
  return careful(client, now_us) ? name + " until " + end : name + " (expired at " + end + ")";
}

// Checks a belief that begins, or that a renewal restores after its lease was over: only then can two begin to overlap.
void Beliefs::look(std::uint32_t newcomer, std::int64_t now_us) {
  for (std::uint32_t other = 0; other < clients_.size(); ++other) {
    if (other == newcomer || !naive(other)) continue;
    const std::string both = client_name(other) + " and " + client_name(newcomer);
    if (careful(other, now_us) && careful(newcomer, now_us)) {
      add({"two_holders", both + " both hold the lock within their leases", true});
    } else if (!type_->fenced) {
      add({"two_naive_holders",
           both + " both act as holder if they do not check their clocks; no fencing token protects the data", false});
    }
  }
}

// Checks a "not yours" answer for a grant whose lease still lasts: the lock was lost, or is denied to its holder.
void Beliefs::look_at_loss(std::uint32_t number, Op op, const Answer& answer, std::int64_t now_us) {
  const bool denied = answer.type == EventType::fail && answer.reason == Reason::not_held;
  const Client& client = clients_[number];
  const bool covered = client.careful_when_asked && (!type_->lease || now_us < client.until_us);
  if (!denied || !covered || (op != Op::renew && op != Op::release)) return;
  add({"lost_inside_lease",
       client_name(number) + " is answered, at its " + to_text(op) +
           ", that it does not hold the lock, although its lease has not expired",
       true});
}

void Beliefs::look_at_token(std::uint32_t number, const Answer& answer, std::int64_t now_us) {
  if (!type_->fenced) return;
  Client& client = clients_[number];
  client.token = answer.token;
  const auto below = careful(number, now_us) ? highest_token_ : client.highest_when_asked;
  const std::string name = client_name(number);
  const std::string token = name + "'s token " + (answer.token ? std::to_string(*answer.token) : "none");
  if (!answer.token || (below && *answer.token <= *below)) {
    add({"token_order", token + " is not larger than " + (below ? std::to_string(*below) : "0"), true});
  } else if (const auto holder = overtaken(number, now_us)) {
    add({"token_order",
         token + " is not smaller than " + std::to_string(clients_[*holder].token.value_or(0)) + " of " +
             client_name(*holder) + ", which holds the lock within its lease, although the lease of " + name +
             " has expired",
         true});
  }
  highest_token_ = std::max(highest_token_, answer.token);
}

// Finds a holder inside its lease whose token is not larger than the client's, although the client's lease is over.
std::optional<std::uint32_t> Beliefs::overtaken(std::uint32_t number, std::int64_t now_us) const {
  if (careful(number, now_us)) return std::nullopt;
  for (std::uint32_t other = 0; other < clients_.size(); ++other) {
    if (other != number && careful(other, now_us) && clients_[other].token <= clients_[number].token) return other;
  }
  return std::nullopt;
}

// A client inside its own lease may change its own entry. A client outside its lease that changes something while
// another is inside has changed the other's entry.
void Beliefs::changed(const Issuer& issuer, std::int64_t now_us) {
  if (issuer.op != Op::release && issuer.op != Op::renew) return;
  const bool renews = issuer.op == Op::renew;
  if (renews && clients_[issuer.client].grant == issuer.grant && careful(issuer.client, now_us)) return;
  for (std::uint32_t other = 0; other < clients_.size(); ++other) {
    if (!careful(other, now_us)) continue;
    if (other == issuer.client && clients_[other].grant == issuer.grant) continue;
    const std::string did = client_name(issuer.client) + (renews ? " renewed " : " released ");
    const std::string later = other == issuer.client ? ", held by a later grant" : "";
    add({renews ? "foreign_renew" : "foreign_release", did + client_name(other) + "'s lock" + later, true});
  }
}

std::uint64_t Beliefs::state() const {
  Fingerprint print;
  for (const auto& client : clients_) {  // earlier requests of a client without a belief do not matter
    print.add(client.believes ? 1 : 0).add(client.believes ? client.until_us : 0);
    print.add(client.replaced_when_looking ? 1 : 0);
    print.add(client.careful_when_asked ? 1 : 0).add(client.careful_when_asked ? client.asked_us : 0);
    print.add(client.believes ? client.token.value_or(0) : 0).add(client.believes && client.restarted ? 1 : 0);
    print.add(client.highest_when_asked.value_or(0));
  }
  print.add(highest_token_.value_or(0));
  for (const auto& violation : violations_) print.add(violation.invariant);
  return print.value();
}

}  // namespace holdfast
