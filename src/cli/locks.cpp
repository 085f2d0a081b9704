// `holdfast locks`: generates the page of the locks, docs/locks.md; a test compares them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/property_words.hpp"
#include "artifact/scenario.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/run_flags.hpp"
#include "cli/terminal.hpp"
#include "lock/added_locks.hpp"
#include "lock/lock.hpp"
#include "lock/lock_texts.hpp"
#include "nemesis/fault.hpp"
#include "reports/markdown_text.hpp"
#include "servers/server_type.hpp"
#include "suite/check_names.hpp"

namespace holdfast {
namespace {

// Loads every suite; each is a subfolder.
std::vector<Scenario> load_all(const std::string& named) {
  const std::string folder = find_suite(named);
  std::error_code error;
  std::vector<std::string> suites;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.is_directory()) suites.push_back(entry.path().string());
  }
  if (suites.empty()) throw BadInput(folder + ": has no folders of scenarios; remedy: --scenarios FOLDER");
  std::sort(suites.begin(), suites.end());
  std::vector<Scenario> all;
  for (const auto& suite : suites) {
    for (auto& scenario : load_suite(suite)) {
      check_names(scenario);
      all.push_back(std::move(scenario));
    }
  }
  return all;
}

// Loads the scenarios shipped with the adapters, under the suite names that users type.
std::vector<Scenario> load_of_adapters() {
  const std::string adapters = shipped_folder("adapters");
  if (adapters.empty()) return {};
  std::vector<Scenario> all = load_suite(adapters + "/scenarios");
  for (auto& scenario : all) {
    check_names(scenario);
    scenario.suite = "adapters/scenarios";
  }
  return all;
}

// Meaning of a kind that a fault gives as its cause.
std::string fault_meaning(const std::string& kind) {
  std::string names;
  for (const auto& [name, type] : faults()) {
    if (kind == type->cause) names += fmt::format("{}`{}`", names.empty() ? "" : " or ", name);
  }
  return names.empty() ? "" : "the fault " + names + " struck a client that took part in it, or the server";
}

std::string kind_meaning(const std::string& kind) {
  const KindWords* words = find_kind(kind);
  return words != nullptr && *words->meaning != '\0' ? words->meaning : fault_meaning(kind);
}

// Kinds of all properties that a lock may promise, without duplicates.
std::vector<std::string> promisable_kinds() {
  std::set<std::string> out;
  for (const auto& property : promisable_properties()) {
    for (const auto& kind : known_kinds(property)) out.insert(kind);
  }
  return {out.begin(), out.end()};
}

// The properties, and the kinds of a violation.
std::string words_section() {
  std::string out = "## Properties and kinds of violation\n\n*Properties*, the promises that a lock may make:\n\n";
  for (const auto& name : promisable_properties()) {
    out += fmt::format("- `{}`: {}\n", name, find_entry(property_words(), name)->summary);
  }
  out += "\n*Kinds*, the ways in which a property can be violated:\n\n";
  for (const auto& kind : promisable_kinds()) out += fmt::format("- `{}`: {}\n", kind, kind_meaning(kind));
  return out + "\n";
}

constexpr const char* kLockPageHead = R"(# Locks and their flaws

`holdfast locks` generates this page from the catalogue and the scenarios; a test compares the page with the program's
output. The documents are five posts: [documents.md](documents.md).

In a worst case, A and B are two clients, and time runs downwards: the events of one row happen before those of the
next. You can replay a worst case by hand with two database clients and the statements of the lock's file. The listed
cells expect a violation: `violated:a,b` means that kind `a` must occur and kind `b` may occur.

Each statement and each rule names its source: a document, with the lines, or **ours** if the document leaves something
out. In a document's statement, the lock's name replaces the name of the table and `@words` replace its parameters.
`ENGINE = InnoDB` is added, and words that are the default are left out. Any other difference is noted. A wait for a row
lock ends after 1 s (`innodb_lock_wait_timeout`; the servers' default is 50 s).
[One table lists all statements](#statement-by-statement).

The last section describes the built-in locks in [other languages](#locks-in-other-languages).

)";

constexpr const char* kAdaptersHead = R"(
## Locks in other languages

Each adapter wraps an unmodified lock library and uses the protocol of [adapters.md](adapters.md). The cells are those
of `holdfast run adapters/scenarios`.

)";

// Returns the source if it names a document.
std::string described_by(const std::string& source) {
  return source.rfind("document ", 0) == 0 ? source : "none of the documents (" + source + ")";
}

//   "-- acquire: document 000:14; without ..."
std::string heading(const StatementText& statement, const std::string& comment) {
  const std::string whose = statement.from + (statement.differs.empty() ? "" : "; " + statement.differs);
  return fmt::format("{} {}: {}\n", comment, statement.name, whose);
}

std::string statements(const std::string& lock) {
  const std::string path = lock_file(lock).path;
  const StatementForm& form = server_type(find_entry(locks(), lock)->server).form;
  std::string out = fmt::format("Statements, in [{}](../{}):\n\n```{}\n", path, path, form.fence);
  for (const auto& statement : statement_texts(lock)) out += heading(statement, form.comment) + statement.text;
  return out + "```\n";
}

std::string rules(const LockTexts& texts) {
  std::string out;
  for (const auto& rule : texts.rules) out += fmt::format("- {}: {}\n", rule.source, rule.text);
  return out.empty() ? "" : "Rules that the statements do not show:\n\n" + out + "\n";
}

std::string flaws(const LockTexts& texts) {
  std::string out;
  for (const auto& flaw : texts.flaws) out += "- " + flaw + "\n";
  return "Flaws:\n\n" + out + "\n";
}

std::string worst_case(const LockTexts& texts) {
  std::string out = fmt::format("Worst case: {}\n\n| | client A | client B |\n|---|---|---|\n", texts.when);
  int step = 0;
  for (const auto& both : texts.worst) out += fmt::format("| {} | {} | {} |\n", ++step, both.a, both.b);
  return out + "\n";
}

// "`violated:overrun` mutual_exclusion, resource"; empty when nothing is expected to be violated.
Markdown violated(const std::map<std::string, std::string>& expected) {
  std::map<std::string, std::string> properties;  // expectation by property
  for (const auto& [property, word] : expected) {
    if (word.rfind("violated", 0) != 0) continue;
    auto& names = properties[word];
    names += (names.empty() ? "" : ", ") + property;
  }
  Markdown out;
  for (const auto& [word, names] : properties) {
    out += markdown("{}{} {}", out.empty() ? Literal("") : Literal("; "), code(word), names);
  }
  return out;
}

std::string cells(const std::string& lock, const std::vector<Scenario>& scenarios) {
  Markdown rows;
  for (const auto& scenario : scenarios) {
    for (const auto& name : scenario.locks) {
      const Markdown what = violated(scenario.expected_of(name));
      if (parse_lock_ref(name).lock != lock || what.empty()) continue;
      rows += table_row({prose(scenario.suite), code(name + "/" + scenario.name), what, prose(scenario.why_of(name))});
    }
  }
  if (rows.empty()) return "No cell of the scenarios expects a violation.\n";
  const Markdown head = table_head({Literal("suite"), Literal("cell"), Literal("expected"), Literal("why")});
  return markdown("{}{}", head, rows).text();
}

// Sorts by document, then by line; holdfast's own come last.
std::pair<std::string, int> document_place(const std::string& from) {
  const auto colon = from.find(':');
  if (from.rfind("ours", 0) == 0 || colon == std::string::npos) return {"ours", 0};
  return {from.substr(0, colon), static_cast<int>(std::strtol(from.c_str() + colon + 1, nullptr, 10))};
}

Markdown row_of(const std::string& lock, const StatementText& statement) {
  const std::string from = statement.ours() ? "ours" : statement.from.substr(std::string("document ").size());
  const std::string ours = statement.differs.empty() ? statement.from : statement.differs;
  const std::string theirs = statement.differs.empty() ? "the same" : "differs: " + statement.differs;
  return table_row({prose(from), code(lock), code(statement.name), prose(statement.ours() ? ours : theirs)});
}

std::string statement_table() {
  std::vector<std::pair<std::pair<std::string, int>, Markdown>> rows;
  for (const auto& [name, type] : catalogue_locks()) {
    if (!type->statements.empty()) continue;  // listed in another lock's section
    for (const auto& statement : statement_texts(name)) {
      rows.emplace_back(document_place(statement.from), row_of(name, statement));
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Markdown out = table_head({Literal("document:line"), Literal("lock"), Literal("statement"), Markdown()});
  for (const auto& [place, row] : rows) out += row;
  return "## Statement by statement\n\n" + out.text();
}

// Part of a lock's section that does not depend on its language.
std::string how_it_breaks(const std::string& lock, const LockTexts& texts, const std::vector<Scenario>& scenarios) {
  return rules(texts) + flaws(texts) + worst_case(texts) + cells(lock, scenarios) +
         fmt::format("\nUse instead: {}\n", texts.instead);
}

std::string library_of(const Manifest& manifest) {
  const LibraryFacts& library = manifest.library;
  return library.name + (library.version.empty() ? "" : " " + library.version);
}

std::string adapter_sections(const std::vector<Scenario>& scenarios) {
  std::string out = kAdaptersHead;
  std::string sections;
  for (const auto& [name, type] : locks()) {
    if (type->manifest == nullptr) continue;
    const Manifest& manifest = *type->manifest;
    const LockTexts texts = added_lock_texts(name);
    out += fmt::format("- [{}](#{}): {}, in {}\n", name, name, library_of(manifest), manifest.language);
    sections += fmt::format("\n## {}\n\nIn {}, by {}: {}.\n\n{}\n\n", name, manifest.language, library_of(manifest),
                            texts.about, texts.does);
    sections += fmt::format("Adapter in [adapters/{}](../adapters/{}); needs: {}.\n\n", name, name, manifest.install);
    sections += how_it_breaks(name, texts, scenarios);
  }
  return out + sections;
}

// The page is generated from the locks' files (lock/lock_texts.hpp, statements, lock.json) and the scenarios.
std::string lock_page(const std::vector<Scenario>& scenarios, const std::vector<Scenario>& of_adapters) {
  std::string out = kLockPageHead + words_section();
  out += "## The locks\n\n";
  std::string sections;
  for (const auto& name : entry_names(catalogue_locks())) {
    const LockTexts texts = lock_texts(name);
    const std::string by = described_by(texts.source);
    out += fmt::format("- [{}](#{}): {}\n", name, name, by);
    sections += fmt::format("\n## {}\n\nDescribed by {}: {}.\n\n{}\n\n", name, by, texts.about, texts.does);
    sections += statements(name) + "\n" + how_it_breaks(name, texts, scenarios);
  }
  return out + sections + adapter_sections(of_adapters) + "\n" + statement_table();
}

}  // namespace

void add_locks(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("locks", "Print the page about the locks: flaws, worst cases, alternatives");
  give_examples(command, {"holdfast locks > locks.md"});
  auto folder = std::make_shared<std::string>("scenarios");
  command->add_option("--scenarios", *folder, "Folder with the suites")->capture_default_str();
  command->callback([folder] {
    add_named_adapters({});
    print_file(lock_page(load_all(*folder), load_of_adapters()));
  });
}

}  // namespace holdfast
