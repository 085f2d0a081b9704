#include "request_explore/request_client.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

#include "driver/adapter_outcome.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kNotSent = -1;

MessageName message_of(Op op) {
  if (op == Op::renew) return MessageName::renew;
  return op == Op::release ? MessageName::release : MessageName::acquire;
}

}  // namespace

void RequestClient::begin_with(std::unique_ptr<AdapterProgram> program) {
  program_ = std::move(program);
  open_.reset();
  holds_ = false;
  death_.clear();
}

void RequestClient::begin_schedule(const std::string& name) {
  name_ = name;
  open_.reset();
  round_ = refusals_ = 0;
  holds_ = renewed_ = ended_ = false;
  for (auto& held : held_) held.clear();
  const std::lock_guard guard(mutex_);
  lost_.clear();
}

void RequestClient::hear(const AdapterSaid& said) {
  if (said.message.name != MessageName::lost || !said.message.lock) return;
  const std::lock_guard guard(mutex_);
  lost_.push_back(*said.message.lock);
}

bool RequestClient::take_lost() {
  const std::lock_guard guard(mutex_);
  return std::erase(lost_, name_) > 0;
}

Op RequestClient::next_op() const {
  if (!holds_) return Op::acquire;
  return type_.renews && !renewed_ ? Op::renew : Op::release;
}

void RequestClient::ask(Op op, bool waits) {
  AdapterMessage request{.name = message_of(op)};
  request.lock = name_;
  if (program_->can("threads")) request.thread = 0;
  if (op == Op::acquire) {
    request.wait_ms = waits && type_.waits ? type_.waits_ms : 0;
    request.lease_ms = settings_.lease_ms;
  }
  struck_ = false;
  open_ = Open{op, kNotSent};
  try {
    open_->n = program_->send(request);
  } catch (const AdapterError& error) {
    death_ = error.what();
  }
}

void RequestClient::look() {
  if (!program_ || !death_.empty()) return;
  if (const auto error = program_->error()) death_ = error->what();
}

std::optional<RequestClient::Heard> RequestClient::take_answer() {
  look();
  if (!open_ || !death_.empty()) return std::nullopt;
  const auto said = program_->take_answer(open_->n);
  if (!said) return std::nullopt;
  Heard out{open_->op, outcome_of_answer(said->message), said->message.why.value_or(""), said->message.lease_ms};
  open_.reset();
  note(out);
  return out;
}

// Advances the client's program after an answer. A call that may have taken effect ends the round, as a refusal does.
void RequestClient::note(const Heard& heard) {
  const bool ok = heard.answer.type == EventType::ok;
  if (heard.op == Op::renew) {
    renewed_ = true;
    if (!ok && heard.answer.reason == Reason::not_held) holds_ = false;
  } else if (heard.op == Op::release) {
    holds_ = false;
  } else if (ok) {
    holds_ = true;
    renewed_ = false;
  } else if (++refusals_ < settings_.attempts) {
    return;
  }
  if (holds_ && (type_.releases || (type_.renews && !renewed_))) return;
  refusals_ = 0;
  if (++round_ >= settings_.rounds || holds_) ended_ = true;
}

void RequestClient::kill() {
  if (program_) program_->signal(SIGKILL);
  program_.reset();
  open_.reset();
  holds_ = false;
}

}  // namespace holdfast
