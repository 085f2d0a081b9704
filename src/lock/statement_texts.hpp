// A lock's statements as people read them, and whose each is. In its file, after a statement's name:
//
//   -- name: acquire                        # in a file of Redis commands
//   -- from: document 000:14                the source document and its lines, or `ours`
//   -- differs: what is not as it stands there, and why      (`-- why:` of one that is ours)
//
// One that is from a document and differs in nothing is the document's but for the table's name, which is the lock's,
// and for its parameters, which are @words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

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
