// Texts about a lock for people: its Markdown file.
#include "lock/lock_texts.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <vector>

#include "artifact/error.hpp"
#include "lock/lock.hpp"
#include "tests/lock/written_lock_texts.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

const std::string kWhole =
    "# row\n\na row with an owner,\nin one sentence\n\nSource: document 000\n\n## What it does\n\nOne row.\n\n"
    "## Rules\n\n- document 000:38: the row is\n  deleted\n- **ours**: it is: new\n\n## Known flaws\n\n- Two\n\n- "
    "hold\n\n"
    "## Worst case\n\nNo fault.\n\n| client A | client B |\n|---|---|\n| inserts \\| | |\n| | inserts |\n\n"
    "## Use instead\n\n`other`\n";

std::string refused(const std::string& text) {
  return refusal([&] { read_lock_texts(text, "locks/row.md"); });
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = kWhole;
  return text.replace(text.find(from), from.size(), to);
}

TEST(LockTexts, AreReadFromTheirSections) {
  const LockTexts texts = read_lock_texts(kWhole, "locks/row.md");
  EXPECT_EQ(texts.about, "a row with an owner, in one sentence");
  EXPECT_EQ(texts.source, "document 000");
  EXPECT_EQ(texts.does, "One row.");
  ASSERT_EQ(texts.rules.size(), 2U);
  EXPECT_EQ(texts.rules[0].source, "document 000:38");
  EXPECT_EQ(texts.rules[0].text, "the row is deleted");
  EXPECT_EQ(texts.rules[1].source, "**ours**");
  EXPECT_EQ(texts.rules[1].text, "it is: new");
  EXPECT_EQ(texts.flaws, (std::vector<std::string>{"Two", "hold"}));
  EXPECT_EQ(texts.when, "No fault.");
  ASSERT_EQ(texts.worst.size(), 2U);
  EXPECT_EQ(texts.worst[0].a, "inserts \\|");
  EXPECT_EQ(texts.worst[0].b, "");
  EXPECT_EQ(texts.worst[1].b, "inserts");
  EXPECT_EQ(texts.instead, "`other`");
}

TEST(LockTexts, ATitleAndASentenceAreEnough) {
  const LockTexts texts = read_lock_texts("# row\r\n\r\nmine\r\n", "row.md");
  EXPECT_EQ(texts.about, "mine");
  EXPECT_EQ(texts.source + texts.does + texts.instead, "");
}

TEST(LockTexts, ARefusalNamesLineAndRemedy) {
  const auto starts = [](const std::string& text, const std::string& line, const std::string& what) {
    EXPECT_EQ(refused(text).rfind("locks/row.md:" + line + ": " + what, 0), 0U) << refused(text);
    EXPECT_NE(refused(text).find("; remedy: "), std::string::npos) << refused(text);
  };
  starts("", "1", "is empty");
  starts(with("# row", "# column"), "1", "the title is not the lock's name");
  starts("\nrow\n" + kWhole, "2", "the title is not the lock's name");
  starts("# row\n\n## What it does\n\nOne row.\n", "1", "no text below the title");
  starts(with("Source: ", "Sauce: "), "1", "the text below the title is not one sentence");
  starts(with("a row with an owner,\nin one sentence\n\n", ""), "1", "the text below the title is not one sentence");
  starts(with("## Known flaws", "## Known faults"), "18", "unknown heading '## Known faults'");
  starts(with("## Known flaws", "# Known flaws"), "18", "unknown heading");
  starts(kWhole + "## Rules\n\n- **ours**: it is\n", "36", "a second '## Rules'");
  starts(with("One row.", ""), "8", "no text below '## What it does'");
  starts(with("One row.", "One.\n\nTwo."), "8", "several paragraphs below '## What it does'");
  starts(with("One row.", "```\ncode\n```"), "10", "a list, a table or a block");
  starts(with("document 000:38: the", "the"), "14", "a rule names no source");
  starts(with("  deleted", "deleted"), "15", "is not part of a list");
  starts(with("- Two\n\n- hold", ""), "18", "no text below '## Known flaws'");
  starts(with("|---|---|\n", ""), "29", "not a row with the columns A and B");
  starts(with("| | inserts |", "| inserts |"), "31", "not a row with the columns A and B");
  starts(with("| | inserts |", "| | |"), "31", "not a row with the columns A and B");
  starts(with("| inserts \\| | |\n| | inserts |\n", ""), "24", "the worst case has no steps");
  starts(with("No fault.", ""), "24", "no text below '## Worst case'");
  starts(with("One row.", "One\trow."), "10", "has a control character");
  starts(with("One row.", "One \xff row."), "10", "is not UTF-8");
}

// Whatever is cut off, left out, doubled or changed: read, and then written and read again as it was, or refused with a
// line and a remedy.
void try_mutant(const std::string& text) {
  static const std::regex kRefusal("locks/row\\.md:[1-9][0-9]*: [^]+; remedy: [^]+");
  LockTexts texts;
  try {
    texts = read_lock_texts(text, "locks/row.md");
  } catch (const BadInput& refused) {
    EXPECT_TRUE(std::regex_match(refused.what(), kRefusal)) << refused.what();
    return;
  }
  const std::string once = tests::written_lock_texts(texts, "row");
  EXPECT_EQ(tests::written_lock_texts(read_lock_texts(once, "locks/row.md"), "row"), once) << text;
}

TEST(LockTexts, AnyChangeIsReadOrRefused) {
  for (std::size_t at = 0; at <= kWhole.size(); ++at) {
    try_mutant(kWhole.substr(0, at));
    for (const char* piece :
         {"#", "|", "\n", "- ", "\\", " ", ": ", "\r", "\x01", "\xc3", "Source: ", "\n\n", "\n## "}) {
      std::string more = kWhole;
      try_mutant(more.insert(at, piece));
    }
    for (const std::size_t length : {1U, 2U, 7U, 30U}) {
      std::string less = kWhole;
      try_mutant(less.erase(at, length));
    }
  }
}

// Shipped locks have all texts; a rule is a document's, by its lines, or holdfast's own.
TEST(LockTexts, EveryShippedLockHasAllTexts) {
  static const std::regex kSource("document 00[0-4]:[0-9]+(-[0-9]+)?(, [0-9]+(-[0-9]+)?)*|\\*\\*ours\\*\\*");
  for (const auto& name : entry_names(locks())) {
    const LockTexts texts = lock_texts(name);
    EXPECT_TRUE(!texts.does.empty() && !texts.flaws.empty() && texts.worst.size() > 2U && !texts.instead.empty())
        << name;
    EXPECT_FALSE(texts.source.empty()) << name;
    EXPECT_FALSE(texts.rules.empty() && texts.source.rfind("document ", 0) == 0) << name;
    for (const auto& rule : texts.rules)
      EXPECT_TRUE(std::regex_match(rule.source, kSource)) << name << ": " << rule.source;
  }
}

TEST(LockTexts, UnknownLockIsAnError) {
  EXPECT_THROW(lock_texts("no_such_lock"), HarnessError);
}

}  // namespace
}  // namespace holdfast
