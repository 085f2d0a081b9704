#include "cli/output.hpp"

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "artifact/json_text.hpp"
#include "cli/environment.hpp"
#include "cli/page_input.hpp"
#include "reports/matrix.hpp"
#include "reports/page.hpp"
#include "reports/sentence.hpp"

namespace holdfast {
namespace {

constexpr auto kHeartbeat = std::chrono::seconds(15);

std::string from_here(const std::string& path) {
  std::error_code error;
  const auto relative = std::filesystem::relative(path, error);
  return error || relative.empty() || relative.string().rfind("../..", 0) == 0 ? path : relative.string();
}

}  // namespace

std::string program_as_typed() {
  const char* typed = std::getenv("HOLDFAST_COMMAND");
  return typed != nullptr && *typed != '\0' ? typed : "holdfast";
}

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                          "_-./:+,=@%") == std::string::npos;
  if (plain) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

bool wants_colour(const std::string& choice) {
  if (choice != "auto") return choice == "always";
  const char* none = std::getenv("NO_COLOR");
  return (none == nullptr || *none == '\0') && ::isatty(STDOUT_FILENO) != 0;
}

void write_report(const RunVerdict& verdict, const std::string& folder) {
  write_text_file(folder + "/report.html", html_page(page_input(verdict, folder)));
}

void write_results(RunVerdict& verdict, const std::string& folder) {
  verdict.sentence = run_sentence(verdict);
  write_text_file(folder + "/environment.json", environment_json(verdict, folder).dump(2) + "\n");
  write_report(verdict, folder);
  write_text_file(folder + "/verdict.json", to_json(verdict).dump(1) + "\n");
}

void print_result(const RunVerdict& verdict, const std::string& folder, bool json, bool colour) {
  const std::string report = from_here(folder + "/report.html");
  if (json) {
    std::printf("%s\n", to_json(verdict).dump(1).c_str());
    std::fprintf(stderr, "%s\n  report: %s\n  rerun: %s\n", verdict.sentence.c_str(), report.c_str(),
                 verdict.command.c_str());
    return;
  }
  std::printf("%s\n%s · report: %s · rerun: %s\n", matrix_text(verdict, colour).c_str(),
              sentence_parts(verdict).word.c_str(), report.c_str(), verdict.command.c_str());
}

// Once each: one cause often spoils many trials.
void print_unavailable(const RunVerdict& verdict) {
  std::set<std::string> told;
  for (const auto& cell : verdict.cells) {
    for (const auto& trial : cell.trials) {
      if (trial.outcome != Outcome::unavailable || !told.insert(trial.error).second) continue;
      std::fprintf(stderr, "holdfast: %s/%s: %s\n", cell.lock.c_str(), cell.scenario.c_str(), trial.error.c_str());
    }
  }
}

ProgressLine::ProgressLine(bool quiet)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0), begin_(std::chrono::steady_clock::now()), last_(begin_) {}

void ProgressLine::start(std::size_t trials, std::uint64_t seed, int jobs, const std::string& folder) {
  if (quiet_) return;
  std::fprintf(stderr, "seed %llu · %zu trials, %d side by side · %s\n", static_cast<unsigned long long>(seed), trials,
               jobs, from_here(folder).c_str());
}

void ProgressLine::show(const SuiteProgress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (quiet_ || (!terminal_ && now - last_ < kHeartbeat)) return;
  last_ = now;
  shown_ = true;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin_).count();
  std::fprintf(stderr, "%s%d of %d trials, %lld s; last: %s/%s %s%s", terminal_ ? "\r\033[K" : "", progress.done,
               progress.trials, static_cast<long long>(seconds), progress.cell->lock.c_str(),
               progress.cell->scenario.c_str(), to_text(progress.last->outcome), terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void ProgressLine::end() {
  if (shown_ && terminal_) std::fprintf(stderr, "\r\033[K");
}

}  // namespace holdfast
