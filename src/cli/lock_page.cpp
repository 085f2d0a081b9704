#include "cli/lock_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "lock/lock.hpp"

namespace holdfast {
namespace {

constexpr const char* kHead = R"(# The locks, and how each of them breaks

`holdfast locks` prints this page from the catalogue and from the scenarios; a test keeps the two the same. The
documents are five posts: [documents.md](documents.md).

In a worst case A and B are two clients, and time runs downwards: what stands in one line happens before the next one.
It can be replayed by hand with two database clients and the statements of the lock's file. The cells are those that are
expected to be violated; `violated:a,b` says that kind `a` must be seen and `b` may be.

)";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(separator, from), text.size());
    out.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return out;
}

// A bar would end a table's cell.
std::string in_table(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

std::string document_words(const std::string& document) {
  const bool numbered = !document.empty() && std::isdigit(static_cast<unsigned char>(document[0])) != 0;
  return numbered ? "document " + document : "none of the documents (" + document + ")";
}

std::string statements_line(const std::string& lock, const LockType& type) {
  const std::string stem = *type.statements != '\0' ? type.statements : lock;
  const std::string file = type.store == StoreKind::redis ? "redis/" + stem + ".redis" : "sql/" + stem + ".sql";
  std::string names;
  for (const auto& name : statement_names(lock)) names += fmt::format("{}`{}`", names.empty() ? "" : ", ", name);
  return fmt::format("Statements, in [{}](../{}): {}.", file, file, names);
}

std::string flaws(const LockTexts& texts) {
  std::string out;
  for (const auto& flaw : split(texts.flaws, '\n')) out += "- " + flaw + "\n";
  return out;
}

std::string worst_case(const LockTexts& texts) {
  std::string out = fmt::format("Worst case: {}\n\n| | client A | client B |\n|---|---|---|\n", texts.when);
  int step = 0;
  for (const auto& line : split(texts.worst, '\n')) {
    const auto sides = split(line, '|');
    out += fmt::format("| {} | {} | {} |\n", ++step, sides.at(0), sides.at(1));
  }
  return out;
}

// "`violated:overrun` belief_exclusion, resource"; empty when nothing is expected to be violated.
std::string violated(const std::map<std::string, std::string>& expected) {
  std::map<std::string, std::string> properties;  // by what is expected of them
  for (const auto& [property, word] : expected) {
    if (word.rfind("violated", 0) != 0) continue;
    auto& names = properties[word];
    names += (names.empty() ? "" : ", ") + property;
  }
  std::string out;
  for (const auto& [word, names] : properties) out += fmt::format("{}`{}` {}", out.empty() ? "" : "; ", word, names);
  return out;
}

std::string cells(const std::string& lock, const std::vector<Scenario>& scenarios) {
  std::string rows;
  for (const auto& scenario : scenarios) {
    for (const auto& name : scenario.locks) {
      const std::string what = violated(scenario.expected_of(name));
      if (parse_lock_ref(name).lock != lock || what.empty()) continue;
      rows += fmt::format("| {} | `{}/{}` | {} | {} |\n", scenario.suite, name, scenario.name, what,
                          in_table(scenario.why_of(name)));
    }
  }
  if (rows.empty()) return "No cell of the scenarios is expected to break it.\n";
  return "| suite | cell | expected | why |\n|---|---|---|---|\n" + rows;
}

}  // namespace

std::string lock_page(const std::vector<Scenario>& scenarios) {
  std::string out = kHead;
  for (const auto& [name, type] : locks()) {
    out += fmt::format("- [{}](#{}): {}\n", name, name, document_words(type->document));
  }
  for (const auto& [name, type] : locks()) {
    out += fmt::format("\n## {}\n\nDescribed by {}: {}.\n\n{}\n\n", name, document_words(type->document), type->about,
                       type->texts.does);
    out += statements_line(name, *type) + "\n\nFlaws:\n\n" + flaws(type->texts) + "\n" + worst_case(type->texts) + "\n";
    out += cells(name, scenarios) + fmt::format("\nUse instead: {}\n", type->texts.instead);
  }
  return out;
}

}  // namespace holdfast
