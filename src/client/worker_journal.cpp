// What a worker writes into its journal: every attempt with its invocation and its completion.
#include "artifact/units.hpp"
#include "client/worker.hpp"

namespace holdfast {
namespace {

Asking asking(Op op) {
  if (op == Op::acquire) return Asking::acquire;
  if (op == Op::renew) return Asking::renew;
  return op == Op::release ? Asking::release : Asking::nothing;
}

}  // namespace

void Worker::leave(const Grant& grant, Reason reason) {
  Event left = event(EventType::ok, Op::leave, grant, ++number_);
  left.reason = reason;
  journal_.event(left);
}

Answer Worker::operation(Op op, const Grant& grant, std::uint64_t number, const std::function<Answer()>& work) {
  journal_.event(event(EventType::invoke, op, grant, number));
  Answer answer;
  bool failed_statement = false;
  session_.take_changed();
  about(grant);
  session_.standing().asking = asking(op);
  try {
    answer = work();
  } catch (const StatementFailed& failed) {
    failed_statement = true;
    answer = {failed.definite ? EventType::fail : EventType::info, failed.reason, {}};
  }
  session_.standing().asking = Asking::nothing;
  Event done = event(answer.type, op, grant, number);
  done.reason = answer.reason;
  // A statement that failed for sure says nothing about those before it: if one of them changed a row, so may the
  // operation have. A conflict that the lock itself reports is definite.
  if (session_.take_changed() && failed_statement && answer.type == EventType::fail) {
    done.type = answer.type = EventType::info;
  }
  if (op == Op::acquire && answer.type == EventType::ok) {
    done.token = answer.token;
    if (type_.lease) done.lease_ns = lease_ms_ * kMillisecond_ns;
  }
  journal_.event(done);
  return answer;
}

Event Worker::event(EventType type, Op op, const Grant& grant, std::uint64_t number) const {
  Event out;
  out.time_ns = trial_ns();
  out.type = type;
  out.op = op;
  out.process = grant.process;
  out.key = grant.key;
  out.number = number;
  if (op == Op::write) {
    out.grant = grant.number;
    if (type_.fenced) out.token = grant.claim.token;
  }
  return out;
}

}  // namespace holdfast
