#include "explore/schedule_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>

#include "artifact/error.hpp"
#include "artifact/shell_command.hpp"

namespace holdfast {
namespace {

// The simulated clock begins at 2030-01-01 12:00 UTC. A request may have its time as a date, or in any unit.
constexpr std::string_view kSimulatedDate = "2030-01-0";
constexpr std::int64_t kSimulatedBegin_s = 1'893'499'200;
constexpr std::int64_t kSimulatedLength_s = 1'000'000;
constexpr std::size_t kDigitsOfSeconds = 10;
constexpr std::int64_t kLeastSleep_us = 1000;
// Commands that may wait at the server, and those that need one connection for several commands.
constexpr auto kWaits = std::to_array<std::string_view>({"blpop", "brpop", "blmove", "blmpop", "brpoplpush", "bzpopmin",
                                                         "bzpopmax", "bzmpop", "xread", "xreadgroup", "wait"});
constexpr auto kByHash = std::to_array<std::string_view>({"evalsha", "evalsha_ro", "fcall"});
constexpr const char* kConnectionGone = "the connection is gone";
constexpr auto kOfAConnection = std::to_array<std::string_view>(
    {"multi", "exec", "discard", "watch", "unwatch", "subscribe", "psubscribe", "unsubscribe", "select"});

template <std::size_t n>
bool is_among(const std::array<std::string_view, n>& all, std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::find(all.begin(), all.end(), name) != all.end();
}

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

bool has_simulated_time(const std::string& text) {
  if (text.find(kSimulatedDate) != std::string::npos) return true;
  std::size_t digits = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
      ++digits;
      continue;
    }
    if (digits >= kDigitsOfSeconds) {
      const std::int64_t seconds = std::stoll(text.substr(at - digits, kDigitsOfSeconds));
      if (seconds >= kSimulatedBegin_s && seconds < kSimulatedBegin_s + kSimulatedLength_s) return true;
    }
    digits = 0;
  }
  return false;
}

void refuse_simulated_time(const std::string& text) {
  if (has_simulated_time(text)) {
    refuse("a request carries a time of the simulated clock (" + on_a_line(text) + ")");
  }
}

bool has(const TraceStep& step, std::string_view fault) {
  return step.word.find(fault) != std::string::npos;
}

class ScriptWriter {
 public:
  ScriptWriter(const ExploreFind& find, const ScriptedLock& lock) : find_(find), lock_(lock) {}

  std::string text() {
    if (find_.invariant.empty()) refuse("the schedule violates nothing");
    if (find_.row_lock_waits) refuse("its statements wait for each other's row locks");
    head();
    for (const auto& step : find_.steps) {
      pass_time_to(step);
      add(step);
    }
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

  // Also without a word for it, as before the last client asks.
  void pass_time_to(const TraceStep& step) {
    const std::int64_t passed_us = last_us_ == 0 ? 0 : step.time_us - last_us_;
    last_us_ = step.time_us;
    if (passed_us < kLeastSleep_us) return;
    const double seconds = static_cast<double>(passed_us) / 1e6;
    out_ += fmt::format("echo 'time passes: {} s'\nsleep {}\n", seconds, seconds);
  }

  void add(const TraceStep& step) {
    if (step.client.empty()) return;
    if (has(step, "!ahead") || has(step, "!behind")) refuse("a client's clock is wrong in this schedule");
    if (step.statement.empty()) return event(step);
    if (has(step, "!late")) return tell(step.client, "sends, but it has not arrived: " + step.statement);
    if (step.answer == kConnectionGone) return tell(step.client, "cannot send: " + step.statement);
    const bool arrives = has(step, "!arrives");
    send(arrives ? "late_" + step.client : step.client, step);
    if (arrives || has(step, "!lost")) close(arrives ? "late_" + step.client : step.client);
  }

  void send(const std::string& client, const TraceStep& step) {
    const std::string seen = step.answer + (step.said.empty() ? "" : "; " + step.said);
    const bool waits = lock_.form.by_words && !step.arguments.empty() && is_among(kWaits, step.arguments.front());
    out_ += (waits ? "wait_for " : "send ") + shell_word(client) + " " + request(step) + (waits ? " &" : "") +
            "  # explore saw: " + on_a_line(seen) + "\n";
    if (waits) out_ += "waiting+=($!)\nsleep 0.5\n";
  }

  void tell(const std::string& client, const std::string& what) {
    out_ += "echo " + shell_word(client + "   " + on_a_line(what)) + "\n";
  }

  void close(const std::string& client) { out_ += "close_session " + shell_word(client) + "\n"; }

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
    const std::string& name = step.arguments.front();
    if (is_among(kOfAConnection, name)) refuse("the library sends " + name + ", which needs a connection of its own");
    if (is_among(kByHash, name)) {
      refuse("the library calls a stored script by its hash (" + name + "), and its text is not known");
    }
    return out;
  }

  void event(const TraceStep& step) {
    const bool ends = has(step, "!crash") || has(step, "!cut");
    if (!ends && step.said.empty()) return;
    tell(step.client, has(step, "!crash") ? "dies" : ends ? "loses its connection" : step.said);
    if (!ends) return;
    close(step.client);
    std::string background = step.client;
    std::transform(background.begin(), background.end(), background.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (has(step, "!crash") && background != step.client) close(background);
  }

  std::int64_t last_us_ = 0;
  const ExploreFind& find_;
  const ScriptedLock& lock_;
  std::string out_;
};

}  // namespace

std::string schedule_script(const ExploreFind& find, const ScriptedLock& lock) {
  return ScriptWriter(find, lock).text();
}

}  // namespace holdfast
