#include "cli/output.hpp"

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "artifact/beneath.hpp"
#include "artifact/json_reader.hpp"
#include "cli/environment.hpp"
#include "cli/github.hpp"
#include "cli/page_input.hpp"
#include "cli/run_formats.hpp"
#include "cli/terminal.hpp"
#include "reports/matrix.hpp"
#include "reports/page.hpp"
#include "reports/sentence.hpp"

namespace holdfast {

std::string program_as_typed() {
  const char* typed = std::getenv("HOLDFAST_COMMAND");
  return typed != nullptr && *typed != '\0' ? typed : "holdfast";
}

std::string from_here(const std::string& path) {
  std::error_code error;
  const auto relative = std::filesystem::relative(path, error);
  return error || relative.empty() || relative.string().rfind("../..", 0) == 0 ? path : relative.string();
}

std::string utc_now() {
  char text[32];
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

bool wants_colour(const std::string& choice) {
  if (choice != "auto") return choice == "always";
  const char* none = std::getenv("NO_COLOR");
  return (none == nullptr || *none == '\0') && ::isatty(STDOUT_FILENO) != 0;
}

FormatInput format_input(const RunVerdict& verdict, const std::string& folder) {
  return {page_input(verdict, folder), folder};
}

void write_report(const RunVerdict& verdict, const std::string& folder) {
  const FormatInput input = format_input(verdict, folder);
  write_formats(input);
  tell_github(input);
}

void write_results(RunVerdict& verdict, const std::string& folder) {
  verdict.sentence = run_sentence(verdict);
  const Beneath run(folder);
  run.write("environment.json", environment_json(verdict, folder).dump(2) + "\n");
  write_report(verdict, folder);
  run.write("verdict.json", to_json(verdict).dump(1) + "\n", Keep::surely);
}

void print_result(const RunVerdict& verdict, const std::string& folder, bool json, bool colour) {
  const std::string report = from_here(folder + "/report.html");
  if (json) {
    print_json(to_json(verdict));
    tell("{}\n  report: {}\n  rerun: {}\n", verdict.sentence, report, verdict.command);
    return;
  }
  say("{}\n{} · report: {} · rerun: {}\n", matrix_text(verdict, colour), sentence_parts(verdict).word, report,
      verdict.command);
}

void tell_error(const std::string& what) {
  tell("holdfast: {}\n", shown_message(clipped_message(what)));
}

// Once each: one cause often spoils many trials.
void print_unavailable(const RunVerdict& verdict) {
  std::set<std::string> told;
  for (const auto& cell : verdict.cells) {
    for (const auto& trial : cell.trials) {
      if (trial.outcome != Outcome::unavailable || !told.insert(trial.error).second) continue;
      tell_error(cell.lock + "/" + cell.scenario + ": " + trial.error);
    }
  }
}

}  // namespace holdfast
