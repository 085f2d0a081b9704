#include "adapter/adapter_talk.hpp"

#include <algorithm>
#include <utility>

#include "artifact/poll_until.hpp"

namespace holdfast {
namespace {

constexpr int kCheckKeys = 40;       // more than there are rules
constexpr int kFewerCheckKeys = 20;  // ... for those that are about all of them, all the time
constexpr std::int64_t kSoon_ms = 2'000;
constexpr std::int64_t kAskAgain_ms = 50;

std::string key_name(int number) {
  return "check_" + std::to_string(number);
}

}  // namespace

AdapterTalk::AdapterTalk(Manifest manifest, StartAdapter start)
    : manifest_(std::move(manifest)), start_(std::move(start)), lease_ms_(start_(0).hello.lease_ms.value_or(0)) {}

std::unique_ptr<AdapterProgram> AdapterTalk::started(std::uint32_t number) {
  AdapterStart start = start_(number);
  start.hello.locks.emplace();
  const int keys = manifest_.elects() || manifest_.schedules() ? kFewerCheckKeys : kCheckKeys;
  for (int key = 1; key <= keys; ++key) start.hello.locks->push_back(key_name(key));
  return AdapterProgram::start(manifest_.name, start.command, start.hello, start.limits,
                               [this, number](const AdapterSaid& said) {
                                 const std::lock_guard lock(mutex_);
                                 unasked_.push_back({number, said});
                               });
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

std::optional<RuleFinding> AdapterTalk::expect_said(const AdapterMessage& asked, const AdapterSaid& answer,
                                                    const std::vector<MessageName>& answers, const std::string& to) {
  const AdapterMessage& said = answer.message;
  if (std::find(answers.begin(), answers.end(), said.name) != answers.end()) return std::nullopt;
  std::string expected;
  for (const MessageName name : answers) expected += (expected.empty() ? "" : " or ") + std::string(to_text(name));
  AdapterMessage line = asked;
  line.n = said.n;
  return RuleFinding::wrong("to " + to_line(line) + " it answers " + shown_line(to_line(said)), expected,
                            "let " + std::string(to_text(asked.name)) + " " + to);
}

std::optional<RuleFinding> AdapterTalk::expect(std::uint32_t number, const AdapterMessage& asked,
                                               const std::vector<MessageName>& answers, const std::string& to) {
  const AdapterSaid answer = client(number).ask(asked);
  if (asked.name == MessageName::acquire && answer.message.name == MessageName::ok) last_grant_ = answer;
  return expect_said(asked, answer, answers, to);
}

std::optional<RuleFinding> AdapterTalk::expect_given_back(std::uint32_t number, const std::string& key) {
  return expect(number, request(MessageName::release, key), {MessageName::ok, MessageName::info},
                "give back what is held");
}

std::optional<RuleFinding> AdapterTalk::expect_granted(std::uint32_t number, const std::string& key,
                                                       const std::string& to, std::int64_t within_ms) {
  std::optional<RuleFinding> wrong;
  poll_until(
      [&] {
        wrong = expect(number, acquire(key), {MessageName::ok}, to);
        return !wrong;
      },
      kAskAgain_ms, after_ms(manifest_.guard_ms + within_ms));
  return wrong;
}

std::optional<RuleFinding> AdapterTalk::expect_released(std::uint32_t number, const std::string& key,
                                                        const std::string& to) {
  const bool lapses = manifest_.lease && lease_ms_ > 0;
  return expect_granted(number, key, to, lapses ? std::min(lease_ms_ / 2, kSoon_ms) : kSoon_ms);
}

std::optional<RuleFinding> AdapterTalk::expect_granted_soon(std::uint32_t number, const std::string& key,
                                                            const std::string& to) {
  return expect_granted(number, key, to, kSoon_ms);
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

std::vector<std::string> AdapterTalk::end() {
  std::vector<std::string> wrong;
  for (auto& one : clients_) {
    if (!one) continue;
    one->end();
    if (const auto error = one->error()) wrong.emplace_back(error->what());
    one.reset();
  }
  return wrong;
}

}  // namespace holdfast
