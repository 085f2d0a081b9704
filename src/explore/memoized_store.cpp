#include "explore/memoized_store.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "explore/fingerprint.hpp"
#include "explore/hidden_state.hpp"
#include "explore/names.hpp"
#include "explore/story.hpp"

namespace holdfast {
namespace {

constexpr std::uint64_t kBeginningsPerProof = 16;

Fingerprint print_of_answer(const Executed& executed) {
  const Reply& reply = executed.reply;
  Fingerprint print;
  print.add(reply.error).add(reply.affected).add(executed.would_wait ? 1 : 0).add(executed.changed ? 1 : 0);
  print.add(reply.only_read ? 1 : 0).add(static_cast<int>(reply.form)).add(reply.rows.size());
  for (const auto& row : reply.rows) {
    for (const auto& field : row) print.add(field ? *field : "").add(field ? 1 : 0);
    print.add("end");
  }
  return print;
}

HiddenInStore differs(const Executed& answer, const StoreCall& call, const Executed& before) {
  return hidden_in_store("the store answered '" + answer_text(answer) + "' to '" +
                         (call.command ? call.command->text : "the end of a session") +
                         "', but in a state that looked the same it answered '" + answer_text(before) + "'");
}

}  // namespace

StoreContent::StoreContent(std::vector<StoredRow> rows)
    : rows_(std::move(rows)), first_end_us_(StoredRow{}.gone_after_us), print_(print_of(0)) {
  for (const auto& row : rows_) first_end_us_ = std::min(first_end_us_, row.gone_after_us);
}

std::uint64_t StoreContent::print_of(std::int64_t now_us) const {
  Fingerprint print;
  for (const auto& row : rows_) {
    if (row.gone_after_us < now_us) continue;
    print.add(row.gone_after_us);
    for (const auto& field : row.fields) print.add(field);
  }
  return print.value();
}

const StoreMemory::Entry* StoreMemory::find(std::uint64_t key) const {
  const std::shared_lock guard(mutex_);
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

const StoreMemory::Entry& StoreMemory::keep(std::uint64_t key, Entry entry) {
  const std::unique_lock guard(mutex_);
  return entries_.emplace(key, std::move(entry)).first->second;
}

void StoreMemory::clear() {
  const std::unique_lock guard(mutex_);
  entries_.clear();
}

MemoizedStore::MemoizedStore(std::unique_ptr<SteppedStore> real, std::shared_ptr<StoreMemory> memory, int number)
    : real_(std::move(real)), memory_(std::move(memory)), names_(number) {
  if (real_->empties()) names_.keep(true);
}

void MemoizedStore::renew_tables(bool wanted) {
  renew_tables_ = wanted;
  names_.keep(wanted || real_->empties());
}

void MemoizedStore::start_afresh(bool wanted) {
  afresh_ = wanted;
  names_.keep(wanted || renew_tables_ || real_->empties());
}

void MemoizedStore::begin(std::int64_t now_us, Beginning beginning) {
  direct_ = beginning == Beginning::new_tables;
  begin_us_ = now_us;
  point_ = StorePoint{};
  if (content_tells_) point_.state.content = std::make_shared<const StoreContent>(std::vector<StoredRow>{});
  if (!direct_) return;
  begun_ = false;
  real_->begin(now_us, Beginning::new_tables);
}

Command MemoizedStore::bind(std::size_t session, std::string_view statement, Params params) {
  Command out = real_->bind(session, statement, params);
  out.print = Fingerprint().add(out.text).value();
  out.number = number_of_statement(statement);
  return out;
}

Executed MemoizedStore::run(std::size_t session, const Command& command, std::int64_t now_us) {
  return *ask(session, std::make_shared<const Command>(command), now_us);
}

std::shared_ptr<const Executed> MemoizedStore::ask(std::size_t session, const std::shared_ptr<const Command>& command,
                                                   std::int64_t now_us) {
  if (direct_) {
    auto executed = std::make_shared<const Executed>(real_->run(session, *command, now_us));
    return note({session, command, now_us, executed});
  }
  return remember({session, command, now_us, {}}).executed;
}

void MemoizedStore::end_session(std::size_t session) {
  if (!direct_) {
    if (holds_session(session)) remember({session, nullptr, 0, {}});
    return;
  }
  if (holds_session(session)) real_->end_session(session);
  note({session, nullptr, 0, {}});  // one of its statements may wait
}

std::shared_ptr<const Executed> MemoizedStore::note(StoreCall call) {
  point_.past = std::make_shared<const StorePast>(StorePast{std::move(point_.past), std::move(call)});
  return point_.past->call.executed;
}

std::vector<StoreCall> MemoizedStore::calls() const {
  std::vector<StoreCall> out;
  for (const StorePast* past = point_.past.get(); past != nullptr; past = past->before.get()) out.push_back(past->call);
  std::reverse(out.begin(), out.end());
  return out;
}

bool MemoizedStore::holds_session(std::size_t session) const {
  if (direct_) return real_->holds_session(session);
  return (point_.state.holds >> session & 1U) != 0;
}

std::uint64_t MemoizedStore::state(std::int64_t now_us) const {
  const auto& content = point_.state.content;
  return Fingerprint(content ? 1 : 0).add(content ? content->print(now_us) : point_.state.done).value();
}

const StoreMemory::Entry& MemoizedStore::remember(StoreCall call) {
  Fingerprint print(state(call.now_us));
  print.add(call.session).add(call.command ? call.command->print : 0);
  print.add(call.command && call.command->at_any_time ? 0 : call.now_us);
  const std::uint64_t key = print.value();
  const StoreMemory::Entry* found = memory_->find(key);
  const bool known = found != nullptr;
  if (known) {
    ++counts_.memoized;
  } else {
    catch_up();
    Executed executed = really(call);
    executed.print = print_of_answer(executed).value();
    call.executed = std::make_shared<const Executed>(std::move(executed));
    found = &memory_->keep(key, {call.executed, look(point_.state, call, key)});
    if (call.executed->print != found->executed->print)
      throw differs(*call.executed, call, *found->executed);  // another worker was first
  }
  call.executed = found->executed;
  point_.state = found->after;
  note(std::move(call));
  if (!known) done_ = point_.past;
  return *found;
}

// Brings the real store to the schedule's position; it must answer as before.
void MemoizedStore::catch_up() {
  std::vector<const StorePast*> missing;
  const StorePast* past = point_.past.get();
  for (; past != nullptr && !(begun_ && past == done_.get()); past = past->before.get()) missing.push_back(past);
  const bool on_its_way = begun_ && past == done_.get();
  begun_ = false;  // if it throws
  if (!on_its_way) {
    names_.next();
    const Beginning fast = renew_tables_ ? Beginning::emptied : Beginning::new_names;
    real_->begin(begin_us_, afresh_ ? Beginning::new_tables : fast);
    if (missing.size() > 1 && put_content()) missing.clear();
  }
  for (auto one = missing.rbegin(); one != missing.rend(); ++one) {
    const StoreCall& call = (*one)->call;
    const Executed again = really(call);
    if (print_of_answer(again).value() != call.executed->print) throw differs(again, call, *call.executed);
  }
  done_ = point_.past;
  begun_ = true;
}

// If the content is the complete state, it can be written as it was read. A share of cases is executed fully anyway.
bool MemoizedStore::put_content() {
  if (!point_.state.content || point_.state.holds != 0 || ++beginnings_ % kBeginningsPerProof == 0) return false;
  std::vector<StoredRow> rows = point_.state.content->rows();
  for (auto& row : rows) {
    for (auto& field : row.fields) field = names_.real(field);
  }
  return real_->put(rows);
}

Executed MemoizedStore::really(const StoreCall& call) {
  if (!call.command) {
    real_->end_session(call.session);
    return {};
  }
  ++counts_.asked;
  Command command = *call.command;
  command.text = names_.real(command.text);
  for (auto& argument : command.arguments) argument = names_.real(argument);
  Executed out = real_->run(call.session, command, call.now_us);
  out.reply.message = names_.known(out.reply.message);
  for (auto& row : out.reply.rows) {
    for (auto& field : row) {
      if (field) field = names_.known(*field);
    }
  }
  return out;
}

StoreState MemoizedStore::look(const StoreState& before, const StoreCall& call, std::uint64_t key) {
  StoreState after;
  const std::uint64_t bit = std::uint64_t{1} << call.session;
  after.holds = (before.holds & ~bit) | (real_->holds_session(call.session) ? bit : 0);
  const bool held = before.holds != 0 || after.holds != 0;
  if (!held && !call.executed->changed) return before;  // a statement that only read
  if (content_tells_) {
    if (auto rows = real_->content(own_prefix("orders" + kNumberOfNames))) {
      for (auto& row : *rows) {
        for (auto& field : row.fields) field = names_.known(field);
      }
      after.content = std::make_shared<const StoreContent>(std::move(*rows));
    }
  }
  if (!after.content) after.done = Fingerprint(key).add(call.executed->print).value();
  return after;
}

std::optional<std::vector<StoredRow>> MemoizedStore::content(const std::string& prefix) {
  if (!direct_) catch_up();
  return real_->content(direct_ ? prefix : own_prefix(prefix));
}

}  // namespace holdfast
