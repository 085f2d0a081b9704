#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
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

constexpr std::string_view kClearLine = "\r\033[K";
std::atomic<bool> stopping{false};

std::mutex& status_mutex() {
  static std::mutex one;
  return one;
}

// The shown line; empty: none.
std::string& status() {
  static std::string line;
  return line;
}

void write_bytes(std::FILE* to, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), to);
}

void draw_status(const std::string& line) {
  write_bytes(stderr, kClearLine);
  write_bytes(stderr, line);
  std::fflush(stderr);
}

void print_bytes(std::FILE* to, std::string_view text) {
  const std::lock_guard guard(status_mutex());
  const bool shown = !status().empty();
  if (shown) draw_status("");
  write_bytes(to, text);
  if (!shown) return;
  std::fflush(to);
  if (text.ends_with('\n') && !stopping.load()) {
    draw_status(status());
  } else {
    status().clear();
  }
}

std::size_t columns_of(int terminal) {
  constexpr std::size_t kLeast = 80;
  const char* const set = std::getenv("COLUMNS");
  const std::string_view text = set == nullptr ? "" : set;
  std::size_t found = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found);
  if (error == std::errc() && end == text.data() + text.size()) return std::max(found, kLeast);
  winsize size{};
  if (::isatty(terminal) == 0) return 0;
  return ::ioctl(terminal, TIOCGWINSZ, &size) == 0 ? std::max<std::size_t>(size.ws_col, kLeast) : kLeast;
}

// The beginning of a visible text in at most `most` columns, each a character or less.
std::string beginning_of(const std::string& text, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
    if (begins && characters++ == most) break;
  }
  return text.substr(0, end);
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
  print_commands(annotations(in.page.found, in.sources));
}

void print_lines(std::FILE* to, const TerminalText& text) {
  print_bytes(to, for_github(text.text()));
}

void show_status(const TerminalText& text) {
  const std::lock_guard guard(status_mutex());
  if (stopping.load()) return;
  status() = beginning_of(text.text(), columns_of(STDERR_FILENO) - 1);
  draw_status(status());
}

void clear_status() {
  const std::lock_guard guard(status_mutex());
  if (status().empty()) return;
  status().clear();
  if (!stopping.load()) draw_status("");
}

// Uses only what a signal handler may: no lock, no stream.
void tell_stopping() noexcept {
  static constexpr std::string_view kText = "\nholdfast: stopping, 8 s at most\n";
  const int error = errno;
  if (!stopping.exchange(true)) [[maybe_unused]]
    const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
  errno = error;
}

std::size_t screen_columns() {
  return columns_of(STDOUT_FILENO);
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
