// Rules for every adapter.
#include "adapter/adapter_rules.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace holdfast {
namespace {

using enum MessageName;

constexpr std::int64_t kAtOnce_ms = 1'000;
constexpr std::int64_t kRefused_ms = 5'000;
constexpr const char* kNotAsked = "it is a scheduler, which takes no acquire requests";
constexpr int kBurst = 20;
constexpr auto kSettles = std::chrono::milliseconds(200);

std::string texts_of(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
  return out.empty() ? "nothing" : out;
}

RuleFinding its_name(AdapterTalk& talk) {
  const AdapterMessage& ready = talk.client(0).ready();
  if (*ready.adapter == talk.manifest().name) return RuleFinding::good();
  return RuleFinding::wrong("its ready has the name " + shown_line(*ready.adapter), talk.manifest().name,
                            "use the same name in the manifest and in ready");
}

// "7.0" matches 7.0.15; a "v" before the number is ignored.
bool is_of_version(std::string running, std::string named) {
  for (std::string* one : {&running, &named}) {
    if (one->size() > 1 && one->front() == 'v') one->erase(0, 1);
  }
  return running == named || running.starts_with(named + ".") || running.starts_with(named + "-") ||
         running.starts_with(named + "+");
}

RuleFinding its_version(AdapterTalk& talk) {
  const Manifest& manifest = talk.manifest();
  const std::string& named = manifest.library.version;
  if (named.empty()) return RuleFinding::skip("its manifest names no version of the library");
  const std::string& running = *talk.client(0).ready().version;
  if (is_of_version(running, named)) return RuleFinding::good();
  if (running.empty()) {
    return RuleFinding::wrong("its ready has no version", "version " + named + ", which the manifest names",
                              "put the version that the loaded library reports into ready");
  }
  const std::string install = manifest.install.empty() ? "install that version" : manifest.install;
  return RuleFinding::wrong(
      "its ready has version " + shown_line(running), "version " + named + ", which the manifest names",
      "if " + named + " is the version to test: " + install + "; else write \"version\": \"" + shown_line(running) +
          "\" in 'library' of lock.json: results are reported for that version");
}

RuleFinding same_can(AdapterTalk& talk) {
  auto said = *talk.client(0).ready().can;
  auto written = talk.manifest().can;
  std::sort(said.begin(), said.end());
  std::sort(written.begin(), written.end());
  if (said == written) return RuleFinding::good();
  return RuleFinding::wrong("its ready has in 'can': " + texts_of(said),
                            "the same as in the manifest: " + texts_of(written), "use the same words in 'can' of both");
}

RuleFinding free_is_granted(AdapterTalk& talk) {
  if (talk.manifest().schedules()) return RuleFinding::skip(kNotAsked);
  const std::string key = talk.next_key();
  const AdapterSaid answer = talk.client(0).ask(talk.acquire(key));
  const std::string to =
      R"(grant a free lock; if its library takes whole seconds, say "whole_seconds": true in lock.json)";
  if (auto wrong = talk.expect_said(talk.acquire(key), answer, {ok}, to)) return *wrong;
  if (!answer.message.lease_ms || talk.manifest().lease) return RuleFinding::good();
  return RuleFinding::wrong("it answers " + shown_line(to_line(answer.message)),
                            R"(no lease_ms, because the manifest says "lease": false)",
                            R"(leave out lease_ms, or remove "lease": false from the manifest)");
}

RuleFinding held_is_busy(AdapterTalk& talk) {
  if (talk.manifest().schedules()) return RuleFinding::skip(kNotAsked);
  const std::string key = talk.next_key();
  if (auto wrong = talk.expect(0, talk.acquire(key), {ok}, "grant a free lock")) return *wrong;
  const AdapterSaid answer = talk.client(1).ask(talk.acquire(key));
  const std::string to = "answer the library's result while another client holds the lock: busy";
  if (auto wrong = talk.expect_said(talk.acquire(key), answer, {busy}, to)) return *wrong;
  const std::int64_t took_ms = (answer.read_ns - answer.sent_ns) / 1'000'000;
  if (took_ms <= kRefused_ms) return RuleFinding::good();
  return RuleFinding::wrong("with wait_ms 0 it took " + std::to_string(took_ms) + " ms to answer busy",
                            "an immediate answer", "make a single attempt if wait_ms is 0")
      .excused(talk.waits().excuse(answer.sent_ns, answer.read_ns, kRefused_ms));
}

RuleFinding released_is_free(AdapterTalk& talk) {
  if (talk.manifest().schedules()) return RuleFinding::skip(kNotAsked);
  if (!talk.manifest().releases) return RuleFinding::skip("its manifest says that it does not release");
  const std::string key = talk.next_key();
  if (auto wrong = talk.expect(0, talk.acquire(key), {ok}, "grant a free lock")) return *wrong;
  if (auto wrong = talk.expect_given_back(0, key)) return *wrong;
  if (auto wrong = talk.expect_released(1, key, "grant a lock that another client has released")) return *wrong;
  return RuleFinding::good();
}

RuleFinding nothing_to_release(AdapterTalk& talk) {
  if (talk.manifest().schedules()) return RuleFinding::skip(kNotAsked);
  if (!talk.manifest().releases) return RuleFinding::skip("its manifest says that it does not release");
  const std::string key = talk.next_key();
  // `info`, where the library's release returns nothing.
  const std::string to =
      "answer the library's result for a lock that is not held: not_held, or info if the library "
      "reports nothing";
  if (auto wrong = talk.expect(0, talk.request(release, key), {not_held, fail, info}, to)) return *wrong;
  return RuleFinding::good();
}

RuleFinding pulse_at_once(AdapterTalk& talk) {
  const AdapterSaid answer = talk.client(0).ask({.name = pulse});
  const std::int64_t took_ms = (answer.read_ns - answer.sent_ns) / 1'000'000;
  if (took_ms <= kAtOnce_ms) return RuleFinding::good();
  return RuleFinding::wrong("it took " + std::to_string(took_ms) + " ms to answer a pulse",
                            "an answer within " + std::to_string(kAtOnce_ms) + " ms",
                            "answer it in the thread that reads requests, and flush each line")
      .excused(talk.waits().excuse(answer.sent_ns, answer.read_ns, kAtOnce_ms));
}

// Answering twice, or with another number, is an AdapterError, even later.
RuleFinding each_once(AdapterTalk& talk) {
  AdapterProgram& client = talk.client(0);
  std::vector<std::int64_t> sent;
  sent.reserve(kBurst);
  for (int i = 0; i < kBurst; ++i) sent.push_back(client.send({.name = pulse}));
  for (const std::int64_t n : sent) client.wait(n);
  std::this_thread::sleep_for(kSettles);
  client.refuse_broken();
  return RuleFinding::good();
}

RuleFinding answers_after_a_pause(AdapterTalk& talk) {
  if (talk.manifest().schedules()) return RuleFinding::skip(kNotAsked);
  AdapterProgram& client = talk.client(0);
  const std::string key = talk.next_key();
  std::int64_t n = 0;
  {
    const StoppedAdapter stopped(client);
    n = client.send(talk.acquire(key));
    std::this_thread::sleep_for(kSettles);
  }
  if (auto wrong = talk.expect_said(talk.acquire(key), client.wait(n), {ok}, "answer it, even late")) return *wrong;
  client.ask({.name = pulse});
  return RuleFinding::good();
}

RuleFinding tokens_rise(AdapterTalk& talk) {
  if (talk.manifest().schedules()) return RuleFinding::skip(kNotAsked);
  if (!talk.manifest().fenced) return RuleFinding::skip("its manifest does not say 'fenced'");
  if (!talk.manifest().releases) return RuleFinding::skip("its manifest says that it does not release");
  const std::string key = talk.next_key();
  std::uint64_t before = 0;
  for (const std::uint32_t number : {0U, 1U, 0U}) {
    if (auto wrong = talk.expect_granted_soon(number, key, "grant a free lock")) return *wrong;
    if (auto wrong = talk.expect_given_back(number, key)) return *wrong;
    const AdapterSaid granted = talk.last_grant();
    if (!granted.message.token) {
      return RuleFinding::wrong("a grant has no token: " + to_line(granted.message),
                                "a token, because the manifest says 'fenced'",
                                "answer ok with the library's token; if the library has none, remove 'fenced' from "
                                "the manifest");
    }
    if (*granted.message.token <= before) {
      return RuleFinding::wrong(
                 "the token " + std::to_string(*granted.message.token) + " follows " + std::to_string(before),
                 "a larger one with each grant", "answer the lock library's token")
          .maybe_of_library();
    }
    before = *granted.message.token;
  }
  return RuleFinding::good();
}

}  // namespace

std::vector<AdapterRule> required_rules() {
  return {
      {"name", "its ready has the manifest's name", "", its_name},
      {"version", "its ready has the manifest's version", "", its_version},
      {"can", "its ready has the manifest's 'can'", "", same_can},
      {"acquire_free", "a free lock is granted", "", free_is_granted,
       "%try shows whether it is granted at all (progress)"},
      {"acquire_held", "a lock that another client holds is busy", "", held_is_busy,
       "%try shows whether two clients hold the lock "
       "at once"},
      {"release", "a released lock is free for another client", "", released_is_free,
       "%try shows whether it is ever free again (progress)"},
      {"release_nothing", "a client without the lock cannot release", "", nothing_to_release,
       "%try shows whether it frees another client's lock (ownership)"},
      {"pulse", "a pulse is answered immediately", "", pulse_at_once},
      {"each_once", "each request is answered once", "", each_once},
      {"after_a_pause", "a request sent while it was stopped is answered late", "", answers_after_a_pause},
      {"tokens", "the tokens of a fenced lock rise", "", tokens_rise,
       "%try shows whether a stale token is accepted (fencing)"},
  };
}

}  // namespace holdfast
