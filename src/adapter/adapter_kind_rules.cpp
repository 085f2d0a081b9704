// Rules for adapters of elections (report the leader) and schedulers (begin jobs).
#include <cstdlib>

#include "adapter/adapter_rules.hpp"
#include "artifact/monotonic.hpp"

namespace holdfast {
namespace {

using enum MessageName;

constexpr std::int64_t kTells_ms = 5'000;
constexpr std::int64_t kBegins_ms = 10'000;
const std::vector<MessageName> kEndsJob{ok, not_held, info};

std::string seconds(std::int64_t ms) {
  return std::to_string(ms / 1000) + " s";
}

RuleFinding tells_who_leads(AdapterTalk& talk) {
  if (!talk.manifest().elects()) return RuleFinding::skip(R"(its manifest does not have "kind": "election")");
  const std::string key = talk.next_key();
  const std::int64_t since_ns = monotonic_ns();
  if (auto wrong = talk.expect(0, talk.acquire(key), {ok}, "elect the only candidate")) return *wrong;
  AdapterMessage told{.name = leader, .lock = key};
  told.holder = talk.owner(0);
  for (const std::uint32_t client : {0U, 1U}) {
    const auto said = talk.within(kTells_ms, [&] { return talk.said_at(client, told, since_ns, 0).has_value(); });
    if (said.done) continue;
    return RuleFinding::wrong("client 0 was elected, and client " + std::to_string(client) +
                                  " did not report it within " + seconds(kTells_ms),
                              to_line(told),
                              "send leader, with the owner from the leader's hello, when the library reports it")
        .maybe_of_library()
        .excused(said.excuse);
  }
  return RuleFinding::good();
}

std::optional<std::int64_t> began(AdapterTalk& talk, std::uint32_t client, const std::string& key,
                                  std::int64_t since_ns, std::int64_t within_ms) {
  return talk.said_at(client, {.name = granted, .lock = key}, since_ns, within_ms);
}

// Which of the two begins the job; a finding if neither does.
struct Beginner {
  std::optional<std::uint32_t> client;
  RuleFinding none;
};

Beginner who_begins(AdapterTalk& talk, const std::string& key, std::int64_t since_ns, const std::string& when) {
  const std::int64_t limit_ms = kBegins_ms + talk.manifest().guard_ms;
  Beginner out;
  const auto begun = talk.within(limit_ms, [&] {
    for (const std::uint32_t client : {0U, 1U}) {
      if (!out.client && began(talk, client, key, since_ns, 0)) out.client = client;
    }
    return out.client.has_value();
  });
  if (begun.done) return out;
  out.none = RuleFinding::wrong(when + " no job began within " + seconds(limit_ms), R"({"is":"granted","lock":...})",
                                "send granted when a job's body begins, for each lock that hello names")
                 .maybe_of_library()
                 .excused(begun.excuse);
  return out;
}

RuleFinding jobs_begin_by_themselves(AdapterTalk& talk) {
  if (!talk.manifest().schedules()) return RuleFinding::skip(R"(its manifest does not have "kind": "scheduler")");
  for (const std::uint32_t client : {0U, 1U}) talk.client(client);
  const std::string key = talk.next_key();
  const Beginner first = who_begins(talk, key, 0, "unasked");
  if (!first.client) return first.none;
  const std::int64_t ended_ns = monotonic_ns();
  if (auto wrong = talk.expect(*first.client, talk.request(release, key), kEndsJob, "end the job")) return *wrong;
  return who_begins(talk, key, ended_ns, "after a release").none;
}

// After both have ended their jobs, the next job begins a lease later or never.
RuleFinding one_job_at_a_time(AdapterTalk& talk) {
  if (!talk.manifest().schedules()) return RuleFinding::skip(R"(its manifest does not have "kind": "scheduler")");
  const std::string key = talk.next_key();
  if (const Beginner any = who_begins(talk, key, 0, "unasked"); !any.client) return any.none;
  const std::int64_t since_ns = monotonic_ns();
  for (const std::uint32_t client : {0U, 1U}) {
    if (!began(talk, client, key, 0, 0)) continue;
    if (auto wrong = talk.expect(client, talk.request(release, key), kEndsJob, "end the job")) return *wrong;
  }
  const Beginner first = who_begins(talk, key, since_ns, "after a release");
  if (!first.client) return first.none;
  const auto one_ns = began(talk, *first.client, key, since_ns, 0);
  const auto other_ns = began(talk, 1 - *first.client, key, since_ns, talk.lease_ms() / 2);
  if (!other_ns || std::abs(*other_ns - *one_ns) >= talk.lease_ms() * 1'000'000 / 2) return RuleFinding::good();
  return RuleFinding::wrong("both clients began a job under the same lock without a release between",
                            "one job at a time", "send granted only when the library runs the job's body")
      .maybe_of_library();
}

RuleFinding is_not_asked(AdapterTalk& talk) {
  if (!talk.manifest().schedules()) return RuleFinding::skip(R"(its manifest does not have "kind": "scheduler")");
  const std::string key = talk.next_key();
  if (auto wrong = talk.expect(0, talk.acquire(key), {fail, busy}, "answer fail to an acquire")) return *wrong;
  return RuleFinding::good();
}

}  // namespace

std::vector<AdapterRule> kind_rules() {
  return {
      {"leader", "every client learns the leader", "leader", tells_who_leads,
       "a run shows what each client learned, and how "
       "late"},
      {"job", "jobs begin by themselves, and again after each release", "", jobs_begin_by_themselves,
       "%try shows whether jobs of a free key begin (progress)"},
      {"job_alone", "one job at a time", "", one_job_at_a_time, "%try shows whether two clients hold the lock at once"},
      {"job_asked", "a scheduler refuses an acquire", "", is_not_asked},
  };
}

}  // namespace holdfast
