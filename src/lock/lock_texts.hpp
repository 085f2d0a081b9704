// What people read of a lock: a Markdown file beside it, in one form for locks of every kind.
//
//   # insert_lease                                the lock's name, which is the file's
//
//   a row with a UUID and the server's expiry     in one sentence
//
//   Source: document 000                          who describes it; may be left out
//
//   ## What it does                               a paragraph
//   ## Rules                                      a list: - document 000:38: what the statements do not show
//                                                         - **ours**: what we chose, where the source leaves it out
//   ## Known flaws                                a list
//   ## Worst case                                 what it needs, a paragraph; then step by step, a table with the
//                                                 columns `client A` and `client B`, of which either may be empty
//   ## Use instead                                a paragraph
//
// Sections may be left out; those of the shipped locks have them all (a test asks), but for rules, which only a lock
// with a source document has. The texts are Markdown: code in backticks, no other blocks. docs/locks.md, `holdfast
// list` and the page take them from here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

struct LockRule {
  std::string source;  // "document 000:38", "**ours**"
  std::string text;
};

struct WorstStep {
  std::string a;  // what each of the two clients does; either may be empty
  std::string b;
};

struct LockTexts {
  std::string about;
  std::string source;  // "document 000, its mistake", "reference"
  std::string does;
  std::vector<LockRule> rules;
  std::vector<std::string> flaws;
  std::string when;  // what the worst case needs
  std::vector<WorstStep> worst;
  std::string instead;
};

// `file`: its path. `title`: what the title must be; empty: the file's stem. Throws BadInput: file, line, remedy.
LockTexts read_lock_texts(std::string_view text, const std::string& file, const std::string& title = "");

// Of any lock. Throws HarnessError: the program has no such file.
LockTexts lock_texts(const std::string& lock);

// A lock's statements as people read them, and whose each is. In its file, after a statement's name:
//
//   -- name: acquire                        # in a file of Redis commands
//   -- from: document 000:14                the source document and its lines, or `ours`
//   -- differs: what is not as it stands there, and why      (`-- why:` of one that is ours)
//
// One that is from a document and differs in nothing is the document's but for the table's name, which is the lock's,
// and for its parameters, which are @words.
struct StatementText {
  std::string name;
  std::string from;     // "document 000:14", "ours", "ours, as document 004:38"
  std::string differs;  // of one that is ours: why it is so; may be empty
  std::string text;     // as in the file, without its comments

  bool ours() const { return from.rfind("document ", 0) != 0; }
};

// In the file's order. `comment`: how its comment lines begin, "--" or "#".
std::vector<StatementText> read_statement_texts(std::string_view file, const std::string& comment);

std::vector<StatementText> statement_texts(const std::string& lock);

}  // namespace holdfast
