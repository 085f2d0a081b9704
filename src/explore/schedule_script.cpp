#include "explore/schedule_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "artifact/error.hpp"
#include "artifact/schedule_word.hpp"
#include "artifact/shell_command.hpp"

namespace holdfast {
namespace {

// The start of the simulated clock, 2030-01-01 12:00 UTC, as requests may have it.
constexpr std::array<std::string_view, 3> kSimulatedTimes{"2030-01-01", "18934992", "18934993"};

std::string shell_word(const std::string& text) {
  return ShellCommand().word(text).text();
}

// A text in a comment stays on its line.
std::string on_a_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

[[noreturn]] void refuse(const std::string& why) {
  throw BadInput("no script: " + why + "; remedy: holdfast replay without --script, which shows the same steps");
}

void refuse_simulated_time(const std::string& text) {
  for (const auto time : kSimulatedTimes) {
    if (text.find(time) != std::string::npos) {
      refuse("a request carries a time of the simulated clock (" + on_a_line(text) + ")");
    }
  }
}

bool has(const TraceStep& step, std::string_view fault) {
  return step.word.find(fault) != std::string::npos;
}

class ScriptWriter {
 public:
  ScriptWriter(const ExploreFind& find, const ScriptedLock& lock) : find_(find), lock_(lock) {}

  std::string text() {
    head();
    for (const auto& step : find_.steps) add(step);
    out_ += "finish\necho " + shell_word("explore saw: " + on_a_line(find_.text)) + "\n";
    return out_;
  }

 private:
  void head() {
    const ScriptForm& form = lock_.form;
    if (form.functions == nullptr) refuse("the kind of server that " + lock_.lock + " uses has no scripts");
    out_ = fmt::format("#!/usr/bin/env {}\n# {}: {}\n# Lock: {}; schedule: {}\n", form.shell, find_.invariant,
                       on_a_line(find_.text), lock_.lock, on_a_line(find_.replay));
    if (!find_.cause.empty()) out_ += "# Cause: " + on_a_line(find_.cause) + "\n";
    out_ += "# Each letter is a client. Use a server whose data may be lost.\n";
    out_ += fmt::format("# Arguments: {}\n", form.options) + form.functions();
    if (!lock_.schema.empty()) out_ += "send schema " + shell_word(lock_.schema) + "\n";
  }

  void add(const TraceStep& step) {
    if (step.client.empty()) return pass(step.word);
    if (has(step, "!ahead") || has(step, "!behind")) refuse("a client's clock is wrong in this schedule");
    if (step.statement.empty()) return event(step);
    if (has(step, "!late")) {
      out_ +=
          "echo " + shell_word(step.client + "   sends, but it has not arrived: " + on_a_line(step.statement)) + "\n";
      return;
    }
    const std::string seen = step.answer + (step.said.empty() ? "" : "; " + step.said);
    const bool waits = lock_.form.by_words && step.answer == "no answer yet";
    out_ += (waits ? "wait_for " : "send ") + shell_word(step.client) + " " + request(step) + (waits ? " &" : "") +
            "  # explore saw: " + on_a_line(seen) + "\n";
    if (waits) out_ += "waiting=\"$waiting $!\"\nsleep 0.5\n";
  }

  std::string request(const TraceStep& step) {
    if (step.statement.find(" at server ") != std::string::npos) refuse("the lock uses several servers");
    if (!lock_.form.by_words) {
      refuse_simulated_time(step.statement);
      return shell_word(step.statement);
    }
    if (step.arguments.empty()) refuse("only a summary is known of the request " + step.statement);
    std::string out;
    for (const auto& argument : step.arguments) {
      refuse_simulated_time(argument);
      out += (out.empty() ? "" : " ") + shell_word(argument);
    }
    std::string name = step.arguments.front();
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (name == "evalsha") refuse("the library calls a stored script by its hash (EVALSHA), and its text is not known");
    return out;
  }

  void pass(const std::string& word) {
    const auto words = parse_words(word);
    if (words.size() != 1 || words.front().kind != WordKind::time) return;
    out_ += fmt::format("echo 'time passes: {} s'\nsleep {}\n", word.substr(1, word.size() - 2),
                        static_cast<double>(words.front().time_us) / 1e6);
  }

  void event(const TraceStep& step) {
    const bool ends = has(step, "!crash") || has(step, "!cut");
    if (!ends && step.said.empty()) return;
    const std::string what = has(step, "!crash") ? "dies" : ends ? "loses its connection" : step.said;
    out_ += "echo " + shell_word(step.client + "   " + on_a_line(what)) + "\n";
    if (ends) out_ += "close_session " + shell_word(step.client) + "\n";
  }

  const ExploreFind& find_;
  const ScriptedLock& lock_;
  std::string out_;
};

}  // namespace

std::string schedule_script(const ExploreFind& find, const ScriptedLock& lock) {
  return ScriptWriter(find, lock).text();
}

}  // namespace holdfast
