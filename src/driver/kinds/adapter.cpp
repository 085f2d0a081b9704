// A lock in any language: a program of its own, which the client starts on its node and talks to by messages
// (adapter/adapter_program.hpp). The threads of a client share it.
//
// The client believes in a grant from the moment at which it has read `ok`, and until it has written `release`, or read
// `lost`; all stamped by the client, so that no other clock matters. What the program does wrong is an AdapterError,
// which ends the client, and with it the trial, as an error of the harness.
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "adapter/adapter_program.hpp"
#include "adapter/manifest.hpp"
#include "artifact/units.hpp"
#include "driver/driver.hpp"

namespace holdfast {
namespace {

// When the program last said, unasked, that a lock is lost.
class LossNotices {
 public:
  void hear(const AdapterSaid& said) {
    if (said.message.name != MessageName::lost || !said.message.lock) return;
    const std::lock_guard guard(mutex_);
    lost_ns_[*said.message.lock] = said.read_ns;
  }
  bool lost_since(const std::string& lock, std::int64_t granted_ns) const {
    const std::lock_guard guard(mutex_);
    const auto found = lost_ns_.find(lock);
    return found != lost_ns_.end() && found->second > granted_ns;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::int64_t> lost_ns_;
};

// `fail` surely had no effect, `info` may have had one.
Answer outcome_of(const AdapterMessage& said) {
  switch (said.name) {
    case MessageName::ok:
      return said.token ? Answer::granted(*said.token) : Answer::done();
    case MessageName::busy:
      return Answer::busy();
    case MessageName::not_held:
      return Answer::not_held();
    case MessageName::fail:
      return {EventType::fail, Reason::other, {}};
    default:
      return Answer::uncertain();
  }
}

class AdapterDriver : public Driver {
 public:
  AdapterDriver(const LockType& type, AdapterProgram& program, const LossNotices& notices, std::uint32_t thread)
      : type_(type), program_(program), notices_(notices), thread_(thread) {}

  Answer start(const std::string&) override { return Answer::done(); }
  Answer acquire(Claim& claim) override {
    AdapterMessage request = about(MessageName::acquire, claim);
    request.wait_ms = type_.waits ? type_.waits_ms : 0;
    request.lease_ms = claim.lease_ms;
    const AdapterSaid said = program_.ask(request);
    if (said.message.name == MessageName::ok) {
      granted_ns_[claim.key] = said.read_ns;
      claim.token = said.message.token.value_or(0);
    }
    return noted(said);
  }
  Answer renew(Claim& claim) override { return noted(program_.ask(about(MessageName::renew, claim))); }
  Answer release(Claim& claim) override { return noted(program_.ask(about(MessageName::release, claim))); }
  Answer background(Claim&) override { return Answer::done(); }  // its watchdog is its own
  bool still_held(const Claim&) override { return true; }        // what its library does not say unasked is not asked
  bool said_lost(const Claim& claim) override {
    const auto granted = granted_ns_.find(claim.key);
    return granted != granted_ns_.end() && notices_.lost_since(claim.key, granted->second);
  }
  void pulse() override {
    AdapterMessage request;
    request.name = MessageName::pulse;
    program_.ask(request);
  }
  std::string why() const override { return why_; }

 private:
  AdapterMessage about(MessageName name, const Claim& claim) const {
    AdapterMessage out;
    out.name = name;
    out.lock = claim.key;
    if (program_.can("threads")) out.thread = thread_;
    return out;
  }
  Answer noted(const AdapterSaid& said) {
    why_ = said.message.why.value_or("");
    return outcome_of(said.message);
  }

  const LockType& type_;
  AdapterProgram& program_;
  const LossNotices& notices_;
  const std::uint32_t thread_;
  std::map<std::string, std::int64_t> granted_ns_;  // by lock
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
  out.locks = facts.locks;
  out.lease_ms = facts.lease_ms;
  constexpr std::uint64_t kMostSeeds = 1ULL << 53U;  // what a reader in any language keeps exact
  out.seed = static_cast<std::int64_t>(facts.seed % kMostSeeds);
  out.options = manifest.options;
  return out;
}

// Asks for the program's own wall clock, again and again, and tells how far it is ahead of the host's. What it does
// wrong meanwhile, its other askers are told.
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
  AdapterLock(const LockType& type, const ClientFacts& facts) : type_(type) {
    const Manifest& manifest = *type.manifest;
    AdapterCommand command{found_command(manifest), adapter_environment(manifest), facts.log, manifest.folder};
    AdapterLimits limits;
    limits.start_ms = manifest.start_ms;
    program_ = AdapterProgram::start(manifest.name, command, hello_of(manifest, facts), limits,
                                     [this](const AdapterSaid& said) { notices_.hear(said); });
    if (facts.began) facts.began(program_->pid());
    if (facts.wall_is_asked) watch_.emplace(*program_, facts.told_wall);
  }
  std::unique_ptr<Driver> driver(Session&, std::uint32_t thread) override {
    return std::make_unique<AdapterDriver>(type_, *program_, notices_, thread);
  }
  void end() override {
    watch_.reset();
    const AdapterFarewell farewell = program_->end();
    if (farewell.by_itself && farewell.end.clean()) return;
    throw AdapterError("adapter " + type_.manifest->name + ": after bye it " +
                       (farewell.by_itself ? farewell.end.text() : "did not exit, and was killed") +
                       "; remedy: exit with code 0 at bye, and at the end of the input");
  }

 private:
  const LockType& type_;
  LossNotices notices_;
  std::unique_ptr<AdapterProgram> program_;
  std::optional<WallClockWatch> watch_;
};

}  // namespace

extern const DriverType driver_adapter;
const DriverType driver_adapter{
    .about = "a lock in any language: a program of its own, which answers messages",
    .has_session = false,
    .begin = [](const LockType& type, const ClientFacts& facts) -> std::unique_ptr<DrivenLock> {
      return std::make_unique<AdapterLock>(type, facts);
    }};

}  // namespace holdfast
