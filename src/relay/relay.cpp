#include "relay/relay.hpp"

#include "artifact/error.hpp"
#include "relay/relay_loop.hpp"
#include "relay/wire.hpp"

namespace holdfast {

class Relay::Loop : public RelayLoop {
 public:
  using RelayLoop::RelayLoop;
};

Relay::Relay(const RelaySettings& settings) : loop_(std::make_unique<Loop>(settings.locks, settings.most_records)) {}
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

}  // namespace holdfast
