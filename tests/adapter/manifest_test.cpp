// Manifests: what is refused with file, line, key and remedy, and what a sound one means.
#include "adapter/manifest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "artifact/error.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

constexpr const char* kSmallest = R"({"name": "a_b", "command": ["sh", "./x.sh"], "servers": ["redis"]})";

std::string with(const std::string& keys) {
  const std::string smallest = kSmallest;
  return smallest.substr(0, smallest.size() - 1) + ",\n" + keys + "}";
}

std::string manifest_refusal(const std::string& text) {
  return refusal([&] { read_manifest(text, "f/lock.json", {"redis", "mysqld"}); });
}

TEST(Manifests, HaveFewRequiredKeys) {
  const Manifest manifest = read_manifest(kSmallest, "f/lock.json");
  EXPECT_EQ(manifest.name, "a_b");
  EXPECT_EQ(manifest.folder, "f");
  EXPECT_EQ(manifest.command, (std::vector<std::string>{"sh", "./x.sh"}));
  EXPECT_EQ(manifest.start_ms, 30'000);
  EXPECT_TRUE(manifest.lease && manifest.releases && !manifest.fenced && !manifest.can_do("renew"));
  EXPECT_EQ(read_manifest(kSmallest, "lock.json").folder, ".");
  EXPECT_EQ(manifest_refusal(R"({"command": ["a"], "servers": []})"), "f/lock.json:1: 'name' is missing");
  EXPECT_EQ(manifest_refusal(R"({"name": "a", "servers": []})"), "f/lock.json:1: 'command' is missing");
  EXPECT_EQ(manifest_refusal(R"({"name": "a", "command": ["a"]})"), "f/lock.json:1: 'servers' is missing");
}

TEST(Manifests, KindIsRead) {
  EXPECT_FALSE(read_manifest(kSmallest, "lock.json").elects());
  const Manifest election = read_manifest(with(R"("kind": "election", "tick_ms": 50)"), "lock.json");
  EXPECT_TRUE(election.elects() && !election.schedules());
  EXPECT_EQ(election.tick_ms, 50);
  EXPECT_TRUE(read_manifest(with(R"("kind": "scheduler")"), "lock.json").schedules());
  EXPECT_TRUE(contains(manifest_refusal(with(R"("kind": "leader")")), "lock.json:2: kind"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("tick_ms": 50)")), "remedy: add \"kind\": \"election\""));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("kind": "scheduler", "releases": false)")), "ends with release"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("kind": "scheduler", "can": ["wait"])")), "cannot 'wait'"));
}

TEST(Manifests, ElectionPromisesLeaderView) {
  const auto promises = [](const std::string& keys) {
    return promised_properties(read_manifest(with(keys), "l.json"));
  };
  const auto has = [](const std::vector<std::string>& all) {
    return std::find(all.begin(), all.end(), "leader_view") != all.end();
  };
  EXPECT_TRUE(has(promises(R"("kind": "election", "can": ["leader"])")));
  EXPECT_FALSE(has(promises(R"("kind": "election")")));
  EXPECT_FALSE(has(promises(R"("can": ["leader"])")));
  const auto of_lease = [](const std::vector<std::string>& all) {
    return std::find(all.begin(), all.end(), "lease_exclusion") != all.end();
  };
  EXPECT_TRUE(of_lease(promises(R"("kind": "election")")));
  EXPECT_FALSE(of_lease(promises(R"("kind": "scheduler")")));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("kind": "scheduler", "promises": {"lease_exclusion": "x"})")),
                       "the start of a scheduler's lease is unknown"));
}

TEST(Manifests, AssertionsAreRead) {
  const Manifest manifest = read_manifest(with(R"("assertions": [{"kind": "reached", "name": "a b"}])"), "lock.json");
  EXPECT_EQ(manifest.assertions, (std::vector<AssertionName>{{AssertionKind::reached, "a b"}}));
  EXPECT_EQ(canonical_json(manifest).at("assertions").at(0).at("kind"), "reached");
  EXPECT_FALSE(canonical_json(read_manifest(kSmallest, "lock.json")).contains("assertions"));
  const auto refused = [](const std::string& list) { return manifest_refusal(with("\"assertions\": " + list)); };
  EXPECT_TRUE(contains(refused(R"(["a"])"), "f/lock.json:2: assertions[0]: expected an object"));
  EXPECT_TRUE(contains(refused(R"([{"kind": "alway", "name": "a"}])"), "assertions[0].kind: "));
  EXPECT_TRUE(contains(refused(R"([{"kind": "always", "name": ""}])"), "assertions[0].name: expected 1 to 100 bytes"));
  EXPECT_TRUE(contains(refused(R"([{"kind": "always", "name": "a"}, {"kind": "reached", "name": "a"}])"),
                       "assertions[1]: this name is listed twice"));
  EXPECT_TRUE(contains(refused(R"({"a": "always"})"), "expected a list; remedy: "));
}

// Named promises restrict the others, not what the author asserts.
TEST(Manifests, AssertionsAreAlwaysJudged) {
  const auto named = promised_properties(read_manifest(with(R"("promises": {"progress": "README"})"), "l.json"));
  EXPECT_EQ(named, (std::vector<std::string>{"progress", "author_assertions"}));
}

TEST(Manifests, RefusalNamesLineKeyAndRemedy) {
  EXPECT_EQ(manifest_refusal(with(R"("leas": true)")).substr(0, 62),
            "f/lock.json:2: leas: unknown key 'leas' (did you mean 'lease'?");
  EXPECT_EQ(manifest_refusal(R"({"name": "A-b", "command": ["a"], "servers": []})"),
            "f/lock.json:1: name: expected lower-case letters and digits, joined by '_', at most 60 characters; "
            "remedy: for example \"my_lock\"");
  EXPECT_TRUE(contains(manifest_refusal(with(R"("can": ["renw"])")), "can[0]: unknown word 'renw' (did you mean"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("can": ["lost", "lost"])")), "can[1]: is listed twice"));
  EXPECT_TRUE(contains(manifest_refusal(R"({"name": "a", "command": [], "servers": []})"), "a program is missing"));
  EXPECT_TRUE(contains(manifest_refusal(R"({"name": "a", "command": ["a"], "servers": ["redi"]})"),
                       "servers[0]: unknown kind of server 'redi' (did you mean 'redis'?)"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("promises": {"exclusion": "x"})")), "unknown property 'exclusion'"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("promises": {"mutual_exclusion": ""})")), "expected the reason"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("assumes": {"skew": "x"})")), "unknown cause 'skew'"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("assumes": {"client_skew": 1})")), "expected the reason"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("waits_ms": 5)")), "remedy: add it to 'can', or remove 'waits_ms'"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("watchdog_ms": 5)")), "can 'background'"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("lease": false, "can": ["background"])")), "has a lease"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("environment": ["A=B"])")), "expected the name of a variable"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("library": {"nam": "x"})")), "(did you mean it by 'nam'?)"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("start_ms": 0)")), "must be from 1 to"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("options": {"a": {"b": {"c": {"d": 1}}}})")), "nested too deeply"));
  EXPECT_TRUE(contains(manifest_refusal(with("\"options\": {\"a\": \"" + std::string(20'000, 'x') + "\"}")), "16 KiB"));
  EXPECT_TRUE(contains(manifest_refusal("{"), "f/lock.json:1: not JSON"));
}

TEST(Manifests, LossNoticeNeedsTimeAndWay) {
  const auto promises = [](const std::string& more) {
    const auto names = promised_properties(read_manifest(with(more), "f/lock.json"));
    return std::find(names.begin(), names.end(), "loss_notice") != names.end();
  };
  const std::string within = R"("loss_notice_ms": 500)";
  EXPECT_FALSE(promises(R"("can": ["lost"])"));
  for (const char* way : {"lost", "owned", "renew"}) {
    EXPECT_TRUE(promises(within + R"(, "can": [")" + way + "\"]"));
  }
  EXPECT_TRUE(contains(manifest_refusal(with(within)), "loss_notice_ms: needs an adapter that can 'lost'"));
  EXPECT_TRUE(contains(manifest_refusal(with(R"("promises": {"loss_notice": "it says so"})")),
                       "needs a time; remedy: add 'loss_notice_ms'"));
  const std::string named = within + R"(, "can": ["lost"], "promises": )";
  EXPECT_TRUE(contains(manifest_refusal(with(named + R"({"progress": "it says so"})")),
                       "remedy: add 'loss_notice' with a reason to 'promises'"));
  EXPECT_TRUE(promises(named + R"({"loss_notice": "it says so"})"));
}

TEST(Manifests, HaveOneCanonicalForm) {
  const Manifest plain = read_manifest(kSmallest, "f/lock.json");
  const Manifest same = read_manifest(with(R"("lease": true, "start_ms": 30000)"), "g/lock.json");
  const Manifest other = read_manifest(with(R"("lease": false, "promises": {"mutual_exclusion": "why"})"), "lock.json");
  EXPECT_EQ(canonical_json(plain), canonical_json(same));
  EXPECT_NE(canonical_json(plain), canonical_json(other));
  for (const Manifest& one : {plain, other}) {
    const auto json = canonical_json(one);
    EXPECT_EQ(canonical_json(read_manifest(json.dump(), "x")), json);
  }
}

TEST(Manifests, PromisesAreDeclaredOrDefault) {
  const auto promised = [](const std::string& keys) {
    return promised_properties(read_manifest(with(keys), "lock.json"));
  };
  EXPECT_EQ(promised(R"("promises": {"mutual_exclusion": "why"})"),
            (std::vector<std::string>{"mutual_exclusion", "author_assertions"}));
  EXPECT_EQ(promised(R"("promises": {})"), std::vector<std::string>{"author_assertions"});
  const auto plain = promised(R"("fenced": false)");
  const auto fenced = promised(R"("fenced": true)");
  EXPECT_FALSE(plain.empty());
  EXPECT_GT(fenced.size(), plain.size());
}

TEST(Manifests, FindTheirProgram) {
  const TemporaryFolder folder;
  folder.write("x.sh", "#!/bin/sh\n");
  Manifest manifest = read_manifest(with(R"("install": "make it")"), folder.file("lock.json"));
  const auto missing = [&] {
    try {
      found_command(manifest);
    } catch (const Unavailable& refused) {
      return std::string(refused.what());
    }
    return std::string("found");
  };
  const auto words = found_command(manifest);
  EXPECT_TRUE(words[0].ends_with("/sh")) << words[0];
  EXPECT_EQ(words[1], folder.file("x.sh"));
  manifest.command = {"./x.sh"};
  EXPECT_TRUE(contains(missing(), "is not executable (chmod +x); remedy: make it")) << missing();
  std::filesystem::permissions(folder.file("x.sh"), std::filesystem::perms::owner_all);
  EXPECT_EQ(missing(), "found");
  manifest.paths = {"node_modules"};
  EXPECT_TRUE(contains(missing(), "node_modules is missing; remedy: make it")) << missing();
  manifest.paths = {"x.sh"};
  EXPECT_EQ(missing(), "found");
  manifest.command = {"no_such_program_anywhere"};
  EXPECT_TRUE(contains(missing(), "no program no_such_program_anywhere in PATH")) << missing();
}

TEST(Manifests, EnvironmentHasOnlyNamedVariables) {
  Manifest manifest;
  ::setenv("HOLDFAST_TEST_PASSED", "1", 1);
  EXPECT_EQ(adapter_environment(manifest).count("HOLDFAST_TEST_PASSED"), 0U);
  manifest.environment = {"HOLDFAST_TEST_PASSED", "HOLDFAST_TEST_NOT_THERE"};
  EXPECT_EQ(adapter_environment(manifest).at("HOLDFAST_TEST_PASSED"), "1");
  EXPECT_EQ(adapter_environment(manifest).count("HOLDFAST_TEST_NOT_THERE"), 0U);
  EXPECT_EQ(adapter_environment(manifest).count("PATH"), 1U);
}

TEST(Manifests, SchemaHasTheSameKeys) {
  const Schema schema = manifest_schema();
  const auto json = canonical_json(read_manifest(kSmallest, "x"));
  for (const auto& [key, value] : json.items()) {
    EXPECT_TRUE(schema.at("properties").contains(key)) << key;
  }
}

}  // namespace
}  // namespace holdfast
