#include "lock/statement_lock.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/units.hpp"
#include "lock/local_time.hpp"
#include "lock/transaction.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kSecond_ms = 1000;

// Values available in an operation: the claim's, and those read by its statements.
class OperationValues {
 public:
  OperationValues(Session& session, const Claim& claim) : session_(session), claim_(claim) {}

  // Reads clocks and addresses only for statements that use them, so that a search of schedules need not consider them
  // otherwise.
  Value of(const std::string& name) {
    for (const auto& [kept, value] : kept_) {
      if (kept == name) return value;
    }
    if (name == "key") return claim_.key.is_null() ? Value(nullptr) : Value(std::string(claim_.key));
    if (name == "owner") return claim_.owner;
    if (name == "token") return claim_.token;
    if (name == "address") return session_.address();
    if (name == "ttl_s") return (claim_.lease_ms + kSecond_ms - 1) / kSecond_ms;
    if (name == "ttl_ms") return claim_.lease_ms;
    if (name == "ttl_us") return claim_.lease_ms * kMillisecond_us;
    return of_clock(name);
  }

  void keep(const std::string& name, Value value) {
    std::erase_if(kept_, [&name](const auto& one) { return one.first == name; });
    kept_.emplace_back(name, std::move(value));
  }

 private:
  // One reading of the clock per operation, on first use.
  std::int64_t now_ns() {
    if (!now_ns_) now_ns_ = session_.now_ns();
    return *now_ns_;
  }

  Value of_clock(const std::string& name) {
    const bool expiry = name.rfind("expires", 0) == 0;
    const std::int64_t us = now_ns() / 1000 + (expiry ? claim_.lease_ms * kMillisecond_us : 0);
    if (name == "now_s" || name == "expires_s") return us / kSecond_us;
    if (name == "now_ms" || name == "expires_ms") return us / kMillisecond_us;
    return datetime_text(us + session_.zone_s() * kSecond_us);
  }

  Session& session_;
  const Claim& claim_;
  std::optional<std::int64_t> now_ns_;
  std::vector<std::pair<std::string, Value>> kept_;
};

// Passes any number of parameters in one call: an initializer list has a fixed length.
class StepParameters {
 public:
  StepParameters(const LockStep& step, OperationValues& values) : step_(step) {
    for (const auto& name : step.parameters) values_.push_back(values.of(name));
  }
  Reply attempt(Session& session) const {
    static_assert(kMost == 8);
    return session.attempt(step_.statement, {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)});
  }
  static constexpr std::size_t kMost = 8;

 private:
  Param at(std::size_t i) const {
    return i < values_.size() ? Param(step_.parameters[i], values_[i]) : Param("", Value(nullptr));
  }
  const LockStep& step_;
  std::vector<Value> values_;
};

std::optional<std::int64_t> as_number(const std::string& text) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  const bool whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return whole ? std::optional(out) : std::nullopt;
}

std::optional<std::string> text_of_value(const Value& value) {
  if (std::holds_alternative<std::nullptr_t>(value)) return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

// Compares numerically if both are numbers, otherwise as texts for equality.
bool compared(const std::string& a, TestSign comparison, const std::string& b) {
  if (comparison == TestSign::equal) return a == b || (as_number(a) && as_number(a) == as_number(b));
  if (comparison == TestSign::not_equal) return !compared(a, TestSign::equal, b);
  const auto left = as_number(a);
  const auto right = as_number(b);
  if (!left || !right) return false;
  switch (comparison) {
    case TestSign::less:
      return *left < *right;
    case TestSign::at_most:
      return *left <= *right;
    case TestSign::greater:
      return *left > *right;
    case TestSign::at_least:
      return *left >= *right;
    case TestSign::equal:
    case TestSign::not_equal:
      break;
  }
  return false;
}

// A column of the first row, or the single value of an answer that is a number or nil. A result without rows, or a
// count of changes, has no value.
std::optional<Field> field_of(const Reply& reply, std::size_t column) {
  if (reply.rows.empty()) {
    if (column != 0) return std::nullopt;
    if (reply.form == ReplyForm::number) return Field(std::to_string(reply.affected));
    return reply.form == ReplyForm::nil ? std::optional<Field>(Field{}) : std::nullopt;
  }
  const auto& row = reply.rows.front();
  return column < row.size() ? std::optional(row[column]) : std::nullopt;
}

bool value_is(const ReplyTest& test, const Reply& reply, OperationValues& values) {
  const auto field = field_of(reply, test.column);
  if (!field) return false;
  const auto against = test.is_parameter ? text_of_value(values.of(test.against)) : std::optional(test.against);
  const bool null = test.is_parameter ? !against : test.against == "NULL";
  if (null || !*field) {
    const bool same = null && !*field;
    return test.comparison == TestSign::equal ? same : test.comparison == TestSign::not_equal && !same;
  }
  return compared(**field, test.comparison, *against);
}

bool is_met(const ReplyTest& test, const Reply& reply, OperationValues& values) {
  if (test.fact == ReplyFact::duplicate) return reply.duplicate_key();
  if (test.fact == ReplyFact::conflict) return reply.conflict();
  if (!reply.ok()) return false;
  const auto count = [&](std::size_t number) {
    return compared(std::to_string(number), test.comparison, test.against);
  };
  switch (test.fact) {
    case ReplyFact::affected:
      return compared(std::to_string(reply.affected), test.comparison, test.against);
    case ReplyFact::rows:
      return count(reply.rows.size());
    case ReplyFact::value:
      return value_is(test, reply, values);
    case ReplyFact::status: {
      const ReplyForm form = test.against == "nil" ? ReplyForm::nil : ReplyForm::ok;
      return (reply.form == form) == (test.comparison == TestSign::equal);
    }
    case ReplyFact::always:
    case ReplyFact::duplicate:
    case ReplyFact::conflict:
      break;
  }
  return true;
}

Answer answer_of(StepEnd end) {
  switch (end) {
    case StepEnd::busy:
      return Answer::busy();
    case StepEnd::not_held:
      return Answer::not_held();
    case StepEnd::conflict:
      return Answer::conflict();
    case StepEnd::granted:
    case StepEnd::done:
    case StepEnd::next:
      break;
  }
  return Answer::done();
}

bool says_when_done(const LockOperation& operation) {
  return std::any_of(operation.steps.begin(), operation.steps.end(), [](const LockStep& step) {
    return std::any_of(step.rules.begin(), step.rules.end(),
                       [](const StepRule& rule) { return rule.end == StepEnd::done; });
  });
}

class StatementLock : public Lock {
 public:
  explicit StatementLock(std::shared_ptr<const LockFile> file) : file_(std::move(file)) {}

  Answer acquire(Session& session, Claim& claim) override {
    const std::int64_t asked_ns = now_ns(session);
    const Answer answer = carry_out(session, claim, file_->acquire, Answer::busy());
    if (answer.type != EventType::ok) return answer;
    claim.deadline_ns = asked_ns + claim.lease_ms * kMillisecond_ns;
    if (!still_held(session, claim)) return Answer::uncertain();  // a late grant is not used
    return file_->type.fenced ? Answer::granted(claim.token) : Answer::granted();
  }

  Answer renew(Session& session, Claim& claim) override {
    const std::int64_t asked_ns = now_ns(session);
    const Answer otherwise = says_when_done(file_->renew) ? Answer::not_held() : Answer::done();
    const Answer answer = carry_out(session, claim, file_->renew, otherwise);
    if (answer.type == EventType::ok) claim.deadline_ns = asked_ns + claim.lease_ms * kMillisecond_ns;
    return answer;
  }

  Answer background(Session& session, Claim& claim) override { return renew(session, claim); }

  Answer release(Session& session, Claim& claim) override {
    const Answer otherwise = says_when_done(file_->release) ? Answer::not_held() : Answer::done();
    return carry_out(session, claim, file_->release, otherwise);
  }

  bool still_held(Session& session, const Claim& claim) override {
    return file_->deadline == LockDeadline::none || now_ns(session) < claim.deadline_ns;
  }

 private:
  // From the clock of the deadline; not read without a deadline.
  std::int64_t now_ns(Session& session) const {
    if (file_->deadline == LockDeadline::none) return 0;
    return file_->deadline == LockDeadline::wall ? session.now_ns() : session.steady_ns();
  }

  Answer carry_out(Session& session, Claim& claim, const LockOperation& operation, const Answer& otherwise) const {
    const auto work = [&] { return run_steps(session, claim, operation, otherwise); };
    return operation.in_transaction ? in_transaction(session, work) : work();
  }

  Answer run_steps(Session& session, Claim& claim, const LockOperation& operation, const Answer& otherwise) const {
    OperationValues values(session, claim);
    for (const LockStep& step : operation.steps) {
      const Reply reply = StepParameters(step, values).attempt(session);
      for (const auto& kept : step.kept) {
        if (const auto field = field_of(reply, kept.column); reply.ok() && field) {
          values.keep(kept.name, *field ? Value(**field) : Value(nullptr));
        } else {
          values.keep(kept.name, nullptr);
        }
      }
      const StepRule* rule = first_met(step, reply, values);
      if (rule == nullptr && reply.conflict()) return Answer::conflict();
      if (rule == nullptr) expect_ok(step.statement, reply);
      if (step.has_token && !refuses(rule)) read_token(step, reply, claim);
      if (rule != nullptr && rule->end != StepEnd::next) return answer_of(rule->end);
    }
    return otherwise;
  }

  static bool refuses(const StepRule* rule) {
    return rule != nullptr && (rule->end == StepEnd::busy || rule->end == StepEnd::conflict);
  }

  // Without a valid token the claim keeps its previous one.
  static void read_token(const LockStep& step, const Reply& reply, Claim& claim) {
    if (!reply.rows.empty()) {
      claim.token = reply.count(0, step.token_column);
    } else if (const auto number = field_of(reply, step.token_column); number && *number) {
      Reply one;
      one.rows = {{*number}};
      claim.token = one.count(0, 0);
    }
  }

  static const StepRule* first_met(const LockStep& step, const Reply& reply, OperationValues& values) {
    const auto found = std::find_if(step.rules.begin(), step.rules.end(),
                                    [&](const StepRule& rule) { return is_met(rule.test, reply, values); });
    return found == step.rules.end() ? nullptr : &*found;
  }

  std::shared_ptr<const LockFile> file_;
};

}  // namespace

std::unique_ptr<Lock> make_statement_lock(std::shared_ptr<const LockFile> file) {
  return std::make_unique<StatementLock>(std::move(file));
}

const std::vector<std::string>& lock_parameters() {
  static const std::vector<std::string> all{"key", "owner", "token",  "address", "ttl_s",     "ttl_ms",    "ttl_us",
                                            "now", "now_s", "now_ms", "expires", "expires_s", "expires_ms"};
  return all;
}

}  // namespace holdfast
