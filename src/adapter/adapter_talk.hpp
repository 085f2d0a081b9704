// Two adapters of two clients, without any fault, as the rules of a check talk to them: a rule asks, and says what it
// expected where it gets something else.
//
//   RuleFinding busy_while_held(AdapterTalk& talk) {
//     const std::string key = talk.next_key();
//     if (auto wrong = talk.expect(0, talk.acquire(key), {MessageName::ok}, "grant a free lock")) return *wrong;
//     ...
//   }
//
// Every rule has a key of its own, so that no rule depends on what another left behind. After an AdapterError the
// adapter is started anew for the next rule.
#pragma once

#include <array>
#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "adapter/adapter_program.hpp"
#include "adapter/check_waits.hpp"
#include "adapter/manifest.hpp"

namespace holdfast {

// How an adapter is started for one client; its hello's locks are set by the check.
struct AdapterStart {
  AdapterCommand command;
  AdapterMessage hello;
  AdapterLimits limits{};
};
using StartAdapter = std::function<AdapterStart(std::uint32_t client)>;

enum class Found : std::uint8_t { ok, wrong, skipped, undecided };

struct RuleFinding {
  Found found = Found::ok;
  std::string what;      // what happened, with the line; of one that was skipped, why
  std::string expected;  // of a wrong one, as all below
  std::string remedy;
  std::vector<std::string> said{};  // its last lines on standard error
  std::string excuse{};             // why a starved machine may be the cause; empty: it is not
  bool of_library = false;          // the library may do this by itself

  static RuleFinding good() { return {}; }
  static RuleFinding skip(std::string why) { return {Found::skipped, std::move(why), "", ""}; }
  static RuleFinding wrong(std::string what, std::string expected, std::string remedy) {
    return {Found::wrong, std::move(what), std::move(expected), std::move(remedy)};
  }
  RuleFinding& excused(std::string why) {
    excuse = std::move(why);
    return *this;
  }
  RuleFinding& maybe_of_library() {
    of_library = true;
    return *this;
  }
};

// An adapter that is stopped until the object ends, whatever is thrown meanwhile.
class StoppedAdapter {
 public:
  explicit StoppedAdapter(const AdapterProgram& program) : program_(program) { program_.signal(SIGSTOP); }
  ~StoppedAdapter() { program_.signal(SIGCONT); }
  StoppedAdapter(const StoppedAdapter&) = delete;
  StoppedAdapter& operator=(const StoppedAdapter&) = delete;

 private:
  const AdapterProgram& program_;
};

class AdapterTalk {
 public:
  // `servers`: whose waits for a processor count, too.
  AdapterTalk(Manifest manifest, StartAdapter start, const std::vector<pid_t>& servers = {});

  const Manifest& manifest() const { return manifest_; }
  std::int64_t lease_ms() const { return lease_ms_; }           // that hello names
  AdapterProgram& client(std::uint32_t number);                 // started if it is not, or is broken
  std::unique_ptr<AdapterProgram> fresh(std::uint32_t number);  // one more, for who ends it
  std::string next_key();
  std::string owner(std::uint32_t number) const { return start_(number).hello.owner.value_or(""); }

  AdapterMessage request(MessageName name, const std::string& key) const;
  AdapterMessage acquire(const std::string& key) const;  // tried once
  AdapterMessage waiting(const std::string& key, std::int64_t wait_ms) const;

  // Nothing where the answer is one of those. A grant that was over when the answer came is excused by what the
  // machine was starved of since it was asked for.
  std::optional<RuleFinding> expect(std::uint32_t number, const AdapterMessage& asked,
                                    const std::vector<MessageName>& answers, const std::string& to);
  std::optional<RuleFinding> expect_said(const AdapterMessage& asked, const AdapterSaid& answer,
                                         const std::vector<MessageName>& answers, const std::string& to);
  // What the client holds. `info` will do, from a library that does not say whether it released anything.
  std::optional<RuleFinding> expect_given_back(std::uint32_t number, const std::string& key);
  // Asks anew for as long as a freed lock may be refused by design, and a while; of what was released a shorter while
  // than half a lease, which would free it too.
  std::optional<RuleFinding> expect_released(std::uint32_t number, const std::string& key, const std::string& to);
  std::optional<RuleFinding> expect_granted_soon(std::uint32_t number, const std::string& key, const std::string& to);
  const AdapterSaid& last_grant() const { return last_grant_; }  // the last `ok` to an acquire that was expected

  // Whether it comes true within so long, of which waits for a processor do not count; but within `most_ms` in all, or
  // four times the limit: where these are over first, there is an excuse.
  struct Within {
    bool done = false;
    std::string excuse;
  };
  Within within(std::int64_t limit_ms, const std::function<bool()>& done, std::int64_t most_ms = 0);
  CheckWaits& waits() { return waits_; }

  // Returns the unasked messages since the check began, except `log`. An adapter with thousands of them has failed.
  std::vector<AdapterMessage> unasked() const;
  // When a client first said so since `since_ns` of CLOCK_MONOTONIC, or does within `within_ms`; nothing: it did not.
  std::optional<std::int64_t> said_at(std::uint32_t client, const AdapterMessage& message, std::int64_t since_ns,
                                      std::int64_t within_ms) const;
  // Ends both, and returns what was wrong with them at any time.
  std::vector<AdapterError> end();

 private:
  std::optional<RuleFinding> expect_granted(std::uint32_t number, const std::string& key, const std::string& to,
                                            std::int64_t within_ms, std::int64_t most_ms);
  std::unique_ptr<AdapterProgram> started(std::uint32_t number);
  void hear(std::uint32_t client, const AdapterSaid& said);
  void note_outcome(const AdapterMessage& asked, const AdapterSaid& answer);

  const Manifest manifest_;
  const StartAdapter start_;
  const std::int64_t lease_ms_;
  int keys_ = 0;
  AdapterSaid last_grant_;
  std::map<std::string, std::int64_t> asked_ns_;  // by key, when what is held of it was asked for
  CheckWaits waits_;
  mutable std::mutex mutex_;
  struct Heard {
    std::uint32_t client = 0;
    AdapterSaid said;
  };
  std::vector<Heard> unasked_;
  std::array<std::unique_ptr<AdapterProgram>, 2> clients_;  // last: their readers use the list
};

}  // namespace holdfast
