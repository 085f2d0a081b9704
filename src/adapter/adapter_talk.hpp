// Two adapters of two clients without faults, for the rules of a check: a rule sends requests and reports what it
// expected when it gets something else.
//
//   RuleFinding busy_while_held(AdapterTalk& talk) {
//     const std::string key = talk.next_key();
//     if (auto wrong = talk.expect(0, talk.acquire(key), {MessageName::ok}, "grant a free lock")) return *wrong;
//     ...
//   }
//
// Every rule has its own key, so that no rule depends on an earlier one. After an AdapterError the adapter is restarted
// for the next rule.
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
#include "adapter/assertion_reports.hpp"
#include "adapter/check_waits.hpp"
#include "adapter/manifest.hpp"

namespace holdfast {

// Starts an adapter for one client; the check fills in the locks of its hello.
struct AdapterStart {
  AdapterCommand command;
  AdapterMessage hello;
  AdapterLimits limits{};
};
using StartAdapter = std::function<AdapterStart(std::uint32_t client)>;

enum class Found : std::uint8_t { ok, wrong, skipped, undecided };

struct RuleFinding {
  Found found = Found::ok;
  std::string what;      // what happened, with the line; for a skipped rule the reason
  std::string expected;  // for a wrong result, as all fields below
  std::string remedy;
  std::vector<std::string> said{};  // last lines on standard error
  std::string excuse{};             // why a starved machine may be the cause; empty: it is not
  bool of_library = false;          // the library may cause this itself

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

// Keeps an adapter stopped for the object's lifetime, also if an exception is thrown.
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
  // `servers`: processes whose waits for a processor count, too.
  AdapterTalk(Manifest manifest, StartAdapter start, const std::vector<pid_t>& servers = {});

  const Manifest& manifest() const { return manifest_; }
  std::int64_t lease_ms() const { return lease_ms_; }           // as sent in hello
  AdapterProgram& client(std::uint32_t number);                 // (re)started if it is not running, or broken
  std::unique_ptr<AdapterProgram> fresh(std::uint32_t number);  // an additional adapter that the caller ends
  std::string next_key();
  std::string owner(std::uint32_t number) const { return start_(number).hello.owner.value_or(""); }

  AdapterMessage request(MessageName name, const std::string& key) const;
  AdapterMessage acquire(const std::string& key) const;  // without a wait
  AdapterMessage waiting(const std::string& key, std::int64_t wait_ms) const;

  // Returns nothing if the answer is one of the expected ones. A grant that had expired when the answer arrived is
  // excused if the machine was starved since the request.
  std::optional<RuleFinding> expect(std::uint32_t number, const AdapterMessage& asked,
                                    const std::vector<MessageName>& answers, const std::string& to);
  std::optional<RuleFinding> expect_said(const AdapterMessage& asked, const AdapterSaid& answer,
                                         const std::vector<MessageName>& answers, const std::string& to);
  // Releases what the client holds. Accepts `info`, from a library that does not report whether it released anything.
  std::optional<RuleFinding> expect_given_back(std::uint32_t number, const std::string& key);
  // Retries for as long as a freed lock may be refused by design, plus a margin; for a lock released within half a
  // lease, at most that half, since the lease's end would free it, too.
  std::optional<RuleFinding> expect_released(std::uint32_t number, const std::string& key, const std::string& to);
  std::optional<RuleFinding> expect_granted_soon(std::uint32_t number, const std::string& key, const std::string& to);
  const AdapterSaid& last_grant() const { return last_grant_; }  // the last expected `ok` to an acquire

  // Waits for a condition within a limit that excludes waits for a processor; limited to `most_ms` in all, or four
  // times the limit. If those end first, the result has an excuse.
  struct Within {
    bool done = false;
    std::string excuse;
  };
  Within within(std::int64_t limit_ms, const std::function<bool()>& done, std::int64_t most_ms = 0);
  CheckWaits& waits() { return waits_; }

  // Returns the unasked messages since the check began, except `log`. Thousands of them are a failure.
  std::vector<AdapterMessage> unasked() const;
  // The assertions that the adapter made or announced since the check began, and the first `always` that was false.
  struct Asserted {
    std::size_t made = 0;
    std::optional<AssertionReport> failed;
  };
  Asserted asserted() const;
  // When a client first sent the message since `since_ns` (CLOCK_MONOTONIC), or will within `within_ms`; empty: it did
  // not.
  std::optional<std::int64_t> said_at(std::uint32_t client, const AdapterMessage& message, std::int64_t since_ns,
                                      std::int64_t within_ms) const;
  // Ends both and returns all their errors.
  std::vector<AdapterError> end();

 private:
  std::optional<RuleFinding> expect_granted(std::uint32_t number, const std::string& key, const std::string& to,
                                            std::int64_t within_ms, std::int64_t most_ms);
  std::unique_ptr<AdapterProgram> started(std::uint32_t number);
  void hear(std::uint32_t client, const AdapterSaid& said);
  void note_assertion(const AssertionReport& one);
  void note_outcome(const AdapterMessage& asked, const AdapterSaid& answer);

  const Manifest manifest_;
  const StartAdapter start_;
  const std::int64_t lease_ms_;
  int keys_ = 0;
  AdapterSaid last_grant_;
  std::map<std::string, std::int64_t> asked_ns_;  // by key: when the current grant was requested
  CheckWaits waits_;
  mutable std::mutex mutex_;
  struct Heard {
    std::uint32_t client = 0;
    AdapterSaid said;
  };
  std::vector<Heard> unasked_;
  Asserted asserted_;
  AssertionReports assertions_;
  std::array<std::unique_ptr<AdapterProgram>, 2> clients_;  // last: their readers use the list
};

}  // namespace holdfast
