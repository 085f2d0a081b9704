// The page is read by a real XML parser: what it finds well-formed, no browser reads differently.
#include "reports/page.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "artifact/json_text.hpp"
#include "reports/html.hpp"
#include "tests/reports/made_up_history.hpp"
#include "tests/reports/made_up_run.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

std::string written(const std::string& name, const std::string& page) {
  std::string path = test_file("page_" + name + ".html");
  write_text_file(path, page);
  return path;
}

// tests/page/structure.py: well-formed, ids unique, every link leads somewhere, nothing is loaded, nothing runs.
int structure_errors(const std::string& path) {
  const std::string command = "python3 '" HOLDFAST_SOURCE "/tests/page/structure.py' '" + path + "'";
  return std::system(command.c_str());
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Page, IsWellFormedForEveryKindOfRun) {
  EXPECT_EQ(structure_errors(written("failing", made_up::page_of(made_up::failing_run()))), 0);
  EXPECT_EQ(structure_errors(written("repeated", made_up::page_of(made_up::failing_run(3)))), 0);
  EXPECT_EQ(structure_errors(written("passing", made_up::page_of(made_up::passing_run()))), 0);
  EXPECT_EQ(structure_errors(written("interrupted", made_up::page_of(made_up::interrupted_run()))), 0);
  EXPECT_EQ(structure_errors(written("empty", made_up::page_of({}))), 0);
}

TEST(Page, IsWellFormedWithHostileTexts) {
  const std::string page = made_up::page_of(made_up::hostile_run());
  EXPECT_EQ(structure_errors(written("hostile", page)), 0);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_EQ(page.find('\xff'), std::string::npos);
  EXPECT_EQ(page.find("\xe2\x80\xae"), std::string::npos);
  EXPECT_NE(page.find("\\xFF"), std::string::npos);
}

TEST(Page, StructureCheckFindsErrors) {
  const std::string good = made_up::page_of(made_up::failing_run());
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string page = good;
    const auto at = page.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    page.replace(at, from.size(), to);
    return structure_errors(written("broken", page));
  };
  EXPECT_NE(broken("</main>", ""), 0);
  EXPECT_NE(broken("</main>", "<script>1</script></main>"), 0);
  EXPECT_NE(broken("</main>", "<style>p{}</style></main>"), 0);
  EXPECT_NE(broken("</main>", "<script type=\"text/plain\">{}</script></main>"), 0);
  EXPECT_NE(broken("script-src ", "script-src 'unsafe-inline' "), 0);
  EXPECT_NE(broken("default-src &#39;none&#39;", "default-src *"), 0);
  EXPECT_NE(broken("</main>", "<p onclick=\"1\"></p></main>"), 0);
  EXPECT_NE(broken("href=\"#ip_lease/pause\"", "href=\"#nowhere\""), 0);
  EXPECT_NE(broken("href=\"#ip_lease/pause\"", "href=\"https://example.org/\""), 0);
  EXPECT_NE(broken("id=\"ip_lease/pause\"", "id=\"ip_lease/none\""), 0);
}

TEST(Page, LeadsWithTheUnexpectedViolationAndItsCommand) {
  const std::string page = made_up::page_of(made_up::failing_run());
  const auto finding = page.find("id=\"finding\"");
  ASSERT_NE(finding, std::string::npos);
  const std::string told = page.substr(finding, page.find("id=\"faults\"") - finding);
  EXPECT_NE(told.find("nowait_lease under skew: clients 3 and 7 both held &quot;orders&quot; for 812 ms"),
            std::string::npos);
  EXPECT_NE(told.find("holdfast run scenarios/quick --seed 42 --only nowait_lease/skew"), std::string::npos);
  EXPECT_NE(told.find("both act as holder, 812 ms"), std::string::npos);
  EXPECT_NE(told.find("class=\"violation\""), std::string::npos);
  EXPECT_LT(page.find("id=\"matrix\""), finding);
}

TEST(Page, ViolationsPrecedeTheMatrix) {
  const std::string page = made_up::page_of(made_up::failing_run());
  const std::string head = page.substr(page.find("<header"), page.find("id=\"matrix\"") - page.find("<header"));
  EXPECT_NE(head.find("nowait_lease under skew: clients 3 and 7 both held &quot;orders&quot; for 812 ms"),
            std::string::npos);
  EXPECT_EQ(made_up::page_of(made_up::passing_run()).find("class=\"lead\""), std::string::npos);
}

std::string head_of(const made_up::Page& in) {
  const std::string page = made_up::page_of(in);
  const auto from = page.find("<header");
  return page.substr(from, page.find("</header>") - from);
}

TEST(Page, HeadSaysTheFlawThenTheRemedyThenTheMachine) {
  const std::string head = head_of(made_up::failing_run());
  const auto flaw = head.find("href=\"#finding\"");
  const auto remedy = head.find("Likely: ");
  const auto again = head.find("--only nowait_lease/skew");
  const auto caught = head.find("known flaws were caught, as expected; ");
  const auto machine = head.find("MariaDB 10.11.19");
  EXPECT_LT(head.find("4 locks · 5 scenarios · 20 cells (one lock under one scenario each) · suite quick"), flaw);
  EXPECT_LT(flaw, remedy);
  EXPECT_LT(remedy, again);
  EXPECT_LT(again, caught);
  EXPECT_LT(caught, machine);
  EXPECT_NE(machine, std::string::npos);
}

TEST(Page, GradeComesBeforeTheResultAndTheBudgetLast) {
  made_up::Page in = made_up::allowed_run();
  in.run.suite = "generated";
  in.run.cells.back().planned = 2;
  in.run.stopped = "the time budget of 60s was over";
  const std::string head = head_of(in);
  const std::string first = head.substr(0, head.find("</h1>"));
  EXPECT_NE(first.find("As safe as a lease can be"), std::string::npos) << first;
  EXPECT_EQ(first.find("budget"), std::string::npos) << first;
  EXPECT_LT(head.find("It kept every promise"), head.find("Results: "));
  EXPECT_LT(head.find("Results: "), head.find("The time budget of 60s was over."));
  EXPECT_NE(head.find("The time budget"), std::string::npos);
}

TEST(Page, AllowedViolationIsAnExample) {
  const std::string head = head_of(made_up::allowed_run());
  EXPECT_NE(head.find("<p class=\"example\">Example: "), std::string::npos) << head;
  EXPECT_EQ(head.find("UNDECIDED"), std::string::npos);
}

TEST(Page, HeadOfASearchHasTheFindWithoutItsSchedule) {
  made_up::Page in = made_up::explored_run();
  EXPECT_EQ(head_of(in).find("schedule: "), std::string::npos);
  in.run.cells.pop_back();
  in.run.locks.pop_back();
  const std::string head = head_of(in);
  EXPECT_NE(head.find(" a: A and B both hold</span>"), std::string::npos) << head;
  EXPECT_NE(head.find("replay runs/x/a.two_holders.replay"), std::string::npos);
}

TEST(Page, SearchShowsTheReleaseOfAnothersLockFirst) {
  made_up::Page in = made_up::explored_run();
  PropertyVerdict& freed = in.run.cells.front().trials.front().verdict.properties.emplace_back();
  freed.property = "ownership";
  freed.judgement = Judgement::violated;
  freed.kind = "foreign_release";
  Witness witness;
  witness.kind = freed.kind;
  witness.text = "A released B's lock; schedule: A B A";
  freed.witnesses = {witness};
  const std::string head = head_of(in);
  EXPECT_NE(head.find("A released B&#39;s lock"), std::string::npos) << head;
  EXPECT_NE(head.find("the release must name, in one statement, the key and an owner"), std::string::npos) << head;
}

TEST(Page, SearchShowsTheStepsOfEachLock) {
  const made_up::Page in = made_up::explored_run();
  const std::string page = made_up::page_of(in);
  EXPECT_EQ(structure_errors(written("explored", page)), 0);
  EXPECT_EQ(count(page, "<table class=\"steps cards\">"), 3U) << "the finding, and one for each lock";
  EXPECT_EQ(count(page, "SELECT owner &lt;x&gt;"), 3U);
  EXPECT_NE(page.find("<th scope=\"col\">client B</th>"), std::string::npos);
  EXPECT_NE(page.find("time passes: +2.6s"), std::string::npos);
  EXPECT_NE(page.find("→ 1 change"), std::string::npos);
  const std::string cells = page.substr(page.find("id=\"cells\""));
  for (const std::string lock : {"a", "b"}) {
    const std::string own = cells.substr(cells.find("id=\"" + lock + "/explore\""));
    EXPECT_LT(own.find("runs/x/" + lock + ".two_holders.replay"), own.find("holdfast explore " + lock + " --budget"));
  }
  EXPECT_NE(head_of(in).find("Here: select of one."), std::string::npos);
  made_up::Page named = in;
  for (auto& [lock, finds] : named.explored) finds.front().flaw = "select and insert are two steps.";
  EXPECT_NE(head_of(named).find("Flaw: </strong>select and insert are two steps."), std::string::npos)
      << head_of(named);
  EXPECT_EQ(head_of(named).find("Here: "), std::string::npos) << "no guess beside it";
}

TEST(Page, LargeRunStaysSmallUntilACellIsOpened) {
  const std::string page = made_up::page_of(made_up::large_run());
  EXPECT_EQ(structure_errors(written("large", page)), 0);
  EXPECT_LT(page.size(), 3'000'000U);
  EXPECT_EQ(count(page, "data-body="), 910U - 1U) << "all but the unexpected one";
  EXPECT_LT(count(page, "</") + count(page, "/>"), 30'000U) << "elements";
  EXPECT_EQ(count(page, "<noscript>"), count(page, "data-body="));
}

// If a budget ended the run, the names of unstarted cells are enough; a few of them stay in the table.
TEST(Page, UnstartedCellsAreListedBelowTheMatrix) {
  for (const int more : {2, 12}) {
    made_up::Page in = made_up::failing_run();
    for (int n = 0; n < more; ++n) {
      Cell cell = in.run.cells.front();
      cell.scenario = "later_" + std::to_string(n);
      cell.outcome = Outcome::not_run;
      cell.trials.clear();
      in.run.cells.push_back(cell);
      in.run.scenarios.push_back(cell.scenario);
    }
    const std::string page = made_up::page_of(in);
    const std::string table =
        page.substr(page.find("id=\"matrix\""), page.find("class=\"legend\"") - page.find("id=\"matrix\""));
    const bool told_below = table.find("class=\"not-begun\"") != std::string::npos;
    EXPECT_EQ(told_below, more > 3);
    EXPECT_EQ(table.find("href=\"#" + in.run.cells.back().lock + "/later_1\"") == std::string::npos, more > 3);
    EXPECT_NE(table.find("later_1"), std::string::npos);
  }
}

TEST(Page, ClipsLongNames) {
  made_up::Page in = made_up::failing_run();
  for (auto& cell : in.run.cells) {
    for (auto& trial : cell.trials) {
      if (!trial.error.empty()) trial.error = std::string(10'000, 'e');
      for (auto& property : trial.verdict.properties) {
        for (auto& witness : property.witnesses) witness.key = std::string(10'000, 'k');
      }
    }
  }
  const std::string page = made_up::page_of(in);
  const std::string first = page.substr(page.find("<header"), page.find("id=\"faults\"") - page.find("<header"));
  EXPECT_NE(first.find(std::string(50, 'k') + "k"), std::string::npos);
  EXPECT_EQ(first.find(std::string(100, 'k')), std::string::npos);
  EXPECT_NE(first.find(std::string(400, 'e')), std::string::npos);
}

TEST(Page, PassingRunHasNoViolationMark) {
  const std::string page = made_up::page_of(made_up::passing_run());
  EXPECT_EQ(page.find("id=\"finding\""), std::string::npos);
  EXPECT_EQ(page.find("act as holder,"), std::string::npos);
  EXPECT_EQ(page.find("violation-name\""), std::string::npos);
  EXPECT_EQ(count(page, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"timeline\""), 20U);
}

TEST(Page, OpensTheCellsThatAreNotAsExpected) {
  const std::string page = made_up::page_of(made_up::failing_run());
  EXPECT_EQ(count(page, "<details class=\"cell\" open=\"open\">"), 4U);  // unexpected, missed, undecided, error
  EXPECT_EQ(count(page, "<details class=\"cell\""), 20U);
}

TEST(Page, MarksAnInterruptedRun) {
  const std::string page = made_up::page_of(made_up::interrupted_run());
  EXPECT_NE(page.find("INTERRUPTED"), std::string::npos);
  EXPECT_NE(page.find("This run was interrupted"), std::string::npos);
  EXPECT_EQ(count(page, "no cell</span>"), 18U);
}

TEST(Page, ShowsTheStoryWithoutTheTrialsVerdict) {
  made_up::Page in = made_up::failing_run();
  in.trials.clear();
  const std::string page = made_up::page_of(in);
  EXPECT_EQ(structure_errors(written("bare", page)), 0);
  EXPECT_NE(page.find("client 3 went on as owner"), std::string::npos);
  EXPECT_EQ(page.find("class=\"timeline\""), std::string::npos);
}

TEST(Page, StaysUnderTwoMegabytesForLongTrials) {
  made_up::Page in = made_up::failing_run(10);
  for (auto& [folder, verdict] : in.trials) {
    verdict.timeline.end_ns = 600'000'000'000;
    for (int i = 0; i < 5000; ++i) {
      const std::int64_t at = 19'000'000'000 + i * 100'000'000LL;
      verdict.timeline.spans.push_back(
          {static_cast<std::uint32_t>(i % 50), "orders", at, at + 90'000'000, at + 2'000'000'000, 1, 2});
      verdict.timeline.writes.push_back(
          {static_cast<std::uint32_t>(i % 50), "orders", at, i % 3 == 0 ? "fail" : "ok", 3});
    }
  }
  EXPECT_LT(made_up::page_of(in).size(), 2'000'000U);
  for (auto& [folder, verdict] : in.trials) verdict.timeline.faults.clear();  // then the whole trial is shown
  EXPECT_LT(made_up::page_of(in).size(), 2'000'000U);
}

// The bar: a page under 2 MB for 100,000 events. The severest trial's come first.
TEST(Page, MostSevereTrialsKeepTheirEvents) {
  made_up::Page in = made_up::failing_run();
  const auto many = made_up::story("nowait_lease", "skew", 100'000, 8, true);
  EXPECT_GT(many.events.size(), 95'000U);
  in.trials["nowait_lease/skew/1"] = many.verdict;
  const PackedText packed = made_up::packed(many);
  for (const auto& [folder, verdict] : in.trials) in.packed[folder] = packed;
  const std::string page = made_up::page_of(in);
  EXPECT_EQ(structure_errors(written("full", page)), 0);
  EXPECT_LT(page.size(), 2'000'000U);
  EXPECT_NE(page.find("id=\"events/nowait_lease/skew/1\">eN"), std::string::npos);
  EXPECT_NE(page.find("the page would be too large"), std::string::npos);
}

TEST(Page, NamesTheReasonForMissingEvents) {
  made_up::Page in = made_up::failing_run();
  in.unpacked["ip_lease/pause/1"] = "history.jsonl:7: broken <JSON>";
  const std::string page = made_up::page_of(in);
  EXPECT_EQ(structure_errors(written("unread", page)), 0);
  EXPECT_NE(page.find("data-why=\"history.jsonl:7: broken &lt;JSON&gt;\""), std::string::npos);
  EXPECT_NE(page.find("data-why=\"the history is not available\""), std::string::npos);
}

TEST(Page, IsTheSameForTheSameVerdict) {
  EXPECT_EQ(made_up::page_of(made_up::failing_run()), made_up::page_of(made_up::failing_run()));
}

}  // namespace
}  // namespace holdfast
