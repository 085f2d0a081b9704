// Driver for a lock in any language: a separate program that the client starts on its node and talks to by messages
// (adapter/adapter_program.hpp). A client's threads share the program.
//
// A call that never returns, of a lock that promises progress, ends nothing here: the runner sees it at the end, and
// the checker judges it.
//
// The client believes in a grant from the moment it has read `ok` until it has written `release` or read `lost`. The
// client takes all timestamps, so no other clock matters. A mistake by the program is an AdapterError, which ends the
// client and makes the trial a harness error.
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "adapter/adapter_program.hpp"
#include "adapter/assertion_reports.hpp"
#include "adapter/manifest.hpp"
#include "artifact/units.hpp"
#include "driver/adapter_outcome.hpp"
#include "driver/driver.hpp"
#include "driver/job_offers.hpp"
#include "driver/leader_owner.hpp"
#include "driver/loss_reports.hpp"
#include "driver/owned_poll.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kGrace_ms = 1'000;            // time beyond wait_ms before the caller gives up
constexpr std::int64_t kTurn_ms = 20;                // between two looks at a block
constexpr std::uint64_t kMostLeadersSaid = 100'000;  // each is kept in a journal
constexpr std::int64_t kEarly_ms = 20;               // tolerance for sleeps that end early, for coarse clocks

// Chooses an interval that keeps the program's promise, for programs that promise to report a loss but cannot do so by
// themselves.
std::int64_t ask_owned_ms(const Manifest& manifest, const ClientFacts& facts) {
  constexpr std::int64_t kShare = 4;
  if (!manifest.can_do("owned")) return 0;
  if (facts.ask_owned_ms > 0) return facts.ask_owned_ms;
  if (manifest.loss_notice_ms == 0 || manifest.can_do("lost")) return 0;
  return std::max<std::int64_t>(1, manifest.loss_notice_ms / kShare);
}

class AdapterDriver : public Driver {
 public:
  AdapterDriver(const LockType& type, AdapterProgram& program, const LossReports& said_lost, JobOffers& jobs,
                const ClientFacts& facts, std::uint32_t thread)
      : type_(type),
        program_(program),
        said_lost_(said_lost),
        jobs_(jobs),
        cancel_after_ms_(facts.cancel_after_ms),
        shared_(facts.shared),
        prefix_(facts.prefix),
        thread_(thread),
        poll_(program, ask_owned_ms(*type.manifest, facts)) {}

  Answer start(const std::string&) override { return Answer::done(); }
  Answer acquire(Claim& claim) override {
    AdapterMessage request = about(MessageName::acquire, claim);
    request.wait_ms = type_.waits ? type_.waits_ms : 0;
    request.lease_ms = claim.lease_ms;
    if (shared_) request.mode = "shared";
    poll_.settle();
    Reason gave_up = Reason::none;
    const AdapterSaid said = waited_for(program_.send(request), gave_up);
    if (said.message.name == MessageName::ok) {
      granted_ns_[claim.key] = said.read_ns;
      claim.token = said.message.token.value_or(0);
    }
    Answer out = noted(said);
    const bool told_by_cancel = gave_up == Reason::cancelled && out.type != EventType::ok;
    if (told_by_cancel || (out.type == EventType::ok && gave_up != Reason::none)) out.reason = gave_up;
    return out;
  }
  std::optional<Answer> job(Claim& claim, std::int64_t wait_ms) override {
    const auto job = jobs_.take(claim.key, wait_ms);
    program_.refuse_broken();
    if (!job) return std::nullopt;
    granted_ns_[claim.key] = job->read_ns;
    job_thread_[claim.key] = job->thread;
    lease_ms_.reset();
    claim.token = job->token.value_or(0);
    return job->token ? Answer::granted(*job->token) : Answer::granted();
  }
  Answer renew(Claim& claim) override { return asked(MessageName::renew, claim); }
  Answer release(Claim& claim) override { return asked(MessageName::release, claim); }
  Answer background(Claim&) override { return Answer::done(); }  // the program has its own watchdog
  // losses that the library does not report are not polled here
  bool still_held(const Claim&) override { return true; }
  bool said_lost(const Claim& claim, std::int64_t free_ms) override {
    const auto granted = granted_ns_.find(claim.key);
    if (granted == granted_ns_.end()) return false;
    return said_lost_.lost_since(claim.key, thread_of(claim), granted->second) ||
           poll_.said_no(about(MessageName::owned, claim), granted->second, free_ms);
  }
  void pulse() override { program_.ask({.name = MessageName::pulse}); }
  void block(std::int64_t ms, const std::function<void()>& seen) override {
    poll_.settle();
    AdapterMessage request{.name = MessageName::block, .ms = ms};
    if (program_.can("threads")) request.thread = thread_;
    const std::int64_t n = program_.send(request);
    const AdapterSaid said = watched_block(n, ms, seen);
    const std::int64_t took_ms = (said.read_ns - said.sent_ns) / kMillisecond_ns;
    if (took_ms >= ms - kEarly_ms) return;
    throw AdapterError("adapter " + type_.manifest->name + ": it answered block after " + std::to_string(took_ms) +
                       " ms, but was asked to sleep for " + std::to_string(ms) +
                       " ms; remedy: answer after the thread has slept, or remove 'block' from 'can'");
  }
  std::optional<std::int64_t> answered_lease_ms() const override { return lease_ms_; }
  std::string why() const override { return why_; }

 private:
  AdapterMessage about(MessageName name, const Claim& claim) const {
    AdapterMessage out;
    out.name = name;
    out.lock = prefix_ + claim.key;
    out.thread = thread_of(claim);
    return out;
  }
  std::optional<std::int64_t> thread_of(const Claim& claim) const {
    if (const auto job = job_thread_.find(claim.key); job != job_thread_.end()) return job->second;
    return program_.can("threads") ? std::optional<std::int64_t>(thread_) : std::nullopt;
  }
  // Gives up after the requested wait plus a grace period, or after the time to cancel. The library continues and its
  // answer is still awaited. Time in which the client was stopped does not count.
  AdapterSaid waited_for(std::int64_t n, Reason& gave_up) {
    if (!type_.waits) return program_.wait(n);
    const bool cancels = cancel_after_ms_ > 0;
    if (auto said = program_.wait_for(n, cancels ? cancel_after_ms_ : type_.waits_ms + kGrace_ms)) return *said;
    gave_up = cancels ? Reason::cancelled : Reason::timeout;
    if (cancels) program_.ask({.name = MessageName::cancel, .of = n});
    return program_.wait(n);
  }
  // Pulses that are answered before the block ends show that other threads run.
  AdapterSaid watched_block(std::int64_t n, std::int64_t ms, const std::function<void()>& seen) {
    const std::int64_t until_ns = monotonic_ns() + ms * kMillisecond_ns;
    std::int64_t pulse = program_.send({.name = MessageName::pulse});
    std::optional<AdapterSaid> said;
    while (!said && monotonic_ns() < until_ns) {
      const bool answered = program_.wait_for(pulse, kTurn_ms).has_value();
      said = program_.wait_for(n, answered ? kTurn_ms : 0);
      if (!answered) continue;
      if (!said) seen();
      pulse = program_.send({.name = MessageName::pulse});
    }
    if (!said) said = program_.wait(n);
    program_.wait(pulse);
    return *said;
  }
  Answer asked(MessageName name, const Claim& claim) {
    poll_.settle();
    return noted(program_.ask(about(name, claim)));
  }
  Answer noted(const AdapterSaid& said) {
    why_ = said.message.why.value_or("");
    lease_ms_ = said.message.lease_ms;
    if (!lease_ms_ || type_.lease) return outcome_of_answer(said.message);
    throw AdapterError("adapter " + type_.manifest->name + ": it answers lease_ms " + std::to_string(*lease_ms_) +
                       ", but its lock.json says \"lease\": false; remedy: leave out lease_ms, or set \"lease\": true");
  }

  const LockType& type_;
  AdapterProgram& program_;
  const LossReports& said_lost_;
  JobOffers& jobs_;
  const std::int64_t cancel_after_ms_;
  const bool shared_;
  const std::string prefix_;
  const std::uint32_t thread_;
  OwnedPoll poll_;
  std::map<std::string, std::int64_t> granted_ns_;                 // by lock name
  std::map<std::string, std::optional<std::int64_t>> job_thread_;  // for schedulers: the thread of the job
  std::optional<std::int64_t> lease_ms_;
  std::string why_;
};

AdapterMessage hello_of(const Manifest& manifest, const ClientFacts& facts) {
  AdapterMessage out;
  out.client = facts.client;
  out.owner = facts.owner;
  out.servers.emplace();
  for (const auto& place : facts.servers) {
    out.servers->push_back({place.kind, place.role, place.host, place.port, place.user, place.database});
  }
  out.locks.emplace();
  for (const auto& lock : facts.locks) out.locks->push_back(facts.prefix + lock);
  out.lease_ms = facts.lease_ms;
  constexpr std::uint64_t kMostSeeds = 1ULL << 53U;  // largest integer exact in every language
  out.seed = static_cast<std::int64_t>(facts.seed % kMostSeeds);
  out.options = manifest.options;
  return out;
}

// Requests the program's own wall clock repeatedly and reports its offset from the host's. Errors of the program in
// between are reported by other callers.
class WallClockWatch {
 public:
  WallClockWatch(AdapterProgram& program, std::function<void(std::int64_t)> told)
      : program_(program), told_(std::move(told)), thread_([this](const std::stop_token& over) { watch(over); }) {}

 private:
  static constexpr std::chrono::milliseconds kEvery{50};

  void watch(const std::stop_token& over) {
    AdapterMessage pulse;
    pulse.name = MessageName::pulse;
    try {
      while (!over.stop_requested()) {
        const std::int64_t before_ns = host_wall_ns();
        const AdapterSaid said = program_.ask(pulse);
        if (!said.message.wall_ms) return;
        const std::int64_t between_ns = before_ns + (host_wall_ns() - before_ns) / 2;
        told_(*said.message.wall_ms * kMillisecond_ns - between_ns);
        std::this_thread::sleep_for(kEvery);
      }
    } catch (const AdapterError&) {
      return;
    }
  }
  static std::int64_t host_wall_ns() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
  }

  AdapterProgram& program_;
  std::function<void(std::int64_t)> told_;
  std::jthread thread_;
};

class AdapterLock : public DrivenLock {
 public:
  AdapterLock(const LockType& type, const ClientFacts& facts)
      : type_(type), facts_(facts), assertions_([this](const AssertionReport& one) { pass_on(one); }) {
    const Manifest& manifest = *type.manifest;
    assertions_.announce(manifest.assertions, monotonic_ns());
    AdapterCommand command{{}, adapter_environment(manifest), facts.log, manifest.folder};
    command.install = manifest.install;
    command.words = facts.through.empty() ? found_command(manifest) : facts.through;
    AdapterLimits limits;
    limits.start_ms = manifest.start_ms;
    limits.of_calls = !judges_calls(type_) || !facts.through.empty();  // an unreachable host is not the program's fault
    program_ = AdapterProgram::start(manifest.name, command, hello_of(manifest, facts), limits,
                                     [this](const AdapterSaid& said) { hear(said); });
    announce_ready();
    if (facts.began) facts.began(program_->pid());
    if (facts.wall_is_asked) watch_.emplace(*program_, facts.told_wall);
  }
  std::unique_ptr<Driver> driver(Session&, std::uint32_t thread) override {
    return std::make_unique<AdapterDriver>(type_, *program_, said_lost_, jobs_, facts_, thread);
  }
  void end() override {
    watch_.reset();
    const AdapterFarewell farewell = program_->end();
    assertions_.finish(monotonic_ns());
    if (farewell.by_itself && farewell.end.clean()) return;
    throw AdapterError("adapter " + type_.manifest->name + ": after bye it " +
                       (farewell.by_itself ? farewell.end.text() : "did not exit, and was killed") +
                       "; remedy: exit with code 0 after bye, and at the end of the input");
  }

 private:
  // Handles unasked messages; runs in the program's reader thread.
  void hear(AdapterSaid said) {
    if (said.message.lock) said.message.lock = without_prefix(*said.message.lock);
    if (said.message.name == MessageName::granted && !type_.scheduled) {
      throw BadMessage("only a scheduler sends 'granted'; remedy: set \"kind\": \"scheduler\" in lock.json");
    }
    assertions_.hear(said);
    if (is_used(said.message.lock)) {
      said_lost_.hear(said);
      jobs_.hear(said);
    }
    if (said.message.name != MessageName::leader) return;
    if (++leaders_said_ > kMostLeadersSaid) {
      throw BadMessage("it sends leader more than " + std::to_string(kMostLeadersSaid) +
                       " times; remedy: send it only when the library reports a leader");
    }
    const auto holder = client_of_owner(*said.message.holder);
    if (!facts_.observed || facts_.observed(*said.message.lock, holder, said.read_ns)) return;
    throw BadMessage("it reports the leader of " + shown_line(*said.message.lock) + ", which is not in 'locks'");
  }

  void pass_on(const AssertionReport& one) const {
    if (!facts_.asserted) return;
    const EventType result = one.result == AssertionResult::announced ? EventType::info
                             : one.result == AssertionResult::held    ? EventType::ok
                                                                      : EventType::fail;
    facts_.asserted({one.kind, one.name, one.count, one.why}, result, one.read_ns);
  }

  void announce_ready() {
    if (!program_->ready().assertions) return;
    try {
      assertions_.announce(*program_->ready().assertions, monotonic_ns());
    } catch (const BadMessage& wrong) {
      throw AdapterError("adapter " + type_.manifest->name + ": in its ready: " + wrong.what());
    }
  }

  // Other lock names are ignored and not stored, since their number is unbounded.
  bool is_used(const std::optional<std::string>& lock) const {
    return lock && std::find(facts_.locks.begin(), facts_.locks.end(), *lock) != facts_.locks.end();
  }
  std::string without_prefix(const std::string& lock) const {
    return lock.rfind(facts_.prefix, 0) == 0 ? lock.substr(facts_.prefix.size()) : lock;
  }

  const LockType& type_;
  const ClientFacts facts_;
  LossReports said_lost_;
  JobOffers jobs_;
  AssertionReports assertions_;
  std::uint64_t leaders_said_ = 0;  // used by the program's reader thread only
  std::unique_ptr<AdapterProgram> program_;
  std::optional<WallClockWatch> watch_;
};

}  // namespace

extern const DriverType driver_adapter;
const DriverType driver_adapter{
    .about = "a lock in any language: a separate program that answers messages",
    .has_session = false,
    .begin = [](const LockType& type, const ClientFacts& facts) -> std::unique_ptr<DrivenLock> {
      return std::make_unique<AdapterLock>(type, facts);
    }};

}  // namespace holdfast
