#include "explore/memoized_client.hpp"

#include <algorithm>
#include <mutex>

#include "artifact/error.hpp"
#include "artifact/schedule_word.hpp"
#include "explore/fingerprint.hpp"
#include "explore/hidden_state.hpp"

namespace holdfast {
namespace {

std::string turn_text(const ClientTurn& turn) {
  if (turn.waits == Waits::statement) return "sends '" + turn.sent->text + "'";
  return turn.waits == Waits::look ? "looks at its clock" : "sends nothing";
}

std::string went_otherwise(std::uint8_t id, const ClientTurn& before, const ClientTurn& turn) {
  const std::string name = actor_name(id) + "'s lock ";
  if (turn_text(before) == turn_text(turn))
    return name + "did something else than before, although it got the same answers";
  return name + turn_text(turn) + ", but with the same answers it before " + turn_text(before);
}

}  // namespace

const ClientTurn* TurnMemory::find(std::uint64_t key) const {
  const std::shared_lock guard(mutex_);
  const auto found = turns_.find(key);
  return found == turns_.end() ? nullptr : &found->second;
}

const ClientTurn& TurnMemory::keep(std::uint64_t key, std::uint64_t from, const Told& told, ClientTurn turn) {
  const std::unique_lock guard(mutex_);
  ways_.emplace(turn.state, Way{from, told});
  return turns_.emplace(key, std::move(turn)).first->second;
}

std::vector<Told> TurnMemory::way_to(std::uint64_t state) const {
  const std::shared_lock guard(mutex_);
  std::vector<Told> out;
  while (state != kNotBegun) {
    const auto way = ways_.find(state);
    if (way == ways_.end()) throw HarnessError("a simulated client is sent to a state that it never reached");
    out.push_back(way->second.told);
    state = way->second.from;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

void MemoizedClient::direct(bool wanted) {
  direct_ = wanted;
  begun_ = false;
}

void MemoizedClient::begin() {
  simulated_->begin(program_);
  at_ = kNotBegun;
  begun_ = true;
}

const ClientTurn& MemoizedClient::take(std::uint64_t from, const Told& told) {
  if (direct_) {
    if (from == kNotBegun || !begun_) begin();
    last_ = simulated_->take(told);
    return last_;
  }
  const std::uint64_t key = Fingerprint(from).add(told.print()).value();
  if (const ClientTurn* known = memory_->find(key)) return *known;
  go_to(from);
  begun_ = false;  // if it throws
  ClientTurn turn = simulated_->take(told);
  begun_ = true;
  at_ = turn.state;
  return memory_->keep(key, from, told, std::move(turn));
}

void MemoizedClient::go_to(std::uint64_t state) {
  if (begun_ && at_ == state) return;
  begin();
  for (const Told& told : memory_->way_to(state)) {
    const ClientTurn* before = memory_->find(Fingerprint(at_).add(told.print()).value());
    const ClientTurn turn = simulated_->take(told);
    at_ = turn.state;
    if (before != nullptr && before->state != at_) throw hidden_in_lock(went_otherwise(simulated_->id, *before, turn));
  }
  if (at_ == state) return;
  throw hidden_in_lock(actor_name(simulated_->id) +
                       "'s lock did something else than before, although it got the same answers");
}

}  // namespace holdfast
