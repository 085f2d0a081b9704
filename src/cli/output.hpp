// What the commands print and write: results on standard output, progress on standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "artifact/run_verdict.hpp"
#include "suite/suite.hpp"

namespace holdfast {

// "./run" when the wrapper script started us, else the program's name as typed.
std::string program_as_typed();
std::string shell_word(const std::string& text);
bool wants_colour(const std::string& choice);  // auto | always | never; NO_COLOR counts

// verdict.json (last) and report.html of a run.
void write_results(RunVerdict& verdict, const std::string& folder);

// The report page of a run's folder, from its verdict.json and its trials'.
void write_report(const RunVerdict& verdict, const std::string& folder);

void print_result(const RunVerdict& verdict, const std::string& folder, bool json, bool colour);

// Why trials could not run here, on standard error.
void print_unavailable(const RunVerdict& verdict);

// A line that renews itself on a terminal; elsewhere a heartbeat line every 15 seconds.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  void start(std::size_t trials, std::uint64_t seed, int jobs, const std::string& folder);
  void show(const SuiteProgress& progress);
  void end();

 private:
  bool quiet_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace holdfast
