// `holdfast table`: prints the truth table of one or several earlier runs, from their stored verdicts.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/stored.hpp"
#include "cli/terminal.hpp"
#include "reports/truth_table.hpp"

namespace holdfast {
namespace {

struct TableFlags {
  std::vector<std::string> folders;
  bool markdown = false;
  bool json = false;
};

int print_table(const TableFlags& flags) {
  std::vector<RunVerdict> runs;
  for (const auto& folder : flags.folders) {
    runs.push_back(stored_run(folder));
  }
  const auto rows = truth_table(runs);
  const auto notes = notes_of_all(runs);
  const int exit_code = exit_code_of_all(runs);
  if (flags.json) {
    auto out = table_json(rows, notes);
    out["runs"] = flags.folders;
    out["exit_code"] = exit_code;
    print_json(out);
  } else if (flags.markdown) {
    print_file(table_markdown(rows, notes).text());
  } else {
    say("{}", table_text(rows, notes));
  }
  return exit_code;
}

}  // namespace

void add_table(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("table",
                                         "Print the expected and observed results of earlier runs, by lock "
                                         "and fault");
  give_examples(command, {"holdfast table runs/latest --markdown"});
  auto flags = std::make_shared<TableFlags>();
  command->add_option("folder", flags->folders, "The runs' folders")->required();
  auto* markdown = command->add_flag("--markdown", flags->markdown, "Print a Markdown table");
  command->add_flag("--json", flags->json, "As JSON")->excludes(markdown);
  command->callback([flags, &exit_code] { exit_code = print_table(*flags); });
}

}  // namespace holdfast
