#include "explore/remembered_store.hpp"

#include <algorithm>
#include <utility>

#include "artifact/error.hpp"
#include "explore/names.hpp"

namespace holdfast {
namespace {

constexpr std::uint64_t kNamesOfAWorld = 1'000'000'000;

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) {
    text.replace(at, old.size(), by);
  }
  return text;
}

Fingerprint print_of(const Executed& executed) {
  const Reply& reply = executed.reply;
  Fingerprint print;
  print.add(reply.error).add(reply.affected).add(executed.would_wait ? 1 : 0).add(executed.changed ? 1 : 0);
  for (const auto& row : reply.rows) {
    for (const auto& field : row) print.add(field ? *field : "").add(field ? 1 : 0);
    print.add("end");
  }
  return print;
}

}  // namespace

RememberedStore::RememberedStore(std::unique_ptr<SteppedStore> real, int number)
    : real_(std::move(real)), fresh_(kNamesOfAWorld * static_cast<std::uint64_t>(number + 1)) {}

bool RememberedStore::State::anyone_holds() const {
  return std::any_of(holds.begin(), holds.end(), [](bool one) { return one; });
}

void RememberedStore::begin(std::int64_t now_us, bool afresh) {
  log_.clear();
  done_ = 0;
  begun_ = false;
  direct_ = afresh;
  begin_us_ = now_us;
  state_ = State{};
  if (content_tells_) state_.content = std::make_shared<const std::vector<StoredRow>>();
  if (direct_) real_->begin(now_us, true);
}

Command RememberedStore::bind(std::size_t session, std::string_view statement, Params params) {
  return real_->bind(session, statement, params);
}

Executed RememberedStore::run(std::size_t session, const Command& command, std::int64_t now_us) {
  if (direct_) return real_->run(session, command, now_us);
  return remember({session, command, now_us, {}}).executed;
}

void RememberedStore::end_session(std::size_t session) {
  if (direct_) return real_->end_session(session);
  if (holds_session(session)) remember({session, {}, 0, {}});
}

bool RememberedStore::holds_session(std::size_t session) const {
  if (direct_) return real_->holds_session(session);
  return session < state_.holds.size() && state_.holds[session];
}

// Rows that are over by now are as good as gone.
std::optional<std::uint64_t> RememberedStore::content_state(std::int64_t now_us) const {
  if (!state_.content) return std::nullopt;
  Fingerprint print;
  for (const auto& row : *state_.content) {
    if (row.gone_after_us < now_us) continue;
    print.add(row.gone_after_us);
    for (const auto& field : row.fields) print.add(field);
  }
  return print.value();
}

const RememberedStore::Entry& RememberedStore::remember(Call call) {
  const auto content = content_state(call.now_us);
  Fingerprint print(content.value_or(state_.done));
  print.add(content ? 1 : 0).add(call.session).add(call.command.text).add(call.now_us);
  const std::uint64_t key = print.value();
  auto found = memory_.find(key);
  if (found != memory_.end()) {
    ++counts_.remembered;
  } else {
    catch_up();
    call.executed = really(call);
    const State after = look(state_, call, key);
    found = memory_.emplace(key, Entry{call.executed, after}).first;
    ++done_;
  }
  call.executed = found->second.executed;
  log_.push_back(std::move(call));
  state_ = found->second.after;
  return found->second;
}

// The real store is brought to where the schedule is, and must answer as it did.
void RememberedStore::catch_up() {
  if (!begun_) {
    real_->begin(begin_us_, false);
    ++fresh_;
    begun_ = true;
  }
  for (; done_ < log_.size(); ++done_) {
    const Call& call = log_[done_];
    const Executed again = really(call);
    if (print_of(again).value() == print_of(call.executed).value()) continue;
    throw HarnessError("the store answered '" + answer_text(again) + "' to '" + call.command.text +
                       "', and in a state that looked the same '" + answer_text(call.executed) + "'");
  }
}

Executed RememberedStore::really(const Call& call) {
  if (call.command.text.empty()) {
    real_->end_session(call.session);
    return {};
  }
  ++counts_.asked;
  Command command = call.command;
  command.text = real_name(command.text);
  for (auto& argument : command.arguments) argument = real_name(argument);
  Executed out = real_->run(call.session, command, call.now_us);
  out.reply.message = known_name(out.reply.message);
  for (auto& row : out.reply.rows) {
    for (auto& field : row) {
      if (field) field = known_name(*field);
    }
  }
  return out;
}

RememberedStore::State RememberedStore::look(const State& before, const Call& call, std::uint64_t key) {
  State after;
  after.holds.resize(std::max(before.holds.size(), call.session + 1));
  for (std::size_t i = 0; i < after.holds.size(); ++i) after.holds[i] = real_->holds_session(i);
  const bool held = before.anyone_holds() || after.anyone_holds();
  if (!held && !call.executed.changed) return before;  // a statement that only asked
  if (content_tells_) {
    if (auto rows = real_->content(real_name("orders" + kNumberOfNames))) {
      for (auto& row : *rows) {
        for (auto& field : row.fields) field = known_name(field);
      }
      after.content = std::make_shared<const std::vector<StoredRow>>(std::move(*rows));
    }
  }
  if (!after.content) after.done = Fingerprint(key).add(print_of(call.executed).value()).value();
  return after;
}

std::optional<std::vector<StoredRow>> RememberedStore::content(const std::string& prefix) {
  if (!direct_) catch_up();
  return real_->content(direct_ ? prefix : real_name(prefix));
}

std::string RememberedStore::real_name(std::string text) const {
  if (real_->empties()) return text;
  return replaced(std::move(text), kNumberOfNames, "-" + std::to_string(fresh_));
}

std::string RememberedStore::known_name(std::string text) const {
  if (real_->empties()) return text;
  return replaced(std::move(text), "-" + std::to_string(fresh_), kNumberOfNames);
}

}  // namespace holdfast
