#include "servers/mysql/real_waits.hpp"

#include <chrono>
#include <utility>

#include "artifact/error.hpp"
#include "servers/mysql/mysql_errors.hpp"
#include "servers/mysql/sql_file.hpp"
#include "servers/mysql/sql_session.hpp"
#include "servers/mysql/sql_text.hpp"

namespace holdfast {
namespace {

constexpr std::chrono::milliseconds kSurelyWaits{30};      // an answer that comes takes well below one
constexpr std::chrono::milliseconds kSurelyAnswers{5000};  // of a busy machine
constexpr const char* kLongWait = "SET SESSION innodb_lock_wait_timeout = 60";
constexpr int kLongWait_s = 60;
constexpr const char* kOwnDatabase = "explore_real_waits";

void must_succeed(MySqlConnection& db, const std::string& sql) {
  const Reply reply = db.query(sql);
  if (!reply.ok()) throw HarnessError("the explorer's real waits: " + reply.message + " in: " + sql);
}

bool same(const Reply& one, const Reply& other) {
  return one.error == other.error && one.affected == other.affected && one.rows == other.rows;
}

std::string told(const Reply& reply) {
  Executed executed;
  executed.reply = reply;
  return answer_text(executed);
}

}  // namespace

RealWaits::RealWaits(const StoreSpec& spec, const std::string& host) : beside_(sql_address(spec, host, "", kLongWait)) {
  const std::string name = kOwnDatabase;
  must_succeed(beside_, "DROP DATABASE IF EXISTS " + name + "; CREATE DATABASE " + name + "; USE " + name);
  const SqlFile statements = SqlFile::parse(spec.file);
  if (statements.has("schema")) must_succeed(beside_, statements.bind("schema", {}, nullptr));
  must_succeed(beside_,
               "START TRANSACTION WITH CONSISTENT SNAPSHOT");  // as the stepped store does: what is deleted is kept
  for (std::size_t i = 0; i < spec.sessions; ++i) {
    sessions_.emplace_back(sql_address(spec, host, kOwnDatabase, first_of_client(spec, kLongWait)));
    sessions_.back().connection.connect();
  }
}

RealWaits::~RealWaits() {
  try {
    for (auto& session : sessions_) end(session);
    must_succeed(beside_, std::string("COMMIT; DROP DATABASE ") + kOwnDatabase);
  } catch (const std::exception&) {  // the server is about to end, and its data with it
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
  if (session.victim) return "the server chose another victim of the deadlock";
  if (session.waiting != call.command->text || session.waiting_at_us != call.now_us) {
    give_up(session);
    send(session, call);
  }
  return hear(session, call);
}

void RealWaits::send(Session& session, const StoreCall& call) {
  const std::string text = time_setting(call.now_us) + with_wait(call.command->text, kLongWait_s);
  session.waiting = call.command->text;
  session.waiting_at_us = call.now_us;
  session.answer = std::async(std::launch::async, [&session, text] { return session.connection.query(text); });
}

std::string RealWaits::hear(Session& session, const StoreCall& call) {
  const bool waits = call.executed->would_wait;
  const bool answered = session.answer.wait_for(waits ? kSurelyWaits : kSurelyAnswers) == std::future_status::ready;
  if (!answered) return waits ? "" : "'" + call.command->text + "' waits, though it should be answered";
  const Reply reply = session.answer.get();
  session.waiting.clear();
  if (waits && reply.error == kDeadlock) {
    session.victim = true;  // the schedule has yet to say so
    return "";
  }
  if (!waits && same(reply, call.executed->reply)) return "";
  return "'" + call.command->text + "' is answered '" + told(reply) + "', not '" + answer_text(*call.executed) + "'";
}

void RealWaits::give_up(Session& session) {
  if (session.waiting.empty()) return;
  must_succeed(beside_, "KILL QUERY " + std::to_string(session.connection.thread_id()));
  session.answer.get();
  session.waiting.clear();
}

void RealWaits::end(Session& session) {
  give_up(session);
  session.victim = false;
  must_succeed(session.connection, "ROLLBACK; DO RELEASE_ALL_LOCKS()");
}

}  // namespace holdfast
