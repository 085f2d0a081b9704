// What an adapter of another kind than a lock has to do besides: an election tells who leads, a scheduler begins jobs.
#include <cstdlib>

#include "adapter/adapter_rules.hpp"
#include "artifact/monotonic.hpp"

namespace holdfast {
namespace {

using enum MessageName;

constexpr std::int64_t kTells_ms = 5'000;
constexpr std::int64_t kBegins_ms = 10'000;

std::string seconds(std::int64_t ms) {
  return std::to_string(ms / 1000) + " s";
}

RuleFinding tells_who_leads(AdapterTalk& talk) {
  if (!talk.manifest().elects()) return RuleFinding::skip("its manifest does not say that it is an election");
  const std::string key = talk.next_key();
  const std::int64_t since_ns = monotonic_ns();
  if (auto wrong = talk.expect(0, talk.acquire(key), {ok}, "elect the only candidate")) return *wrong;
  AdapterMessage told{.name = leader, .lock = key};
  told.holder = talk.owner(0);
  for (const std::uint32_t client : {0U, 1U}) {
    if (talk.said_at(client, told, since_ns, kTells_ms)) continue;
    return RuleFinding::wrong(
        "client 0 was elected, and client " + std::to_string(client) + " was not told within " + seconds(kTells_ms),
        to_line(told), "say leader, with the owner of the leader's hello, when it is known");
  }
  return RuleFinding::good();
}

std::optional<std::int64_t> began(AdapterTalk& talk, std::uint32_t client, const std::string& key,
                                  std::int64_t since_ns, std::int64_t within_ms) {
  return talk.said_at(client, {.name = granted, .lock = key}, since_ns, within_ms);
}

// Which of the two has begun it; nothing: neither has.
std::optional<std::uint32_t> who_begins(AdapterTalk& talk, const std::string& key, std::int64_t since_ns) {
  for (std::int64_t waited_ms = 0; waited_ms < kBegins_ms + talk.manifest().guard_ms; waited_ms += 100) {
    for (const std::uint32_t client : {0U, 1U}) {
      if (began(talk, client, key, since_ns, 50)) return client;
    }
  }
  return std::nullopt;
}

RuleFinding no_job(const std::string& when) {
  return RuleFinding::wrong(when + " no job began within " + seconds(kBegins_ms), R"({"is":"granted","lock":...})",
                            "say granted when a job's body begins, of each lock that hello names");
}

RuleFinding jobs_begin_by_themselves(AdapterTalk& talk) {
  if (!talk.manifest().schedules()) return RuleFinding::skip("its manifest does not say that it is a scheduler");
  for (const std::uint32_t client : {0U, 1U}) talk.client(client);
  const std::string key = talk.next_key();
  const auto first = who_begins(talk, key, 0);
  if (!first) return no_job("unasked");
  const std::int64_t ended_ns = monotonic_ns();
  if (auto wrong = talk.expect(*first, talk.request(release, key), {ok, not_held}, "end the job")) return *wrong;
  if (!who_begins(talk, key, ended_ns)) return no_job("after a release");
  return RuleFinding::good();
}

// Once both have ended what they had begun, the second to begin one does so a lease after the first, or never.
RuleFinding one_job_at_a_time(AdapterTalk& talk) {
  if (!talk.manifest().schedules()) return RuleFinding::skip("its manifest does not say that it is a scheduler");
  const std::string key = talk.next_key();
  if (!who_begins(talk, key, 0)) return no_job("unasked");
  const std::int64_t since_ns = monotonic_ns();
  for (const std::uint32_t client : {0U, 1U}) {
    if (!began(talk, client, key, 0, 0)) continue;
    if (auto wrong = talk.expect(client, talk.request(release, key), {ok, not_held}, "end the job")) return *wrong;
  }
  const auto first = who_begins(talk, key, since_ns);
  if (!first) return no_job("after a release");
  const auto one_ns = began(talk, *first, key, since_ns, 0);
  const auto other_ns = began(talk, 1 - *first, key, since_ns, talk.lease_ms() / 2);
  if (!other_ns || std::abs(*other_ns - *one_ns) >= talk.lease_ms() * 1'000'000 / 2) return RuleFinding::good();
  return RuleFinding::wrong("both clients began a job of one lock, and none was released", "one job at a time",
                            "say granted only under the lock");
}

RuleFinding is_not_asked(AdapterTalk& talk) {
  if (!talk.manifest().schedules()) return RuleFinding::skip("its manifest does not say that it is a scheduler");
  const std::string key = talk.next_key();
  if (auto wrong = talk.expect(0, talk.acquire(key), {fail, busy}, "refuse to be asked")) return *wrong;
  return RuleFinding::good();
}

}  // namespace

std::vector<AdapterRule> kind_rules() {
  return {
      {"leader", "all are told who leads", "leader", tells_who_leads},
      {"job", "jobs begin by themselves, again after each release", "", jobs_begin_by_themselves},
      {"job_alone", "one job at a time", "", one_job_at_a_time},
      {"job_asked", "a scheduler refuses an acquire", "", is_not_asked},
  };
}

}  // namespace holdfast
