#include "cli/run_baseline_flags.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/output_file.hpp"
#include "cli/output.hpp"
#include "cli/run_flags.hpp"
#include "cli/stored.hpp"
#include "cli/terminal.hpp"
#include "compare/run_baseline.hpp"
#include "suite/expectation.hpp"

namespace holdfast {
namespace {

RunBaseline stored_baseline(const std::string& path) {
  const InputFile file = std::filesystem::is_directory(path) ? verdict_file(path) : InputFile(path);
  try {
    return read_json_file(file, read_run_baseline);
  } catch (const BadInput& error) {
    throw BadInput(std::string(error.what()) +
                   "; remedy: --baseline takes an earlier run's folder, or a file written by --write-baseline");
  }
}

}  // namespace

void add_baseline_flags(CLI::App* command, BaselineFlags& flags) {
  command
      ->add_option("--baseline", flags.baseline,
                   "Earlier run, or a file of --write-baseline: only new violations make the exit code 1")
      ->transform(lasting_path);  // resolves OUT/latest before this run replaces it
  command->add_option("--write-baseline", flags.write_baseline, "Write the results to this file, for --baseline");
}

void check_baseline_is_read(const BaselineFlags& flags) {
  if (!flags.write_baseline.empty()) check_output_place("--write-baseline", flags.write_baseline);
  if (!flags.baseline.empty()) stored_baseline(flags.baseline);
}

void check_baseline_flags(const BaselineFlags& flags, const std::vector<Cell>& cells) {
  check_baseline_is_read(flags);
  if (flags.baseline.empty()) return;
  const RunBaseline before = stored_baseline(flags.baseline);
  try {
    check_baseline(before, cells);
  } catch (const BadInput& error) {
    throw BadInput("--baseline " + flags.baseline + ": " + error.what());
  }
}

void compare_with_baseline(const BaselineFlags& flags, RunVerdict& run) {
  if (flags.baseline.empty()) return;
  run.baseline = flags.baseline;
  run.changes = changes_since(stored_baseline(flags.baseline), run);
  run.exit_code = exit_code_of(run);
}

void keep_baseline(const BaselineFlags& flags, const RunVerdict& run) {
  if (flags.write_baseline.empty()) return;
  if (run.interrupted) {
    tell("holdfast: the run was interrupted, so {} was not written\n", flags.write_baseline);
    return;
  }
  write_output_file(flags.write_baseline, text_of_json(baseline_json(run), 1) + "\n");
  tell("baseline: {}\n", from_here(flags.write_baseline));
}

}  // namespace holdfast
