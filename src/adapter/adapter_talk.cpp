#include "adapter/adapter_talk.hpp"

#include <algorithm>
#include <utility>

#include "adapter/adapter_message.hpp"
#include "adapter/running_time.hpp"
#include "artifact/monotonic.hpp"
#include "artifact/poll_until.hpp"

namespace holdfast {
namespace {

constexpr int kCheckKeys = 90;                // more than the rules use, with each tried twice
constexpr int kFewerCheckKeys = 20;           // for rules that use all keys all the time
constexpr std::size_t kMostUnasked = 10'000;  // stored for repeated searches
constexpr std::int64_t kSoon_ms = 2'000;
constexpr std::int64_t kAskAgain_ms = 50;
constexpr std::int64_t kMillisecond_ns = 1'000'000;

std::string key_name(int number) {
  return "check_" + std::to_string(number);
}

}  // namespace

AdapterTalk::AdapterTalk(Manifest manifest, StartAdapter start, const std::vector<pid_t>& servers)
    : manifest_(std::move(manifest)),
      start_(std::move(start)),
      lease_ms_(start_(0).hello.lease_ms.value_or(0)),
      waits_(servers),
      assertions_([this](const AssertionReport& one) { note_assertion(one); }) {}

std::unique_ptr<AdapterProgram> AdapterTalk::started(std::uint32_t number) {
  AdapterStart start = start_(number);
  start.hello.locks.emplace();
  const int keys = manifest_.elects() || manifest_.schedules() ? kFewerCheckKeys : kCheckKeys;
  for (int key = 1; key <= keys; ++key) start.hello.locks->push_back(key_name(key));
  auto program = AdapterProgram::start(manifest_.name, start.command, start.hello, start.limits,
                                       [this, number](const AdapterSaid& said) { hear(number, said); });
  waits_.add(program->pid());
  return program;
}

void AdapterTalk::hear(std::uint32_t client, const AdapterSaid& said) {
  if (said.message.name == MessageName::log) return;  // for people: no rule concerns it
  assertions_.hear(said);
  if (said.message.assertion) return;
  const std::lock_guard lock(mutex_);
  if (unasked_.size() >= kMostUnasked) {
    throw BadMessage("it sends more than " + std::to_string(kMostUnasked) +
                     " messages without a request; remedy: report each loss, leader or job once");
  }
  unasked_.push_back({client, said});
}

void AdapterTalk::note_assertion(const AssertionReport& one) {
  const std::lock_guard lock(mutex_);
  asserted_.made += one.result == AssertionResult::announced ? 1 : 0;
  const bool broken = one.kind == AssertionKind::always && one.result == AssertionResult::failed;
  if (broken && !asserted_.failed) asserted_.failed = one;
}

AdapterTalk::Asserted AdapterTalk::asserted() const {
  const std::lock_guard lock(mutex_);
  return asserted_;
}

AdapterProgram& AdapterTalk::client(std::uint32_t number) {
  auto& one = clients_.at(number);
  if (one && one->error()) one.reset();
  if (!one) one = started(number);
  return *one;
}

std::unique_ptr<AdapterProgram> AdapterTalk::fresh(std::uint32_t number) {
  return started(number);
}

std::string AdapterTalk::next_key() {
  return key_name(++keys_);
}

AdapterMessage AdapterTalk::request(MessageName name, const std::string& key) const {
  return {.name = name, .lock = key};
}

AdapterMessage AdapterTalk::acquire(const std::string& key) const {
  return waiting(key, 0);
}

AdapterMessage AdapterTalk::waiting(const std::string& key, std::int64_t wait_ms) const {
  return {.name = MessageName::acquire, .lease_ms = lease_ms_, .wait_ms = wait_ms, .lock = key};
}

void AdapterTalk::note_outcome(const AdapterMessage& asked, const AdapterSaid& answer) {
  const bool done = answer.message.name == MessageName::ok || answer.message.name == MessageName::info;
  if (asked.name == MessageName::acquire && answer.message.name == MessageName::ok) {
    last_grant_ = answer;
    asked_ns_.emplace(*asked.lock, answer.sent_ns);
  } else if (asked.name == MessageName::release && done) {
    asked_ns_.erase(*asked.lock);
  }
}

std::optional<RuleFinding> AdapterTalk::expect_said(const AdapterMessage& asked, const AdapterSaid& answer,
                                                    const std::vector<MessageName>& answers, const std::string& to) {
  const AdapterMessage& said = answer.message;
  const bool as_expected = std::find(answers.begin(), answers.end(), said.name) != answers.end();
  const auto held = asked_ns_.find(asked.lock.value_or(""));
  const bool lapses = held != asked_ns_.end() && manifest_.lease && lease_ms_ > 0;
  const std::int64_t since_ns = lapses ? held->second : answer.read_ns;
  note_outcome(asked, answer);
  if (as_expected) return std::nullopt;
  std::string expected;
  for (const MessageName name : answers) expected += (expected.empty() ? "" : " or ") + std::string(to_text(name));
  AdapterMessage line = asked;
  line.n = said.n;
  return RuleFinding::wrong("to " + to_line(line) + " it answers " + shown_line(to_line(said)), expected,
                            "let " + std::string(to_text(asked.name)) + " " + to)
      .maybe_of_library()
      .excused(waits_.excuse(since_ns, answer.read_ns, lease_ms_));
}

std::optional<RuleFinding> AdapterTalk::expect(std::uint32_t number, const AdapterMessage& asked,
                                               const std::vector<MessageName>& answers, const std::string& to) {
  return expect_said(asked, client(number).ask(asked), answers, to);
}

std::optional<RuleFinding> AdapterTalk::expect_given_back(std::uint32_t number, const std::string& key) {
  return expect(number, request(MessageName::release, key), {MessageName::ok, MessageName::info},
                "release a held lock");
}

std::optional<RuleFinding> AdapterTalk::expect_released(std::uint32_t number, const std::string& key,
                                                        const std::string& to) {
  const bool lapses = manifest_.lease && lease_ms_ > 0;
  const std::int64_t since_grant_ms = (monotonic_ns() - last_grant_.sent_ns) / kMillisecond_ns;
  const std::int64_t limit_ms = lapses ? std::min(lease_ms_ / 2, kSoon_ms) : kSoon_ms;
  const std::int64_t most_ms = lapses ? std::max(limit_ms, lease_ms_ * 9 / 10 - since_grant_ms) : 0;
  return expect_granted(number, key, to, limit_ms, most_ms);
}

std::optional<RuleFinding> AdapterTalk::expect_granted_soon(std::uint32_t number, const std::string& key,
                                                            const std::string& to) {
  return expect_granted(number, key, to, kSoon_ms, 0);
}

std::optional<RuleFinding> AdapterTalk::expect_granted(std::uint32_t number, const std::string& key,
                                                       const std::string& to, std::int64_t within_ms,
                                                       std::int64_t most_ms) {
  std::optional<RuleFinding> wrong;
  const auto granted = [&] { return !(wrong = expect(number, acquire(key), {MessageName::ok}, to)); };
  const Within soon = within(manifest_.guard_ms + within_ms, granted, most_ms > 0 ? manifest_.guard_ms + most_ms : 0);
  if (wrong) wrong->excused(soon.excuse);
  return wrong;
}

AdapterTalk::Within AdapterTalk::within(std::int64_t limit_ms, const std::function<bool()>& done,
                                        std::int64_t most_ms) {
  const std::int64_t since_ns = monotonic_ns();
  const std::int64_t limit_ns = limit_ms * kMillisecond_ns;
  const std::int64_t most_ns = most_ms > 0 ? most_ms * kMillisecond_ns : kLongestStretch * limit_ns;
  Within out;
  const auto too_late = [&] {
    const std::int64_t passed_ns = monotonic_ns() - since_ns;
    if (passed_ns <= std::min(limit_ns, most_ns)) return false;
    out.excuse = waits_.excuse(since_ns, since_ns + passed_ns, limit_ms);
    if (out.excuse.empty() || passed_ns <= most_ns) return out.excuse.empty();
    // three quarters of the limit are sufficient
    out.excuse = waits_.excuse(since_ns, since_ns + passed_ns, limit_ms * 3 / 4);
    return true;
  };
  out.done = poll_until(done, kAskAgain_ms, too_late);
  return out;
}

std::vector<AdapterMessage> AdapterTalk::unasked() const {
  const std::lock_guard lock(mutex_);
  std::vector<AdapterMessage> out;
  for (const Heard& heard : unasked_) out.push_back(heard.said.message);
  return out;
}

std::optional<std::int64_t> AdapterTalk::said_at(std::uint32_t client, const AdapterMessage& message,
                                                 std::int64_t since_ns, std::int64_t within_ms) const {
  const auto is_it = [&](const Heard& heard) {
    const AdapterMessage& said = heard.said.message;
    return heard.client == client && heard.said.read_ns >= since_ns && said.name == message.name &&
           said.lock == message.lock && (!message.holder || said.holder == message.holder);
  };
  std::optional<std::int64_t> at_ns;
  const auto heard = [&] {
    const std::lock_guard lock(mutex_);
    const auto first = std::find_if(unasked_.begin(), unasked_.end(), is_it);
    if (first != unasked_.end()) at_ns = first->said.read_ns;
    return at_ns.has_value();
  };
  poll_until(heard, kAskAgain_ms, after_ms(within_ms));
  return at_ns;
}

std::vector<AdapterError> AdapterTalk::end() {
  std::vector<AdapterError> wrong;
  for (auto& one : clients_) {
    if (!one) continue;
    one->end();
    if (const auto error = one->error()) wrong.push_back(*error);
    one.reset();
  }
  return wrong;
}

}  // namespace holdfast
