#include "client/client_session.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

namespace holdfast {
namespace {

// Scope of one statement of a client that may be gated.
class UnderWay {
 public:
  explicit UnderWay(Gate* gated) : gate_(gated) {
    if (gate_ != nullptr) begin_statement(*gate_);
  }
  ~UnderWay() {
    if (gate_ != nullptr) end_statement(*gate_);
  }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;

 private:
  Gate* gate_;
};

// Returns a value unique in the trial, so that each row of the log belongs to one write.
std::int64_t unique_value(const ResourceWrite& write) {
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(write.client) + 1) << 40U | write.number);
}

}  // namespace

ClientSession::ClientSession(ControlPage& page, std::uint32_t client, std::unique_ptr<StatementConnection> connection,
                             std::string own_address, JournalWriter& journal, bool main, std::uint32_t thread)
    : page_(page),
      client_(client),
      connection_(std::move(connection)),
      own_address_(std::move(own_address)),
      journal_(journal),
      main_(main),
      thread_(thread) {}

bool ClientSession::pass(const char* statement, bool after) {
  const std::int64_t number = names_key_ ? requests_ : 0;
  PointAction action = arrive(page_, client_, {{}, statement, after, state_, number}, [this] { now_ns(); });
  if (stands_) stands_();
  if (after && main_ && action == PointAction::go_on) action = take_action(page_.clients[client_].gated);
  if (action == PointAction::go_on) return false;
  connection_->close_for(statement);
  if (action != PointAction::lose_reply || !after) return false;  // before the statement there is no reply to lose
  page_.clients[client_].replies_lost.fetch_add(1);
  return true;
}

Reply ClientSession::attempt(std::string_view statement, Params params) {
  const std::string name(statement);
  transaction_.before(statement, connection_->id() != 0);  // a statement refused here is never sent
  names_key_ = std::any_of(params.begin(), params.end(), [](const Param& param) { return param.name == "key"; });
  if (names_key_) ++requests_;
  const UnderWay under_way(main_ ? &page_.clients[client_].gated : nullptr);
  pass(name.c_str(), false);
  transaction_.before(statement, connection_->id() != 0);  // checked again: a fault may just have closed the connection
  connection_->connect_for(statement);
  Statement done{name, monotonic_ns() - page_.zero_ns, 0, -1, 0, values_json(params)};
  const auto finish = [&] {
    done.return_ns = monotonic_ns() - page_.zero_ns;
    // Statements sent while the application starts belong to no operation and precede the trial's time 0.
    if (page_.go.load() != 0) journal_.statement(done);
  };
  try {
    if (main_) {
      page_.clients[client_].connections[thread_].store(connection_->id(), std::memory_order_relaxed);
    }
    Reply reply = connection_->run(statement, params);
    if (pass(name.c_str(), true)) throw StatementFailed(false, Reason::timeout, 0, name + ": the reply was lost");
    if (reply.ok()) transaction_.after(statement);
    note_change(statement, reply);
    done.rows = reply.evidence();
    done.error = reply.error;
    finish();
    return reply;
  } catch (const StatementFailed& failed) {
    done.error = failed.error;
    finish();
    throw;
  }
}

// Changes made in a transaction are undone if it is rolled back.
void ClientSession::note_change(std::string_view statement, const Reply& reply) {
  if (!reply.ok()) return;
  if (statement == "begin") changed_before_ = changed_;
  if (statement == "rollback") changed_ = changed_before_;
  changed_ = changed_ || reply.affected > 0;
}

std::int64_t ClientSession::now_ns() {
  timespec host{};
  ::clock_gettime(CLOCK_REALTIME, &host);
  ClientSlot& slot = page_.clients[client_];
  const std::int64_t offset_ns = slot.wall_offset_ns.load();
  slot.wall_observed_ns.store(offset_ns);
  return host.tv_sec * 1'000'000'000LL + host.tv_nsec + offset_ns + drift_ns();
}

std::int64_t ClientSession::steady_ns() {
  return monotonic_ns() + drift_ns();
}

std::int64_t ClientSession::drift_ns() {
  ClientSlot& slot = page_.clients[client_];
  const std::int64_t ppm = slot.drift_ppm.load();
  const std::int64_t drift = ppm == 0 ? 0 : (monotonic_ns() - slot.drift_since_ns.load()) / 1000 * ppm / 1000;
  slot.drift_observed_ns.store(drift);
  return drift;
}

void ClientSession::sleep_ms(std::int64_t ms) {
  const timespec wait{ms / 1000, (ms % 1000) * 1'000'000};
  ::nanosleep(&wait, nullptr);
}

bool ClientSession::take_changed() {
  return std::exchange(changed_, false);
}

ResourceClient::ResourceClient(std::unique_ptr<StatementConnection> connection, bool fenced)
    : connection_(std::move(connection)), fenced_(fenced) {}

std::optional<std::int64_t> ResourceClient::read(const std::string& key, std::uint64_t token) {
  try {
    const Reply reply = connection_->run(fenced_ ? "read_fenced" : "read", {{"key", key}, {"token", token}});
    if (!reply.ok()) connection_->close();  // ends the transaction left open by the error
    if (!reply.ok() || reply.rows.empty()) return std::nullopt;
    return reply.number(0, 0);
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

EventType ResourceClient::write(const ResourceWrite& write) {
  try {
    const Reply reply = connection_->run(fenced_ ? "write_fenced" : "write", {{"key", write.key},
                                                                              {"client", std::int64_t{write.client}},
                                                                              {"grant", write.grant},
                                                                              {"number", write.number},
                                                                              {"base", write.base},
                                                                              {"value", unique_value(write)},
                                                                              {"token", write.token}});
    if (reply.ok()) return reply.affected > 0 ? EventType::ok : EventType::fail;
    connection_->close();
    return EventType::fail;
  } catch (const StatementFailed& failed) {
    return failed.definite ? EventType::fail : EventType::info;
  }
}

}  // namespace holdfast
