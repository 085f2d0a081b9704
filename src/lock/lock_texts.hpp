// A lock's texts for readers: a Markdown file beside it, in the same form for all locks.
//
//   # insert_lease                                the lock's name, equal to the file's
//
//   a row with a UUID and the server's expiry     one sentence
//
//   Source: document 000                          the description's source; optional
//
//   ## What it does                               a paragraph
//   ## Rules                                      a list: - document 000:38: what the statements do not show
//                                                 - **ours**: holdfast's choice where the source is silent
//   ## Known flaws                                a list
//   ## Worst case                                 its condition, a paragraph; then the steps, a table with
//                                                 columns `client A` and `client B`; one of them may be empty
//   ## Use instead                                a paragraph
//
// Sections are optional; shipped locks have all of them (checked by a test) except rules, which need a source document.
// The texts are Markdown: code in backticks, no other blocks. docs/locks.md, `holdfast list` and the page use them.
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
  std::string a;  // actions of the two clients; one may be empty
  std::string b;
};

struct LockTexts {
  std::string about;
  std::string source;  // "document 000, its mistake", "reference"
  std::string does;
  std::vector<LockRule> rules;
  std::vector<std::string> flaws;
  std::string when;  // condition of the worst case
  std::vector<WorstStep> worst;
  std::string instead;
};

// `file`: its path. `title`: the required title; empty: the file's stem. Throws BadInput with file, line and remedy.
LockTexts read_lock_texts(std::string_view text, const std::string& file, const std::string& title = "");

// For any lock. Throws HarnessError if the program has no such file.
LockTexts lock_texts(const std::string& lock);

// A lock's statements in readable form, with their sources. In its file, after a statement's name:
//
//   -- name: acquire                        # in a file of Redis commands
//   -- from: document 000:14                the source document with lines, or `ours`
//   -- differs: differences from the source, with reasons    (for `ours`: `-- why:`)
//
// A statement from a document without differences equals the document's, except for the table's name, which is the
// lock's, and its parameters, which are @words.
struct StatementText {
  std::string name;
  std::string from;     // "document 000:14", "ours", "ours, as document 004:38"
  std::string differs;  // for `ours`: the reason; may be empty
  std::string text;     // as in the file, without comments

  bool ours() const { return from.rfind("document ", 0) != 0; }
};

// In file order. `comment`: the comment prefix, "--" or "#".
std::vector<StatementText> read_statement_texts(std::string_view file, const std::string& comment);

std::vector<StatementText> statement_texts(const std::string& lock);

}  // namespace holdfast
