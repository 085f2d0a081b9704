// Rules for the optional abilities of an adapter, one per word of `can`.
#include <chrono>
#include <thread>

#include "adapter/adapter_rules.hpp"
#include "adapter/message_rows.hpp"
#include "artifact/monotonic.hpp"

namespace holdfast {
namespace {

using enum MessageName;
using std::chrono::milliseconds;

constexpr std::int64_t kWaits_ms = 600;
constexpr std::int64_t kMeanwhile_ms = 300;  // limit for an answer that involves no wait
constexpr std::int64_t kEarly_ms = 100;      // tolerance for waits that end early, for coarse clocks
constexpr std::int64_t kCancelled_ms = 3'000;
constexpr std::int64_t kLostWithin_ms = 5'000;
constexpr std::int64_t kUnaskedWithin_ms = 100;  // after the last answer
constexpr std::int64_t kLapsesLate_ms = 100;     // time by which a server may end a lease late
constexpr std::int64_t kOneMs_ns = 1'000'000;

std::int64_t took_ms(const AdapterSaid& answer) {
  return (answer.read_ns - answer.sent_ns) / 1'000'000;
}

std::optional<RuleFinding> hold(AdapterTalk& talk, const std::string& key) {
  if (talk.manifest().schedules()) return RuleFinding::skip("a scheduler takes no acquire requests");
  return talk.expect(0, talk.acquire(key), {ok}, "grant a free lock");
}

// Checks whether a renewal answered with info took effect: another client is refused after the end of the first lease,
// while the renewed one lasts.
RuleFinding outlives_first_lease(AdapterTalk& talk, const std::string& key, const AdapterSaid& renewed) {
  const std::int64_t lease_ms = talk.last_grant().message.lease_ms.value_or(talk.lease_ms());
  const bool can_tell = talk.manifest().lease && talk.manifest().guard_ms == 0 && lease_ms > 0;
  if (!can_tell) return RuleFinding::good();
  const std::int64_t until_ns = talk.last_grant().read_ns + (lease_ms + kLapsesLate_ms) * kOneMs_ns;
  std::this_thread::sleep_for(std::chrono::nanoseconds(until_ns - monotonic_ns()));
  const AdapterSaid other = talk.client(1).ask(talk.acquire(key));
  if (other.message.name == busy) return RuleFinding::good();
  const std::int64_t after_ms = (other.read_ns - renewed.sent_ns) / kOneMs_ns;
  const std::string excuse = talk.waits().excuse(renewed.sent_ns, other.read_ns, lease_ms);
  if (after_ms >= lease_ms && excuse.empty()) return RuleFinding::skip("its answers are too slow for this check");
  return RuleFinding::wrong(
             "its renewal was answered " + shown_line(to_line(renewed.message)) +
                 ", and another was granted the lock " + std::to_string(after_ms) + " ms later",
             "busy for another, for " + std::to_string(lease_ms) + " ms from the renewal; or not_held to the renewal",
             "make renew prolong the lease; answer info only if the library does not report whether it did")
      .maybe_of_library()
      .excused(excuse);
}

RuleFinding renews_what_is_held(AdapterTalk& talk) {
  const std::string key = talk.next_key();
  if (auto wrong = hold(talk, key)) return *wrong;
  std::this_thread::sleep_for(milliseconds(talk.last_grant().message.lease_ms.value_or(talk.lease_ms()) / 2));
  const AdapterMessage asked = talk.request(renew, key);
  const AdapterSaid answer = talk.client(0).ask(asked);
  if (auto wrong = talk.expect_said(asked, answer, {ok, info}, "prolong the lease of a held lock")) return *wrong;
  return answer.message.name == info ? outlives_first_lease(talk, key, answer) : RuleFinding::good();
}

RuleFinding nothing_to_renew(AdapterTalk& talk) {
  const AdapterMessage asked = talk.request(renew, talk.next_key());
  const std::string to =
      "answer the library's result for a lock that is not held: not_held, or info if the library "
      "reports nothing";
  if (auto wrong = talk.expect(0, asked, {not_held, fail, info}, to)) return *wrong;
  return RuleFinding::good();
}

RuleFinding knows_what_it_owns(AdapterTalk& talk) {
  const std::string key = talk.next_key();
  const AdapterMessage asked = talk.request(owned, key);
  if (auto wrong = talk.expect(0, asked, {no}, "answer the library's result before the acquire: no")) return *wrong;
  if (auto wrong = hold(talk, key)) return *wrong;
  if (auto wrong = talk.expect(0, asked, {yes}, "answer the library's result while the lock is held: yes"))
    return *wrong;
  if (auto wrong = talk.expect(1, asked, {no}, "answer the library's result for another client: no")) return *wrong;
  if (!talk.manifest().releases) return RuleFinding::good();
  if (auto wrong = talk.expect_given_back(0, key)) return *wrong;
  if (auto wrong = talk.expect(0, asked, {no}, "answer the library's result after the release: no")) return *wrong;
  return RuleFinding::good();
}

RuleFinding waits_and_is_refused(AdapterTalk& talk) {
  const std::string key = talk.next_key();
  if (auto wrong = hold(talk, key)) return *wrong;
  const AdapterMessage asked = talk.waiting(key, kWaits_ms);
  const AdapterSaid answer = talk.client(1).ask(asked);
  if (auto wrong = talk.expect_said(asked, answer, {busy}, "answer busy after the wait")) return *wrong;
  if (took_ms(answer) >= kWaits_ms - kEarly_ms) return RuleFinding::good();
  return RuleFinding::wrong("it answers busy after " + std::to_string(took_ms(answer)) + " ms",
                            "a wait of " + std::to_string(kWaits_ms) + " ms, its wait_ms",
                            "pass wait_ms to the library; if the library cannot wait, remove 'wait' from 'can'")
      .maybe_of_library();
}

RuleFinding waits_and_is_granted(AdapterTalk& talk) {
  if (!talk.manifest().releases) return RuleFinding::skip("its manifest says that it does not release");
  const std::string key = talk.next_key();
  if (auto wrong = hold(talk, key)) return *wrong;
  const std::int64_t longest_ms = talk.manifest().guard_ms + 10 * kWaits_ms;
  const AdapterMessage asked = talk.waiting(key, longest_ms);
  const std::int64_t n = talk.client(1).send(asked);
  std::this_thread::sleep_for(milliseconds(kMeanwhile_ms));
  if (auto wrong = talk.expect_given_back(0, key)) return *wrong;
  const AdapterSaid answer = talk.client(1).wait(n);
  if (auto wrong = talk.expect_said(asked, answer, {ok}, "grant the lock to the waiting client when it is free")) {
    return wrong->excused(talk.waits().excuse(answer.sent_ns, answer.read_ns, longest_ms - kMeanwhile_ms));
  }
  return RuleFinding::good();
}

// An acquire waits at client 1 while another request is sent to it.
std::optional<RuleFinding> answered_meanwhile(AdapterTalk& talk, std::int64_t waiting, const AdapterMessage& asked) {
  AdapterProgram& client = talk.client(1);
  const AdapterSaid answer = client.ask(asked);
  const AdapterSaid waited = client.wait(waiting);
  if (answer.read_ns < waited.read_ns && took_ms(answer) <= kMeanwhile_ms) return std::nullopt;
  return RuleFinding::wrong("while an acquire waits it takes " + std::to_string(took_ms(answer)) + " ms to answer " +
                                to_text(asked.name),
                            "an answer within " + std::to_string(kMeanwhile_ms) + " ms",
                            "let acquire wait in a separate thread or task while the adapter continues to read "
                            "requests")
      .excused(talk.waits().excuse(answer.sent_ns, answer.read_ns, kMeanwhile_ms));
}

RuleFinding pulse_while_it_waits(AdapterTalk& talk) {
  const std::string key = talk.next_key();
  if (auto wrong = hold(talk, key)) return *wrong;
  const std::int64_t n = talk.client(1).send(talk.waiting(key, 2 * kWaits_ms));
  if (auto wrong = answered_meanwhile(talk, n, {.name = pulse})) return *wrong;
  return RuleFinding::good();
}

RuleFinding cancels_what_waits(AdapterTalk& talk) {
  if (!talk.manifest().can_do("wait")) return RuleFinding::skip("an adapter without 'wait' has nothing to cancel");
  const std::string key = talk.next_key();
  if (auto wrong = hold(talk, key)) return *wrong;
  AdapterProgram& client = talk.client(1);
  const AdapterMessage asked = talk.waiting(key, 10 * kWaits_ms);
  const std::int64_t n = client.send(asked);
  std::this_thread::sleep_for(milliseconds(kMeanwhile_ms));
  const AdapterSaid cancelled = client.ask({.name = cancel, .of = n});
  const AdapterSaid answer = client.wait(n);
  const std::string ended = "end the wait with the library's own cancellation, and answer without a grant";
  if (auto wrong = talk.expect_said(asked, answer, {busy, fail, info}, ended)) {  // deaf, it has waited for the lapse
    return wrong->excused(talk.waits().excuse(cancelled.sent_ns, answer.read_ns, kMeanwhile_ms));
  }
  if (took_ms(answer) >= kCancelled_ms) {
    return RuleFinding::wrong("a cancelled acquire answers after " + std::to_string(took_ms(answer)) + " ms",
                              "an answer soon after the cancel",
                              "end the wait as the library documents; if the library cannot, remove 'cancel' from "
                              "'can'")
        .maybe_of_library()
        .excused(talk.waits().excuse(answer.sent_ns, answer.read_ns, kCancelled_ms - 1));
  }
  if (!talk.manifest().releases) return RuleFinding::good();
  if (auto wrong = talk.expect_given_back(0, key)) return *wrong;
  std::this_thread::sleep_for(milliseconds(kMeanwhile_ms));  // lets an attempt left by the cancel have its turn first
  const std::string left = "grant a lock that is free again: a cancelled wait must leave nothing behind";
  if (auto wrong = talk.expect_released(0, key, left)) return *wrong;
  return RuleFinding::good();
}

RuleFinding blocks_one_thread(AdapterTalk& talk) {
  const std::string key = talk.next_key();
  if (auto wrong = hold(talk, key)) return *wrong;
  AdapterProgram& client = talk.client(0);
  const std::int64_t n = client.send({.name = block, .ms = kWaits_ms});
  const AdapterSaid answer = client.ask({.name = pulse});
  const AdapterSaid slept = client.wait(n);
  if (took_ms(slept) < kWaits_ms - kEarly_ms) {
    return RuleFinding::wrong("it answers block after " + std::to_string(took_ms(slept)) + " ms",
                              "a sleep of " + std::to_string(kWaits_ms) + " ms, its ms",
                              "answer after the thread has slept, or remove 'block' from 'can'");
  }
  if (took_ms(answer) <= kMeanwhile_ms) return RuleFinding::good();
  return RuleFinding::wrong(
             "while one thread is blocked it takes " + std::to_string(took_ms(answer)) + " ms to answer a pulse",
             "an answer within " + std::to_string(kMeanwhile_ms) + " ms",
             "make only the thread that holds the lock sleep")
      .excused(talk.waits().excuse(answer.sent_ns, answer.read_ns, kMeanwhile_ms));
}

RuleFinding counts_what_is_entered(AdapterTalk& talk) {
  const std::string key = talk.next_key();
  for (const char* to : {"grant a free lock", "grant it again to its holder, as the library does"}) {
    if (auto wrong = talk.expect(0, talk.acquire(key), {ok}, to)) return *wrong;
  }
  if (!talk.manifest().releases) return RuleFinding::good();
  const AdapterMessage asked = talk.request(release, key);
  if (auto wrong = talk.expect(0, asked, {ok, info}, "release the inner one")) return *wrong;
  const std::string outer = "answer the library's result while the outer one is held: busy";
  if (auto wrong = talk.expect(1, talk.acquire(key), {busy}, outer)) return *wrong;
  if (auto wrong = talk.expect(0, asked, {ok, info}, "release the outer one")) return *wrong;
  if (auto wrong = talk.expect_released(1, key, "grant a lock that was released as often as it was acquired"))
    return *wrong;
  return RuleFinding::good();
}

AdapterMessage of_thread(AdapterMessage asked, std::int64_t thread) {
  asked.thread = thread;
  return asked;
}

RuleFinding keeps_threads_apart(AdapterTalk& talk) {
  const std::string key = talk.next_key();
  const std::string other = talk.next_key();
  if (auto wrong = talk.expect(1, of_thread(talk.acquire(key), 1), {ok}, "grant a free lock")) return *wrong;
  const std::string to = "call the library from the thread that `thread` names, and answer its result: busy";
  if (auto wrong = talk.expect(1, of_thread(talk.acquire(key), 2), {busy}, to)) return *wrong;
  if (!talk.manifest().can_do("wait")) return RuleFinding::good();
  const std::int64_t n = talk.client(1).send(of_thread(talk.waiting(key, 2 * kWaits_ms), 2));
  if (auto wrong = answered_meanwhile(talk, n, of_thread(talk.acquire(other), 3))) return *wrong;
  return RuleFinding::good();
}

RuleFinding lets_readers_share(AdapterTalk& talk) {
  const std::string key = talk.next_key();
  AdapterMessage asked = talk.acquire(key);
  asked.mode = "shared";
  for (const std::uint32_t number : {0U, 1U}) {
    if (auto wrong = talk.expect(number, asked, {ok}, "ask the library for a shared lock where mode says so")) {
      return *wrong;
    }
  }
  return RuleFinding::good();
}

bool said_lost_of(const AdapterTalk& talk, const std::string& key) {
  for (const AdapterMessage& said : talk.unasked()) {
    if ((said.name == lost || said.name == suspect) && said.lock == key) return true;
  }
  return false;
}

// The only rule that stops a client for longer than its lease; otherwise no loss occurs.
RuleFinding says_what_is_lost(AdapterTalk& talk) {
  if (!talk.manifest().lease) return RuleFinding::skip("its manifest says that grants have no lease");
  const std::string key = talk.next_key();
  if (auto wrong = hold(talk, key)) return *wrong;
  {
    const StoppedAdapter stopped(talk.client(0));
    std::this_thread::sleep_for(milliseconds(talk.lease_ms()));
    if (auto wrong = talk.expect_granted_soon(1, key, "grant a lock whose lease has expired")) return *wrong;
  }
  const auto told = talk.within(kLostWithin_ms, [&] { return said_lost_of(talk, key); });
  if (told.done) return RuleFinding::good();
  return RuleFinding::wrong("its lease expired and another client was granted the lock, but it sent no `lost`",
                            R"({"is":"lost","lock":")" + key + "\"} within " + std::to_string(kLostWithin_ms) + " ms",
                            "send lost when the library reports a loss; if the library cannot, remove 'lost' from "
                            "'can'")
      .maybe_of_library()
      .excused(told.excuse);
}

std::optional<RuleFinding> wrongly_said(const AdapterTalk& talk) {
  for (const AdapterMessage& said : talk.unasked()) {
    const std::string word = row_of(said.name).can;
    if (said.name == granted && !talk.manifest().schedules()) {
      return RuleFinding::wrong("it sends without a request " + shown_line(to_line(said)),
                                "'granted' from a scheduler only",
                                R"(set "kind": "scheduler" in lock.json, or send it as the answer to acquire)");
    }
    if (word.empty() || talk.manifest().can_do(word)) continue;
    return RuleFinding::wrong("it sends without a request " + shown_line(to_line(said)),
                              "no message that needs '" + word + "'", "add '" + word + "' to 'can'");
  }
  return std::nullopt;
}

RuleFinding says_only_what_it_can(AdapterTalk& talk) {
  talk.within(kUnaskedWithin_ms, [&] { return wrongly_said(talk).has_value(); });
  return wrongly_said(talk).value_or(RuleFinding::good());
}

}  // namespace

std::vector<AdapterRule> can_rules() {
  return {
      {"renew", "a held lock can be renewed", "renew", renews_what_is_held,
       "%try shows whether another client is granted a renewed lock"},
      {"renew_nothing", "a client without the lock cannot renew", "renew", nothing_to_renew,
       "%try shows whether it prolongs another client's lease (ownership)"},
      {"owned", "owned reports whether the client holds the lock", "owned", knows_what_it_owns,
       "a run measures how late a holder learns that it lost the lock, and judges it if lock.json has loss_notice_ms"},
      {"wait_busy", "a wait lasts wait_ms and ends in busy", "wait", waits_and_is_refused,
       "%try shows whether two clients hold the lock at once"},
      {"wait_granted", "a wait ends in a grant when the lock is free", "wait", waits_and_is_granted,
       "%try shows whether a free lock is granted at all (progress)"},
      {"pulse_meanwhile", "a pulse is answered while an acquire waits", "wait", pulse_while_it_waits},
      {"cancel", "a wait can be cancelled", "cancel", cancels_what_waits,
       "a run of a scenario with cancel_after_ms shows whether a cancelled wait leaves something behind (progress)"},
      {"block", "one thread sleeps while the others continue", "block", blocks_one_thread},
      {"reenter", "a holder may acquire again, and must release as often", "reenter", counts_what_is_entered,
       "%try shows it with the load reenter"},
      {"threads", "threads exclude each other and do not wait for each other", "threads", keeps_threads_apart,
       "%try shows it with the load threads"},
      {"shared", "several clients may share the lock", "shared", lets_readers_share, "describe it in lock.md"},
      {"lost", "a holder whose lease expired is notified", "lost", says_what_is_lost,
       "a run measures how late a holder learns that it lost the lock, and judges it if lock.json has loss_notice_ms"},
      {"unasked", "it sends only the unrequested messages that its 'can' allows", "", says_only_what_it_can},
  };
}

}  // namespace holdfast
