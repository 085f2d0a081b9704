#include "cli/terminal.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "artifact/json_text.hpp"
#include "reports/format.hpp"
#include "reports/markdown_text.hpp"
#include "reports/sentence.hpp"
#include "reports/summary_markdown.hpp"
#include "reports/workflow_commands.hpp"

namespace holdfast {
namespace {

constexpr std::uintmax_t kMostSummary = 1'000'000;  // per step; GitHub ignores a longer one

std::string set_to(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool in_actions() {
  return set_to("GITHUB_ACTIONS") == "true";
}

void append_summary(const std::string& file, const PageInput& page) {
  std::error_code none;
  const auto already = std::filesystem::exists(file, none) ? std::filesystem::file_size(file, none) : 0;
  std::string text = markdown("{}\n", summary_markdown(page, Links::none)).text();
  if (already + text.size() > kMostSummary) text = markdown("# {}\n\n", run_sentence(page.found)).text();
  if (already + text.size() > kMostSummary) return;
  std::ofstream out(file, std::ios::binary | std::ios::app);
  out << text;
  out.flush();
  if (!out) tell("holdfast: GITHUB_STEP_SUMMARY {}: {}\n", file, std::strerror(errno));
}

void print_bytes(std::FILE* to, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), to);
}

template <typename Json>
std::string printed_json(const Json& json, int indent) {
  return without_commands_in_json(text_of_json(json, indent)) + "\n";
}

// Prevents lines from being read as GitHub Actions commands; elsewhere returns the text unchanged.
std::string for_github(std::string_view text) {
  return in_actions() ? without_commands(text) : std::string(text);
}

// Prints to standard error.
void print_commands(const WorkflowCommands& commands) {
  print_bytes(stderr, commands.text());
}

}  // namespace

void tell_github(const FormatInput& in) {
  if (const std::string file = set_to("GITHUB_STEP_SUMMARY"); !file.empty()) append_summary(file, in.page);
  if (!in_actions()) return;
  std::fflush(stdout);
  print_commands(annotations(in.page.found));
}

void print_lines(std::FILE* to, const TerminalText& text) {
  print_bytes(to, for_github(text.text()));
}

void print_json(const nlohmann::json& json, int indent) {
  print_bytes(stdout, printed_json(json, indent));
}

void print_json(const nlohmann::ordered_json& json, int indent) {
  print_bytes(stdout, printed_json(json, indent));
}

void print_file(std::string_view text) {
  print_bytes(stdout, text);
}

}  // namespace holdfast
