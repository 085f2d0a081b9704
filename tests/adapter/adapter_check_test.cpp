// Every rule of a check stays silent for an adapter that speaks properly, and fires for one that makes just its
// mistake.
#include "adapter/adapter_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "artifact/poll_until.hpp"
#include "tests/adapter/python_adapter.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

using tests::PythonAdapter;

constexpr AdapterLimits kChecked{10'000, 3'000, 1'000};

StartAdapter start_with(const PythonAdapter& python, const std::string& mistake) {
  return [&python, mistake](std::uint32_t client) {
    return AdapterStart{python.command(mistake), python.hello(client), kChecked};
  };
}

std::string all_text(const AdapterReport& report) {
  std::string out;
  for (const RuleResult& one : report.rules) out += one.text() + "\n";
  return out;
}

bool undecided(const AdapterReport& report) {
  return std::any_of(report.rules.begin(), report.rules.end(),
                     [](const RuleResult& one) { return one.finding.found == Found::undecided; });
}

// Runs rules that find something: again if the machine was too full to decide.
AdapterReport decided(const PythonAdapter& python, const Manifest& manifest, const std::string& mistake,
                      const std::vector<std::string>& rules) {
  AdapterReport report;
  for (int attempt = 0; attempt < 8 && (attempt == 0 || undecided(report)); ++attempt) {
    report = check_adapter(manifest, start_with(python, mistake), {.only = rules});
  }
  return report;
}

const RuleFinding& finding_of(const AdapterReport& report, const std::string& rule) {
  for (const RuleResult& one : report.rules) {
    if (one.rule == rule) return one.finding;
  }
  throw std::out_of_range(rule);
}

TEST(AdapterChecks, SoundAdapterPasses) {
  const PythonAdapter python;
  const AdapterReport report = decided(python, python.manifest(), "sound", {});
  EXPECT_TRUE(report.good()) << all_text(report);
  // checks of elections, schedulers and assertions
  const std::set<std::string> other_kinds{"leader", "job", "job_alone", "job_asked", "always"};
  for (const RuleResult& one : report.rules) {
    EXPECT_EQ(one.finding.found, other_kinds.count(one.rule) > 0 ? Found::skipped : Found::ok) << one.text();
  }
}

TEST(AdapterChecks, ReportEachRuleAtBeginAndEnd) {
  const PythonAdapter python;
  std::string order;
  AdapterCheckOptions options{.only = {"name", "tokens"}};
  options.begins = [&](const std::string& rule) { order += rule + "? "; };
  options.told = [&](const RuleResult& one) { order += one.rule + ". "; };
  Manifest manifest = python.manifest();
  manifest.fenced = false;
  check_adapter(manifest, start_with(python, "sound"), options);
  EXPECT_EQ(order, "start? start. name? name. tokens? tokens. ");
}

TEST(AdapterChecks, SkipUndeclaredFeatures) {
  const PythonAdapter python;
  Manifest manifest = python.manifest();
  manifest.can = {"renew"};
  manifest.fenced = false;
  const AdapterReport report = check_adapter(manifest, start_with(python, "other_can"));
  EXPECT_EQ(finding_of(report, "renew").found, Found::ok);
  EXPECT_EQ(finding_of(report, "tokens").found, Found::skipped);
  EXPECT_EQ(finding_of(report, "wait_busy").found, Found::skipped);
  EXPECT_TRUE(contains(
      all_text(report),
      "SKIPPED wait_busy: a wait lasts wait_ms and ends in busy (its manifest does not say that it can 'wait')"));
}

// A library whose release says nothing has no better answer.
TEST(AdapterChecks, AcceptUncertainRelease) {
  const PythonAdapter python;
  const std::vector<std::string> rules{"release", "owned", "tokens"};
  const AdapterReport report = check_adapter(python.manifest(), start_with(python, "unsure_release"), {.only = rules});
  EXPECT_TRUE(report.good()) << all_text(report);
}

TEST(AdapterChecks, FindUndeclaredLease) {
  const PythonAdapter python;
  Manifest manifest = python.manifest();
  const auto found = [&](const std::string& how) {
    return finding_of(check_adapter(manifest, start_with(python, how), {.only = {"acquire_free"}}), "acquire_free")
        .found;
  };
  EXPECT_EQ(found("says_its_lease"), Found::ok);
  manifest.lease = false;
  EXPECT_EQ(found("says_its_lease"), Found::wrong);
  EXPECT_EQ(found("sound"), Found::ok);
}

TEST(AdapterChecks, ReportNoGrantOnce) {
  const PythonAdapter python;
  const AdapterReport report = check_adapter(python.manifest(), start_with(python, "always_busy"));
  const auto wrong = std::count_if(report.rules.begin(), report.rules.end(),
                                   [](const RuleResult& one) { return one.finding.found == Found::wrong; });
  EXPECT_EQ(finding_of(report, "acquire_free").found, Found::wrong);
  EXPECT_EQ(finding_of(report, "release").found, Found::skipped) << finding_of(report, "release").what;
  EXPECT_LE(wrong, 3) << all_text(report);
}

// So is a renewal of a library that returns nothing; but it must have been made.
TEST(AdapterChecks, AcceptUncertainRenewal) {
  const PythonAdapter python;
  const AdapterReport made =
      check_adapter(python.manifest(), start_with(python, "unsure_renew"), {.only = {"renew", "renew_nothing"}});
  EXPECT_TRUE(made.good()) << all_text(made);
  const PythonAdapter other;  // with a store of its own: nothing of the first check is held in it
  const AdapterReport none = decided(other, other.manifest(), "renews_in_words", {"renew"});
  EXPECT_EQ(finding_of(none, "renew").found, Found::wrong) << all_text(none);
  EXPECT_TRUE(contains(all_text(none), "another was granted the lock")) << all_text(none);
}

// A reentrant library whose release returns nothing.
TEST(AdapterChecks, AcceptUncertainInnerReleases) {
  const PythonAdapter python;
  const AdapterReport report =
      check_adapter(python.manifest(), start_with(python, "unsure_release"), {.only = {"reenter", "release_nothing"}});
  EXPECT_TRUE(report.good()) << all_text(report);
}

std::string version_found(const std::string& named) {
  const PythonAdapter python;
  Manifest manifest = python.manifest();
  manifest.library.version = named;
  manifest.install = "install --it";
  return all_text(check_adapter(manifest, start_with(python, "sound"), {.only = {"version"}}));
}

TEST(AdapterChecks, CompareVersionWithManifest) {
  for (const char* same : {"1.2.3", "1.2", "1", "v1.2.3"}) {
    EXPECT_TRUE(contains(version_found(same), "OK version")) << same << version_found(same);
  }
  EXPECT_TRUE(contains(version_found(""), "SKIPPED version"));
  for (const char* other : {"1.2.30", "1.2.4", "2", "1.2.3.4", "12"}) {
    const std::string text = version_found(other);
    EXPECT_TRUE(contains(text, "WRONG version")) << text;
    EXPECT_TRUE(contains(text, "its ready has version 1.2.3\n")) << text;
    EXPECT_TRUE(contains(text, std::string("if ") + other + " is the version to test: install --it; else write"))
        << text;
  }
}

// Mistakes that may be the library's: no remedy may have an adapter hide them.
const std::set<std::string> kMayBeTheLibrarys{"always_busy",   "grants_twice",   "keeps",          "releases_nothing",
                                              "same_token",    "fails_renew",    "renews_nothing", "owns_all",
                                              "never_waits",   "deaf_to_cancel", "no_reenter",     "leaves_an_orphan",
                                              "forgets_depth", "threads_share",  "silent_loss",    "asserts_false"};

// The rule that must find each mistake.
const std::map<std::string, std::string> kFoundBy{
    {"not_ready", "start"},
    {"cannot_begin", "start"},
    {"other_name", "name"},
    {"other_can", "can"},
    {"always_busy", "acquire_free"},
    {"grants_twice", "acquire_held"},
    {"keeps", "release"},
    {"releases_nothing", "release_nothing"},
    {"slow_pulse", "pulse"},
    {"twice", "each_once"},
    {"stranger", "pulse"},
    {"says_loss_without_end", "pulse"},
    {"never_answers", "after_a_pause"},
    {"no_token", "tokens"},
    {"same_token", "tokens"},
    {"fails_renew", "renew"},
    {"renews_nothing", "renew_nothing"},
    {"owns_all", "owned"},
    {"never_waits", "wait_busy"},
    {"sequential", "pulse_meanwhile"},
    {"deaf_to_cancel", "cancel"},
    {"leaves_an_orphan", "cancel"},
    {"blocks_all", "block"},
    {"blocks_nothing", "block"},
    {"no_reenter", "reenter"},
    {"forgets_depth", "reenter"},
    {"threads_share", "threads"},
    {"silent_loss", "lost"},
    {"says_leader", "unasked"},
    {"bad_exit", "bye"},
    {"ignores_end", "end_of_file"},
    {"orphan", "killed"},
    {"talks_at_the_end", "only_messages"},
    {"other_kind", "assertions"},
    {"asserts_false", "always"},
    {"two_kinds", "pulse"},
};

class AdapterMistakes : public testing::TestWithParam<std::pair<const std::string, std::string>> {};

TEST_P(AdapterMistakes, EachIsFoundByItsRule) {
  const auto& [mistake, rule] = GetParam();
  const PythonAdapter python;
  const AdapterReport report = decided(python, python.manifest(), mistake, {rule});
  EXPECT_FALSE(report.good());
  const RuleFinding& finding = finding_of(report, rule);
  EXPECT_EQ(finding.found, Found::wrong) << all_text(report);
  EXPECT_LE(report.rules.size(), 2U) << "its start, and the rule";
  const std::string text = all_text(report);
  EXPECT_EQ(contains(text, "if the library causes it: do not change the adapter"), kMayBeTheLibrarys.count(mistake) > 0)
      << text;
  EXPECT_FALSE(contains(text, "%try")) << text;
  EXPECT_FALSE(contains(text, "adapter check")) << "the command that told it is no remedy: " << text;
  EXPECT_FALSE(finding.what.empty());
  EXPECT_FALSE(finding.expected.empty());
}

INSTANTIATE_TEST_SUITE_P(Each, AdapterMistakes, testing::ValuesIn(kFoundBy),
                         [](const auto& one) { return one.param.first; });

// A rule that no mistake of these can show has none to stand for it.
TEST(AdapterChecks, EachRuleHasAMistake) {
  std::set<std::string> shown{"version", "wait_granted", "shared"};  // by tests of their own
  for (const auto& [mistake, rule] : kFoundBy) shown.insert(rule);
  for (const auto& rules : {required_rules(), can_rules(), ending_rules(), assertion_rules()}) {
    for (const AdapterRule& rule : rules) EXPECT_EQ(shown.count(rule.name), 1U) << rule.name;
  }
}

TEST(AdapterChecks, TrueAssertionsAreNoFinding) {
  const PythonAdapter python;
  const auto found = [&](const char* mistake) {
    const AdapterReport report = decided(python, python.manifest(), mistake, {"pulse", "always"});
    return finding_of(report, "always").found;
  };
  EXPECT_EQ(found("asserts_true"), Found::ok);
  EXPECT_EQ(found("sound"), Found::skipped);
}

// Lines for people are no messages to look through, however many there are.
TEST(AdapterChecks, KeepNoLogLines) {
  const PythonAdapter python;
  AdapterTalk talk(python.manifest(), start_with(python, "logs_much"));
  EXPECT_EQ(talk.client(0).ask({.name = MessageName::pulse}).message.name, MessageName::ok);
  EXPECT_TRUE(talk.unasked().empty());
}

TEST(AdapterChecks, FindWaitsThatEndWithoutGrant) {
  const PythonAdapter python;
  const AdapterReport report = decided(python, python.manifest(), "never_waits", {"wait_granted"});
  EXPECT_EQ(finding_of(report, "wait_granted").found, Found::wrong) << all_text(report);
}

// A rule that ends while it has its adapter stopped lets it go on, so that the next rule finds one that runs.
TEST(AdapterChecks, ResumeAdapterStoppedByARule) {
  const PythonAdapter python;
  AdapterTalk talk(python.manifest(), start_with(python, "sound"));
  const AdapterProgram& program = talk.client(0);
  const auto fails = [&] {
    const StoppedAdapter stopped(program);
    EXPECT_TRUE(poll_until([&] { return is_stopped(process_state(program.pid())); }, 5, after_ms(5'000)));
    throw AdapterError("while it is stopped");
  };
  EXPECT_THROW(fails(), AdapterError);
  ASSERT_TRUE(poll_until([&] { return !is_stopped(process_state(program.pid())); }, 5, after_ms(5'000)));
  EXPECT_EQ(talk.client(0).ask({.name = MessageName::pulse}).message.name, MessageName::ok);
}

TEST(AdapterChecks, FindAcquiresThatDoNotShare) {
  const PythonAdapter python;
  const AdapterReport report =
      check_adapter(python.manifest(), start_with(python, "always_busy"), {.only = {"shared"}});
  EXPECT_EQ(finding_of(report, "shared").found, Found::wrong) << all_text(report);
  const std::string text = all_text(report);
  EXPECT_TRUE(
      contains(text, "WRONG shared: several clients may share the lock\n  what happened: to {\"do\":\"acquire\""))
      << text;
  EXPECT_TRUE(contains(
      text, "\n  expected: ok\n  remedy, if the adapter causes it: let acquire ask the library for a shared lock"))
      << text;
}

}  // namespace
}  // namespace holdfast
