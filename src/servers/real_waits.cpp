#include "servers/real_waits.hpp"

#include <chrono>
#include <exception>
#include <utility>

namespace holdfast {
namespace {

constexpr const char* kOtherVictim = "the server chose another victim of the deadlock";
constexpr std::chrono::milliseconds kLooksEvery{110};      // InnoDB refreshes its list if it was not read for 100 ms
constexpr std::chrono::milliseconds kSurelyAnswers{5000};  // limit on a busy machine

bool same(const Reply& one, const Reply& other) {
  return one.error == other.error && one.affected == other.affected && one.form == other.form && one.rows == other.rows;
}

std::string told(const Reply& reply) {
  Executed executed;
  executed.reply = reply;
  return answer_text(executed);
}

}  // namespace

RealWaits::RealWaits(std::unique_ptr<WaitingServer> server, std::size_t sessions) : server_(std::move(server)) {
  for (std::size_t i = 0; i < sessions; ++i) sessions_.emplace_back().real = server_->open();
}

RealWaits::~RealWaits() {
  try {
    for (auto& session : sessions_) end(session);
  } catch (const std::exception&) {  // the server and its data are about to be removed
  }
}

std::string RealWaits::differs(const std::vector<StoreCall>& calls) {
  for (const auto& call : calls) {
    std::string difference = step(call);
    if (!difference.empty()) return difference;
  }
  return "";
}

std::string RealWaits::step(const StoreCall& call) {
  Session& session = sessions_.at(call.session);
  if (!call.command) {
    end(session);
    return "";
  }
  if (session.victim) return kOtherVictim;
  if (session.waiting != call.command->text || session.waiting_at_us != call.now_us) {
    give_up(session);
    send(session, call);
  }
  return hear(session, call);
}

void RealWaits::send(Session& session, const StoreCall& call) {
  session.waiting = call.command->text;
  session.waiting_at_us = call.now_us;
  const std::string text = call.command->text;
  session.answer = std::async(
      std::launch::async, [real = session.real.get(), text, now_us = call.now_us] { return real->run(text, now_us); });
}

// Polls while a wait is expected: the statement may still be in flight. A server that neither answers nor shows a wait
// (SLEEP) counts as waiting, too.
bool RealWaits::is_answered(Session& session, bool should_wait) {
  const auto until = std::chrono::steady_clock::now() + kSurelyAnswers;
  while (should_wait && std::chrono::steady_clock::now() < until) {
    if (session.answer.wait_for(kLooksEvery) == std::future_status::ready) return true;
    if (session.real->waits()) return false;
  }
  return session.answer.wait_until(until) == std::future_status::ready;
}

std::string RealWaits::hear(Session& session, const StoreCall& call) {
  const bool waits = call.executed->would_wait;
  if (!is_answered(session, waits)) return waits ? "" : "'" + call.command->text + "' waits instead of being answered";
  const Reply reply = session.answer.get();
  session.waiting.clear();
  if (waits && server_->is_deadlock(reply)) {
    session.victim = true;  // the schedule has not said so yet
    return "";
  }
  if (!waits && same(reply, call.executed->reply)) return "";
  if (server_->is_deadlock(reply)) return kOtherVictim;  // on a busy machine: the wait had seemed to continue
  return "'" + call.command->text + "' is answered '" + told(reply) + "', not '" + answer_text(*call.executed) + "'";
}

void RealWaits::give_up(Session& session) {
  if (session.waiting.empty()) return;
  session.real->interrupt();
  session.answer.get();
  session.waiting.clear();
}

void RealWaits::end(Session& session) {
  give_up(session);
  session.victim = false;
  session.real->end();
}

}  // namespace holdfast
